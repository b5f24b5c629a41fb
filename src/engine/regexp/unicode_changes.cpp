// See unicode_changes.h.
#include "engine/regexp/unicode_changes.h"

#include "engine/regexp/character_ranges.h"

#include <charconv>
#include <map>
#include <string_view>
#include <vector>

namespace rondo::engine::regexp {

namespace {

using JSC::Yarr::CharacterClass;
using JSC::Yarr::CharacterRange;

struct Change {
  std::string_view property;
  std::string_view value;
  std::string_view short_name;  // of a new script
  std::string_view added;  // hexadecimal: "41 61-7a"
  std::string_view removed;
  std::string_view strings;  // "1f600+200d+2764 …"
};

constexpr Change kChanges[] = {
#include "engine/regexp/unicode_changes.inc"
};

// Behind the engine's numbers, of which there are some five hundred.
constexpr unsigned kFirstOurs = 1 << 20;

template <class Each>
void split(std::string_view text, char separator, const Each& each) {
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    each(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

UChar32 parse_hex(std::string_view digits) {
  UChar32 number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number, 16);
  return number;
}

std::vector<CharacterRange> parse_ranges(std::string_view text) {
  std::vector<CharacterRange> ranges;
  split(text, ' ', [&](std::string_view word) {
    const size_t dash = word.find('-');
    const UChar32 first = parse_hex(word.substr(0, dash));
    ranges.emplace_back(first, dash == std::string_view::npos ? first : parse_hex(word.substr(dash + 1)));
  });
  return ranges;
}

void add_strings(CharacterClass& set, std::string_view text) {
  split(text, ' ', [&](std::string_view word) {
    WTF::Vector<UChar32> string;
    split(word, '+', [&](std::string_view digits) { string.append(parse_hex(digits)); });
    if (!set.m_strings.contains(string)) set.m_strings.append(std::move(string));
  });
  // The longest is matched first.
  std::sort(set.m_strings.begin(), set.m_strings.end(),
            [](const auto& a, const auto& b) { return a.size() > b.size(); });
}

WTF::String to_string(std::string_view text) {
  return WTF::String(reinterpret_cast<const LChar*>(text.data()), static_cast<unsigned>(text.size()));
}

// The engine has one number for a script and its extensions where its tables have the same characters for both.
bool is_shared(const Change& change, PropertyId id, const EngineProperties& engine) {
  return change.property == "Script_Extensions" && engine.find_value("Script"_s, to_string(change.value)) == id;
}

struct Known {
  std::map<unsigned, const Change*> by_id;
  std::map<unsigned, unsigned> extensions;  // the engine's number → the place of the change
};

Known find_known(const EngineProperties& engine) {
  Known found;
  for (const auto& change : kChanges) {
    const bool has_value = change.property.starts_with("Script") || change.property == "General_Category";
    const auto id = has_value ? engine.find_value(to_string(change.property), to_string(change.value))
                              : engine.find(to_string(change.value), JSC::Yarr::CompileMode::UnicodeSets);
    if (!id) continue;
    if (is_shared(change, *id, engine))
      found.extensions[static_cast<unsigned>(*id)] = static_cast<unsigned>(&change - kChanges);
    else
      found.by_id[static_cast<unsigned>(*id)] = &change;
  }
  return found;
}

const Known& known(const EngineProperties& engine) {
  static const auto all = find_known(engine);
  return all;
}

const Change* change_of(PropertyId id, const EngineProperties& engine) {
  if (is_ours(id)) return &kChanges[static_cast<unsigned>(id) - kFirstOurs];
  const auto& changes = known(engine).by_id;
  const auto found = changes.find(static_cast<unsigned>(id));
  return found == changes.end() ? nullptr : found->second;
}

bool is(const WTF::String& text, std::string_view other) {
  return WTF::StringView(text) ==
         WTF::StringView(reinterpret_cast<const LChar*>(other.data()), static_cast<unsigned>(other.size()));
}

}  // namespace

std::optional<PropertyId> find_ours(const WTF::String& property, const WTF::String& value,
                                    std::optional<PropertyId> found, const EngineProperties& engine) {
  const bool is_script = is(property, "Script") || is(property, "sc");
  const bool is_extension = is(property, "Script_Extensions") || is(property, "scx");
  if (found) {
    const auto& extensions = known(engine).extensions;
    const auto place = is_extension ? extensions.find(static_cast<unsigned>(*found)) : extensions.end();
    return place == extensions.end() ? found : static_cast<PropertyId>(kFirstOurs + place->second);
  }
  if (!is_script && !is_extension) return std::nullopt;
  for (unsigned i = 0; i < std::size(kChanges); i++) {
    const Change& change = kChanges[i];
    if (change.short_name.empty() || change.property != (is_script ? "Script" : "Script_Extensions")) continue;
    if (is(value, change.value) || is(value, change.short_name)) return static_cast<PropertyId>(kFirstOurs + i);
  }
  return std::nullopt;
}

bool is_ours(PropertyId id) { return static_cast<unsigned>(id) >= kFirstOurs; }

std::optional<PropertyId> engines_id(PropertyId id, const EngineProperties& engine) {
  if (!is_ours(id)) return id;
  const Change& change = kChanges[static_cast<unsigned>(id) - kFirstOurs];
  return engine.find_value(to_string(change.property), to_string(change.value));
}

void apply_changes(CharacterClass& set, PropertyId id, const EngineProperties& engine) {
  const Change* change = change_of(id, engine);
  if (!change) return;
  auto ranges = ranges_of(set);
  for (const auto& range : parse_ranges(change->added)) ranges.push_back(range);
  set_ranges(set, united(std::move(ranges)));
  if (!change->removed.empty()) set_ranges(set, difference(ranges_of(set), parse_ranges(change->removed)));
  if (!change->strings.empty()) add_strings(set, change->strings);
}

}  // namespace rondo::engine::regexp
