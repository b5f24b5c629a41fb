// \p{…} of today's Unicode: the engine's tables with the changes of engine/regexp/unicode_changes.inc.
#include "engine/regexp/case_closure.h"
#include "engine/regexp/unicode_changes.h"

using JSC::Yarr::BuiltInCharacterClassID;
using JSC::Yarr::CharacterClass;
using JSC::Yarr::YarrPattern;
using Found = std::optional<BuiltInCharacterClassID>;
namespace regexp = rondo::engine::regexp;

// Functions that take or return objects have no extern "C"; the names are given as they are.
#define RONDO_FIND_VALUE(prefix) prefix "_ZN3JSC4Yarr25unicodeMatchPropertyValueEN3WTF6StringES2_"
#define RONDO_CLASS_FOR(prefix) \
  prefix "_ZN3JSC4Yarr11YarrPattern24unicodeCharacterClassForENS0_23BuiltInCharacterClassIDE"
#define RONDO_STRINGS(prefix) prefix "_ZN3JSC4Yarr31characterClassMayContainStringsENS0_23BuiltInCharacterClassIDE"

Found real_find_value(WTF::String, WTF::String) asm(RONDO_FIND_VALUE("__real_"));
Found wrap_find_value(WTF::String, WTF::String) asm(RONDO_FIND_VALUE("__wrap_"));
static regexp::EngineProperties engine_properties() { return {real_find_value, JSC::Yarr::unicodeMatchProperty}; }

Found wrap_find_value(WTF::String property, WTF::String value) {
  return regexp::find_ours(property, value, real_find_value(property, value), engine_properties());
}

// A property's class is made once for a pattern, and kept in its table.
CharacterClass* real_class_for(YarrPattern*, BuiltInCharacterClassID) asm(RONDO_CLASS_FOR("__real_"));
CharacterClass* wrap_class_for(YarrPattern*, BuiltInCharacterClassID) asm(RONDO_CLASS_FOR("__wrap_"));
CharacterClass* wrap_class_for(YarrPattern* pattern, BuiltInCharacterClassID id) {
  auto& made = regexp::properties_of(*pattern);
  const auto number = static_cast<unsigned>(id);
  if (auto* known = made.get(number)) return known;
  if (!regexp::is_ours(id)) {
    auto* set = real_class_for(pattern, id);
    regexp::apply_changes(*set, id, engine_properties());
    return set;
  }
  const auto before = regexp::engines_id(id, engine_properties());
  pattern->m_userCharacterClasses.append(before ? JSC::Yarr::createUnicodeCharacterClassFor(*before)
                                                : WTF::makeUnique<CharacterClass>());
  auto* set = pattern->m_userCharacterClasses.last().get();
  made.add(number, set);
  regexp::apply_changes(*set, id, engine_properties());
  return set;
}

bool real_may_contain_strings(BuiltInCharacterClassID) asm(RONDO_STRINGS("__real_"));
bool wrap_may_contain_strings(BuiltInCharacterClassID) asm(RONDO_STRINGS("__wrap_"));
bool wrap_may_contain_strings(BuiltInCharacterClassID id) {
  return !regexp::is_ours(id) && real_may_contain_strings(id);
}
