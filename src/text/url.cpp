#include "text/url.h"

#include "text/url_host.h"

#include <array>

namespace rondo::url {

namespace {

struct Special {
  std::string_view scheme;
  uint16_t port;  // 0: none
  uint32_t type;
};
constexpr std::array<Special, 6> kSpecial = {
    {{"http", 80, 0}, {"https", 443, 2}, {"ws", 80, 3}, {"ftp", 21, 4}, {"wss", 443, 5}, {"file", 0, 6}}};

const Special* find_special(std::string_view scheme) {
  for (const auto& special : kSpecial) {
    if (special.scheme == scheme) return &special;
  }
  return nullptr;
}

bool is_default_port(std::string_view scheme, uint32_t port) {
  const auto* special = find_special(scheme);
  return special != nullptr && special->port != 0 && special->port == port;
}

bool is_alpha(int c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }
bool is_digit(int c) { return c >= '0' && c <= '9'; }
char to_lower(int c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c | 0x20 : c); }

bool is_windows_letter(std::string_view text) {
  return text.size() == 2 && is_alpha(text[0]) && (text[1] == ':' || text[1] == '|');
}
bool is_normalized_windows_letter(std::string_view text) { return is_windows_letter(text) && text[1] == ':'; }

// https://url.spec.whatwg.org/#start-with-a-windows-drive-letter
bool starts_with_windows_letter(std::string_view text) {
  if (text.size() < 2 || !is_windows_letter(text.substr(0, 2))) return false;
  return text.size() == 2 || std::string_view("/\\?#").find(text[2]) != std::string_view::npos;
}

// "." and ".." with any of their dots written as %2e.
int dots_in(std::string_view segment) {
  int dots = 0;
  while (!segment.empty()) {
    if (segment[0] == '.') {
      segment.remove_prefix(1);
    } else if (segment.size() >= 3 && segment[0] == '%' && segment[1] == '2' && (segment[2] | 0x20) == 'e') {
      segment.remove_prefix(3);
    } else {
      return 0;
    }
    if (++dots > 2) return 0;
  }
  return dots;
}

// https://url.spec.whatwg.org/#shorten-a-urls-path
void shorten_path(Url& url) {
  if (url.scheme == "file" && url.path.size() == 1 && is_normalized_windows_letter(url.path[0])) return;
  if (!url.path.empty()) url.path.pop_back();
}

constexpr int kEnd = -1;

// https://url.spec.whatwg.org/#concept-basic-url-parser, one method a state.
class Parser {
 public:
  enum class State : uint8_t {
    None,
    SchemeStart,
    Scheme,
    NoScheme,
    SpecialRelativeOrAuthority,
    PathOrAuthority,
    Relative,
    RelativeSlash,
    SpecialAuthoritySlashes,
    SpecialAuthorityIgnoreSlashes,
    Authority,
    Host,
    Hostname,
    Port,
    File,
    FileSlash,
    FileHost,
    PathStart,
    Path,
    OpaquePath,
    Query,
    Fragment,
  };
  enum class Step : uint8_t { Next, Done, Failure };

  Parser(std::string input, Url& url, const Url* base, State state_override, const DomainToAscii& to_ascii)
      : input_(std::move(input)), url_(url), base_(base), override_(state_override), to_ascii_(to_ascii) {}

  bool run() {
    state_ = override_ == State::None ? State::SchemeStart : override_;
    for (at_ = 0;; at_++) {
      int c = at_ < size() ? static_cast<uint8_t>(input_[static_cast<size_t>(at_)]) : kEnd;
      Step step = take(c);
      if (step != Step::Next) return step == Step::Done;
      if (at_ >= size()) return true;
    }
  }

 private:
  Step take(int c) {
    switch (state_) {
      case State::None:
      case State::SchemeStart:
        return scheme_start(c);
      case State::Scheme:
        return scheme(c);
      case State::NoScheme:
        return no_scheme(c);
      case State::SpecialRelativeOrAuthority:
        return special_relative_or_authority(c);
      case State::PathOrAuthority:
        return path_or_authority(c);
      case State::Relative:
        return relative(c);
      case State::RelativeSlash:
        return relative_slash(c);
      case State::SpecialAuthoritySlashes:
        return special_authority_slashes(c);
      case State::SpecialAuthorityIgnoreSlashes:
        return special_authority_ignore_slashes(c);
      case State::Authority:
        return authority(c);
      case State::Host:
      case State::Hostname:
        return host(c);
      case State::Port:
        return port(c);
      case State::File:
        return file(c);
      case State::FileSlash:
        return file_slash(c);
      case State::FileHost:
        return file_host(c);
      case State::PathStart:
        return path_start(c);
      case State::Path:
        return path(c);
      case State::OpaquePath:
        return opaque_path(c);
      case State::Query:
        return query(c);
      case State::Fragment:
        return fragment(c);
    }
    return Step::Failure;
  }

  std::ptrdiff_t size() const { return static_cast<std::ptrdiff_t>(input_.size()); }
  std::string_view from(std::ptrdiff_t position) const {
    return position >= size() ? std::string_view() : std::string_view(input_).substr(static_cast<size_t>(position));
  }
  std::string_view remaining() const { return from(at_ + 1); }
  bool is_special() const { return url_.is_special(); }
  bool has_override() const { return override_ != State::None; }
  // The same character again, in another state.
  Step again(State state) {
    state_ = state;
    at_--;
    return Step::Next;
  }
  Step go(State state) {
    state_ = state;
    return Step::Next;
  }
  bool ends_authority(int c) const {
    return c == kEnd || c == '/' || c == '?' || c == '#' || (c == '\\' && is_special());
  }
  void begin_query() {
    url_.query = "";
    state_ = State::Query;
  }
  void begin_fragment() {
    url_.fragment = "";
    state_ = State::Fragment;
  }

  void take_authority() {
    url_.username = base_->username;
    url_.password = base_->password;
    url_.host = base_->host;
    url_.port = base_->port;
  }

  // Common part of "relative state" and "file state": the base's path and query, up to where the input has its own. `make_room`
  // takes from the path what the input's own segments replace.
  template <class MakeRoom>
  Step after_base(int c, MakeRoom make_room) {
    url_.path = base_->path;
    url_.query = base_->query;
    if (c == '?') {
      begin_query();
    } else if (c == '#') {
      begin_fragment();
    } else if (c != kEnd) {
      url_.query.reset();
      make_room();
      return again(State::Path);
    }
    return Step::Next;
  }

  Step scheme_start(int c);
  Step scheme(int c);
  Step end_scheme();
  Step no_scheme(int c);
  Step special_relative_or_authority(int c);
  Step path_or_authority(int c);
  Step relative(int c);
  Step relative_slash(int c);
  Step special_authority_slashes(int c);
  Step special_authority_ignore_slashes(int c);
  Step authority(int c);
  Step host(int c);
  Step port(int c);
  Step file(int c);
  Step file_slash(int c);
  Step file_host(int c);
  Step path_start(int c);
  Step path(int c);
  void end_segment(int c);
  Step opaque_path(int c);
  Step query(int c);
  Step fragment(int c);

  std::string input_;
  Url& url_;
  const Url* base_;
  State override_;
  const DomainToAscii& to_ascii_;
  State state_ = State::None;
  std::ptrdiff_t at_ = 0;
  std::string buffer_;
  bool at_sign_seen_ = false;
  bool inside_brackets_ = false;
  bool password_token_seen_ = false;
};

using Step = Parser::Step;

Step Parser::scheme_start(int c) {
  if (is_alpha(c)) {
    buffer_ += to_lower(c);
    return go(State::Scheme);
  }
  return has_override() ? Step::Failure : again(State::NoScheme);
}

Step Parser::scheme(int c) {
  if (is_alpha(c) || is_digit(c) || c == '+' || c == '-' || c == '.') {
    buffer_ += to_lower(c);
    return Step::Next;
  }
  if (c == ':') return end_scheme();
  if (has_override()) return Step::Failure;
  buffer_.clear();
  at_ = -1;
  return go(State::NoScheme);
}

Step Parser::end_scheme() {
  if (has_override()) {
    bool to_special = find_special(buffer_) != nullptr;
    if (is_special() != to_special) return Step::Done;
    if ((url_.has_credentials() || url_.port) && buffer_ == "file") return Step::Done;
    if (url_.scheme == "file" && (!url_.host || url_.host->empty())) return Step::Done;
    url_.scheme = buffer_;
    if (url_.port && is_default_port(url_.scheme, *url_.port)) url_.port.reset();
    return Step::Done;
  }
  url_.scheme = buffer_;
  buffer_.clear();
  if (url_.scheme == "file") return go(State::File);
  if (is_special()) {
    if (base_ != nullptr && base_->scheme == url_.scheme) return go(State::SpecialRelativeOrAuthority);
    return go(State::SpecialAuthoritySlashes);
  }
  if (remaining().starts_with('/')) {
    at_++;
    return go(State::PathOrAuthority);
  }
  url_.has_opaque_path = true;
  return go(State::OpaquePath);
}

Step Parser::no_scheme(int c) {
  if (base_ == nullptr || (base_->has_opaque_path && c != '#')) return Step::Failure;
  if (base_->has_opaque_path) {
    url_.scheme = base_->scheme;
    url_.has_opaque_path = true;
    url_.opaque_path = base_->opaque_path;
    url_.query = base_->query;
    begin_fragment();
    return Step::Next;
  }
  return again(base_->scheme == "file" ? State::File : State::Relative);
}

Step Parser::special_relative_or_authority(int c) {
  if (c == '/' && remaining().starts_with('/')) {
    at_++;
    return go(State::SpecialAuthorityIgnoreSlashes);
  }
  return again(State::Relative);
}

Step Parser::path_or_authority(int c) { return c == '/' ? go(State::Authority) : again(State::Path); }

Step Parser::relative(int c) {
  url_.scheme = base_->scheme;
  if (c == '/' || (is_special() && c == '\\')) return go(State::RelativeSlash);
  take_authority();
  return after_base(c, [this] { shorten_path(url_); });
}

Step Parser::relative_slash(int c) {
  if (is_special() && (c == '/' || c == '\\')) return go(State::SpecialAuthorityIgnoreSlashes);
  if (c == '/') return go(State::Authority);
  take_authority();
  return again(State::Path);
}

Step Parser::special_authority_slashes(int c) {
  if (c == '/' && remaining().starts_with('/')) {
    at_++;
    return go(State::SpecialAuthorityIgnoreSlashes);
  }
  return again(State::SpecialAuthorityIgnoreSlashes);
}

Step Parser::special_authority_ignore_slashes(int c) {
  return c != '/' && c != '\\' ? again(State::Authority) : Step::Next;
}

Step Parser::authority(int c) {
  if (c == '@') {
    if (at_sign_seen_) buffer_.insert(0, "%40");
    at_sign_seen_ = true;
    for (char character : buffer_) {
      if (character == ':' && !password_token_seen_) {
        password_token_seen_ = true;
        continue;
      }
      append_encoded(password_token_seen_ ? url_.password : url_.username, static_cast<uint8_t>(character),
                     EncodeSet::UserInfo);
    }
    buffer_.clear();
    return Step::Next;
  }
  if (ends_authority(c)) {
    if (at_sign_seen_ && buffer_.empty()) return Step::Failure;
    at_ -= static_cast<std::ptrdiff_t>(buffer_.size()) + 1;
    buffer_.clear();
    return go(State::Host);
  }
  buffer_ += static_cast<char>(c);
  return Step::Next;
}

Step Parser::host(int c) {
  if (has_override() && url_.scheme == "file") return again(State::FileHost);
  if (c == ':' && !inside_brackets_) {
    if (buffer_.empty()) return Step::Failure;
    if (override_ == State::Hostname) return Step::Failure;
    auto parsed = parse_host(buffer_, !is_special(), to_ascii_);
    if (!parsed) return Step::Failure;
    url_.host = std::move(*parsed);
    buffer_.clear();
    return go(State::Port);
  }
  if (ends_authority(c)) {
    at_--;
    if (is_special() && buffer_.empty()) return Step::Failure;
    if (has_override() && buffer_.empty() && (url_.has_credentials() || url_.port)) return Step::Failure;
    auto parsed = parse_host(buffer_, !is_special(), to_ascii_);
    if (!parsed) return Step::Failure;
    url_.host = std::move(*parsed);
    buffer_.clear();
    return has_override() ? Step::Done : go(State::PathStart);
  }
  if (c == '[') inside_brackets_ = true;
  if (c == ']') inside_brackets_ = false;
  buffer_ += static_cast<char>(c);
  return Step::Next;
}

Step Parser::port(int c) {
  if (is_digit(c)) {
    buffer_ += static_cast<char>(c);
    return Step::Next;
  }
  if (!ends_authority(c) && !has_override()) return Step::Failure;
  if (!buffer_.empty()) {
    uint32_t number = 0;
    for (char digit : buffer_) {
      number = number * 10 + static_cast<uint32_t>(digit - '0');
      if (number > 0xffff) return Step::Failure;
    }
    if (is_default_port(url_.scheme, number))
      url_.port.reset();
    else
      url_.port = static_cast<uint16_t>(number);
    buffer_.clear();
    if (has_override()) return Step::Done;
  }
  return has_override() ? Step::Failure : again(State::PathStart);
}

Step Parser::file(int c) {
  url_.scheme = "file";
  url_.host = "";
  if (c == '/' || c == '\\') return go(State::FileSlash);
  if (base_ == nullptr || base_->scheme != "file") return again(State::Path);
  url_.host = base_->host;
  return after_base(c, [this] {
    if (!starts_with_windows_letter(from(at_)))
      shorten_path(url_);
    else
      url_.path.clear();
  });
}

Step Parser::file_slash(int c) {
  if (c == '/' || c == '\\') return go(State::FileHost);
  if (base_ != nullptr && base_->scheme == "file") {
    url_.host = base_->host;
    if (!starts_with_windows_letter(from(at_)) && !base_->path.empty() &&
        is_normalized_windows_letter(base_->path[0])) {
      url_.path.push_back(base_->path[0]);
    }
  }
  return again(State::Path);
}

Step Parser::file_host(int c) {
  if (c != kEnd && c != '/' && c != '\\' && c != '?' && c != '#') {
    buffer_ += static_cast<char>(c);
    return Step::Next;
  }
  at_--;
  // A drive letter is no host: the path state takes over with the letter still in the buffer.
  if (!has_override() && is_windows_letter(buffer_)) return go(State::Path);
  if (buffer_.empty()) {
    url_.host = "";
    return has_override() ? Step::Done : go(State::PathStart);
  }
  auto parsed = parse_host(buffer_, !is_special(), to_ascii_);
  if (!parsed) return Step::Failure;
  url_.host = *parsed == "localhost" ? "" : std::move(*parsed);
  if (has_override()) return Step::Done;
  buffer_.clear();
  return go(State::PathStart);
}

Step Parser::path_start(int c) {
  if (is_special()) {
    state_ = State::Path;
    if (c != '/' && c != '\\') at_--;
    return Step::Next;
  }
  if (!has_override() && c == '?') {
    begin_query();
  } else if (!has_override() && c == '#') {
    begin_fragment();
  } else if (c != kEnd) {
    state_ = State::Path;
    if (c != '/') at_--;
  } else if (has_override() && !url_.host) {
    url_.path.emplace_back();
  }
  return Step::Next;
}

void Parser::end_segment(int c) {
  bool is_slash = c == '/' || (is_special() && c == '\\');
  int dots = dots_in(buffer_);
  if (dots == 2) {
    shorten_path(url_);
    if (!is_slash) url_.path.emplace_back();
  } else if (dots == 1) {
    if (!is_slash) url_.path.emplace_back();
  } else {
    if (url_.scheme == "file" && url_.path.empty() && is_windows_letter(buffer_)) buffer_[1] = ':';
    url_.path.push_back(buffer_);
  }
  buffer_.clear();
}

Step Parser::path(int c) {
  bool ends = c == kEnd || c == '/' || (is_special() && c == '\\') || (!has_override() && (c == '?' || c == '#'));
  if (!ends) {
    append_encoded(buffer_, static_cast<uint8_t>(c), EncodeSet::Path);
    return Step::Next;
  }
  end_segment(c);
  if (c == '?') begin_query();
  if (c == '#') begin_fragment();
  return Step::Next;
}

Step Parser::opaque_path(int c) {
  if (c == '?') {
    begin_query();
  } else if (c == '#') {
    begin_fragment();
  } else if (c == ' ') {
    auto next = remaining();
    url_.opaque_path += next.starts_with('?') || next.starts_with('#') ? "%20" : " ";
  } else if (c != kEnd) {
    append_encoded(url_.opaque_path, static_cast<uint8_t>(c), EncodeSet::C0Control);
  }
  return Step::Next;
}

Step Parser::query(int c) {
  if (c == kEnd) return Step::Next;
  if (!has_override() && c == '#') {
    begin_fragment();
    return Step::Next;
  }
  append_encoded(*url_.query, static_cast<uint8_t>(c), is_special() ? EncodeSet::SpecialQuery : EncodeSet::Query);
  return Step::Next;
}

Step Parser::fragment(int c) {
  if (c != kEnd) append_encoded(*url_.fragment, static_cast<uint8_t>(c), EncodeSet::Fragment);
  return Step::Next;
}

bool is_c0_or_space(char c) { return static_cast<uint8_t>(c) <= 0x20; }

std::string without_tabs_and_newlines(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (char c : text) {
    if (c != '\t' && c != '\n' && c != '\r') out += c;
  }
  return out;
}

// As in the Standard, what was changed before a failure stays changed ("host:99999" sets the host).
void reparse(Url& url, std::string_view value, Parser::State state, const DomainToAscii& to_ascii) {
  Parser(without_tabs_and_newlines(value), url, nullptr, state, to_ascii).run();
}

void set_encoded(std::string& target, std::string_view value) {
  target.clear();
  for (char c : value) append_encoded(target, static_cast<uint8_t>(c), EncodeSet::UserInfo);
}

// search and hash: absent when empty, without their first character.
void set_tail(Url& url, std::optional<std::string>& target, std::string_view value, char mark, Parser::State state,
              const DomainToAscii& to_ascii) {
  if (value.empty()) {
    target.reset();
    return;
  }
  if (value[0] == mark) value.remove_prefix(1);
  target = "";
  reparse(url, value, state, to_ascii);
}

}  // namespace

bool Url::is_special() const { return find_special(scheme) != nullptr; }

std::optional<Url> parse(std::string_view input, const Url* base, const DomainToAscii& to_ascii) {
  while (!input.empty() && is_c0_or_space(input.front())) input.remove_prefix(1);
  while (!input.empty() && is_c0_or_space(input.back())) input.remove_suffix(1);
  Url url;
  if (!Parser(without_tabs_and_newlines(input), url, base, Parser::State::None, to_ascii).run()) return std::nullopt;
  return url;
}

std::string serialize_path(const Url& url) {
  if (url.has_opaque_path) return url.opaque_path;
  std::string out;
  for (const auto& segment : url.path) {
    out += '/';
    out += segment;
  }
  return out;
}

std::string serialize(const Url& url, Offsets* offsets) {
  Offsets marks;
  auto position = [](const std::string& text) { return static_cast<uint32_t>(text.size()); };
  const auto* special = find_special(url.scheme);
  marks.scheme_type = special != nullptr ? special->type : 1;
  std::string out = url.scheme + ':';
  marks.protocol_end = marks.username_end = marks.host_start = marks.host_end = position(out);
  if (url.host) {
    out += "//";
    out += url.username;
    marks.username_end = position(out);
    if (!url.password.empty()) {
      out += ':';
      out += url.password;
    }
    marks.host_start = position(out);
    if (url.has_credentials()) out += '@';
    out += *url.host;
    marks.host_end = position(out);
    if (url.port) {
      marks.port = *url.port;
      out += ':';
      out += std::to_string(*url.port);
    }
  } else if (!url.has_opaque_path && url.path.size() > 1 && url.path[0].empty()) {
    out += "/.";
  }
  marks.pathname_start = position(out);
  out += serialize_path(url);
  if (url.query) {
    marks.search_start = position(out);
    out += '?';
    out += *url.query;
  }
  if (url.fragment) {
    marks.hash_start = position(out);
    out += '#';
    out += *url.fragment;
  }
  if (offsets != nullptr) *offsets = marks;
  return out;
}

// https://url.spec.whatwg.org/#concept-url-origin
std::string origin(const Url& url, const DomainToAscii& to_ascii) {
  if (url.scheme == "blob") {
    auto inner = parse(serialize_path(url), nullptr, to_ascii);
    return inner && (inner->scheme == "http" || inner->scheme == "https") ? origin(*inner, to_ascii) : "null";
  }
  if (!url.is_special() || url.scheme == "file") return "null";
  std::string out = url.scheme + "://" + url.host.value_or("");
  if (url.port) out += ':' + std::to_string(*url.port);
  return out;
}

void set_part(Url& url, Part part, std::string_view value, const DomainToAscii& to_ascii) {
  switch (part) {
    case Part::Href:
      if (auto parsed = parse(value, nullptr, to_ascii)) url = std::move(*parsed);
      return;
    case Part::Protocol:
      return reparse(url, std::string(value) + ':', Parser::State::SchemeStart, to_ascii);
    case Part::Username:
      if (!url.cannot_have_credentials_or_port()) set_encoded(url.username, value);
      return;
    case Part::Password:
      if (!url.cannot_have_credentials_or_port()) set_encoded(url.password, value);
      return;
    case Part::Host:
      if (!url.has_opaque_path) reparse(url, value, Parser::State::Host, to_ascii);
      return;
    case Part::Hostname:
      if (!url.has_opaque_path) reparse(url, value, Parser::State::Hostname, to_ascii);
      return;
    case Part::Port:
      if (url.cannot_have_credentials_or_port()) return;
      if (value.empty())
        url.port.reset();
      else
        reparse(url, value, Parser::State::Port, to_ascii);
      return;
    case Part::Pathname:
      if (url.has_opaque_path) return;
      url.path.clear();
      return reparse(url, value, Parser::State::PathStart, to_ascii);
    case Part::Search:
      return set_tail(url, url.query, value, '?', Parser::State::Query, to_ascii);
    case Part::Hash:
      return set_tail(url, url.fragment, value, '#', Parser::State::Fragment, to_ascii);
  }
}

}  // namespace rondo::url
