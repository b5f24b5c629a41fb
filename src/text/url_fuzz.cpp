// Any text as a URL, alone, against a base, and as the value of every setter: no crash, and what was written parses to itself.
#include "text/url.h"

#include <cstddef>
#include <cstdlib>

namespace {

using namespace rondo::url;

std::optional<std::string> no_unicode(std::string_view) { return std::nullopt; }

void check(const Url& url) {
  Offsets offsets;
  const std::string text = serialize(url, &offsets);
  const auto again = parse(text, nullptr, no_unicode);
  if (!again || serialize(*again) != text) std::abort();
  origin(url, no_unicode);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static const Url kBases[] = {*parse("http://u:p@h:81/a/b?q#f", nullptr, no_unicode),
                               *parse("file:///C:/x/y", nullptr, no_unicode), *parse("a:b", nullptr, no_unicode)};
  if (const auto url = parse(text, nullptr, no_unicode)) check(*url);
  for (const Url& base : kBases) {
    if (const auto url = parse(text, &base, no_unicode)) check(*url);
    for (auto part = Part::Href; part <= Part::Protocol;
         part = static_cast<Part>(static_cast<std::uint8_t>(part) + 1)) {
      Url changed = base;
      set_part(changed, part, text, no_unicode);
      check(changed);
    }
  }
  return 0;
}
