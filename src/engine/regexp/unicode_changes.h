// Properties of Unicode 17 (\p{…}) on an engine whose tables are those of version 15: what was added since, and what was taken out, lies in
// unicode_changes.inc; scripts that are new have numbers of ours behind the engine's. Asked by patches/unicode_properties.cpp alone.
#pragma once

#include "engine/core/jsc.h"

#include <JavaScriptCore/YarrPattern.h>

#include <optional>

namespace rondo::engine::regexp {

using PropertyId = JSC::Yarr::BuiltInCharacterClassID;

// The engine's answers, which the changes are put on.
struct EngineProperties {
  std::optional<PropertyId> (*find_value)(WTF::String property, WTF::String value);
  std::optional<PropertyId> (*find)(WTF::String property, JSC::Yarr::CompileMode mode);
};

// The number of ours for a script that the engine does not know, by its long or short name, or for the extensions of one to which the engine
// has given the script's own number; else what the engine has `found`.
std::optional<PropertyId> find_ours(const WTF::String& property, const WTF::String& value,
                                    std::optional<PropertyId> found, const EngineProperties& engine);
bool is_ours(PropertyId id);
// The engine's number that the changes are put on; none for a new script.
std::optional<PropertyId> engines_id(PropertyId id, const EngineProperties& engine);

void apply_changes(JSC::Yarr::CharacterClass& set, PropertyId id, const EngineProperties& engine);

}  // namespace rondo::engine::regexp
