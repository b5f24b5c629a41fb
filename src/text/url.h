// The URL Standard's parser (https://url.spec.whatwg.org/), over UTF-8 text: parse, resolve, change one part, serialise.
// Not here: JavaScript's URL class (lib/internal/url/url_class.js) and internationalised domain names, which come from outside through
// DomainToAscii because only JavaScript has the Unicode tables.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::url {

// Maps a domain that is not plain ASCII to its ASCII form; nullopt when it is not a valid domain.
using DomainToAscii = std::function<std::optional<std::string>(std::string_view utf8_domain)>;

// https://url.spec.whatwg.org/#concept-url
struct Url {
  std::string scheme;
  std::string username;
  std::string password;
  std::optional<std::string> host;  // serialised
  std::optional<uint16_t> port;
  bool has_opaque_path = false;
  std::string opaque_path;
  std::vector<std::string> path;
  std::optional<std::string> query;
  std::optional<std::string> fragment;

  bool is_special() const;
  bool has_credentials() const { return !username.empty() || !password.empty(); }
  bool cannot_have_credentials_or_port() const { return !host || host->empty() || scheme == "file"; }
};

// Where the parts lie in the serialised URL (offsets in bytes; the text is ASCII). kNone: the part is not there.
struct Offsets {
  static constexpr uint32_t kNone = 0xffffffff;
  uint32_t protocol_end = 0;
  uint32_t username_end = 0;
  uint32_t host_start = 0;  // on the '@' when there are credentials
  uint32_t host_end = 0;
  uint32_t port = kNone;  // the number, not a position
  uint32_t pathname_start = 0;
  uint32_t search_start = kNone;
  uint32_t hash_start = kNone;
  uint32_t scheme_type = 0;  // http 0, other 1, https 2, ws 3, ftp 4, wss 5, file 6
};

std::optional<Url> parse(std::string_view input, const Url* base, const DomainToAscii& to_ascii);
std::string serialize(const Url& url, Offsets* offsets = nullptr);
std::string serialize_path(const Url& url);
std::string origin(const Url& url, const DomainToAscii& to_ascii);  // "null" when opaque

// The setters of the URL class, in the order lib/internal/url/url_class.js numbers them.
enum class Part : uint8_t { Href, Hash, Port, Hostname, Host, Pathname, Search, Password, Username, Protocol };
void set_part(Url& url, Part part, std::string_view value, const DomainToAscii& to_ascii);

}  // namespace rondo::url
