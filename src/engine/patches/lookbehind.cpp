// Alternatives of different lengths in a lookbehind: of /(?<=abc|x)d/ the engine tries the longer one as if it were as long as the
// shortest, and answers wrongly. In a group of their own it tries them rightly, so /(?<=abc|x)d/ is compiled as /(?<=(?:abc|x))d/. The
// expression's `source`, its groups' numbers and names stay as they are.
#include "engine/core/jsc.h"

#include <JavaScriptCore/YarrPattern.h>
#include <wtf/text/StringBuilder.h>

namespace {

struct Group {
  bool is_lookbehind;
  bool has_alternatives;
  unsigned content;  // where its content begins
};

struct Insertion {
  unsigned at;
  WTF::ASCIILiteral text;
};

bool begins_lookbehind(WTF::StringView pattern, unsigned at) {
  const auto rest = pattern.substring(at, 4);
  return rest == "(?<="_s || rest == "(?<!"_s;
}

// The index after a character class that begins at `at`; with the flag v classes nest.
unsigned after_class(WTF::StringView pattern, unsigned at, bool nests) {
  unsigned depth = 0;
  for (; at < pattern.length(); at++) {
    if (pattern[at] == '\\') {
      at++;
    } else if (pattern[at] == '[' && (nests || depth == 0)) {
      depth++;
    } else if (pattern[at] == ']' && --depth == 0) {
      return at + 1;
    }
  }
  return at;
}

// Where "(?:" and ")" are missing. Empty for a text whose parentheses do not match, too: the parser refuses it.
WTF::Vector<Insertion> missing_groups(WTF::StringView pattern, bool classes_nest) {
  WTF::Vector<Insertion> insertions;
  WTF::Vector<Group> open;
  for (unsigned at = 0; at < pattern.length(); at++) {
    switch (pattern[at]) {
      case '\\':
        at++;
        break;
      case '[':
        at = after_class(pattern, at, classes_nest) - 1;
        break;
      case '(':
        open.append({begins_lookbehind(pattern, at), false, at + 4});
        break;
      case '|':
        if (!open.isEmpty()) open.last().has_alternatives = true;
        break;
      case ')': {
        if (open.isEmpty()) return {};
        const auto group = open.takeLast();
        if (!group.is_lookbehind || !group.has_alternatives) break;
        insertions.append({group.content, "(?:"_s});
        insertions.append({at, ")"_s});
        break;
      }
      default:
        break;
    }
  }
  if (!open.isEmpty()) return {};
  std::ranges::stable_sort(insertions, {}, &Insertion::at);  // groups inside groups end before those around them
  return insertions;
}

WTF::String with_groups(WTF::StringView pattern, const WTF::Vector<Insertion>& insertions) {
  WTF::StringBuilder text;
  unsigned done = 0;
  for (const auto& insertion : insertions) {
    text.append(pattern.substring(done, insertion.at - done), insertion.text);
    done = insertion.at;
  }
  text.append(pattern.substring(done));
  return text.toString();
}

}  // namespace

#define RONDO_COMPILE(prefix) prefix##_ZN3JSC4Yarr11YarrPattern7compileEN3WTF10StringViewE
extern "C" JSC::Yarr::ErrorCode RONDO_COMPILE(__real_)(JSC::Yarr::YarrPattern* self, WTF::StringView pattern);
extern "C" JSC::Yarr::ErrorCode RONDO_COMPILE(__wrap_)(JSC::Yarr::YarrPattern* self, WTF::StringView pattern) {
  if (pattern.contains('|') && (pattern.contains("(?<="_s) || pattern.contains("(?<!"_s))) {
    const auto insertions = missing_groups(pattern, self->unicodeSets());
    if (!insertions.isEmpty()) return RONDO_COMPILE(__real_)(self, with_groups(pattern, insertions));
  }
  return RONDO_COMPILE(__real_)(self, pattern);
}
