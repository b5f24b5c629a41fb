// Modifiers of groups, /(?i-ms:…)/ (https://tc39.es/ecma262/#prod-Atom), for an engine whose parser does not know them: the pattern is
// written anew in the syntax that it knows. `.`, `^` and `$` become classes and lookarounds with their meaning; where case is regarded in
// one part and not in another, the expression has no flag i, and each group that changes it begins with a marker, an assertion that
// always holds and that no program writes. The markers are read by program.cpp: such expressions run on our matcher.
#pragma once

#include "engine/core/jsc.h"

#include <JavaScriptCore/YarrPattern.h>

#include <optional>

namespace rondo::engine::regexp {

struct PlainPattern {
  WTF::String text;
  WTF::OptionSet<JSC::Yarr::Flags> flags;
};

// None where the pattern has no modifiers, or is faulty: the engine refuses it in its own words.
std::optional<PlainPattern> without_modifiers(WTF::StringView pattern, WTF::OptionSet<JSC::Yarr::Flags> flags);

enum class CaseMarker : uint8_t { None, Regarded, Ignored };

// The marker that a group's content begins with.
CaseMarker marker_of(const JSC::Yarr::PatternDisjunction& group);
// Whether the whole pattern stands in a group with a marker, as without_modifiers() writes it.
bool has_markers(const JSC::Yarr::YarrPattern& pattern);

}  // namespace rondo::engine::regexp
