#include "text/url_host.h"

#include "text/utf8.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace rondo::url {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

bool is_forbidden_host(char c) {
  return c == '\0' || std::string_view("\t\n\r #/:<>?@[\\]^|").find(c) != std::string_view::npos;
}

bool is_forbidden_domain(char c) {
  return is_forbidden_host(c) || static_cast<uint8_t>(c) <= 0x1f || c == '%' || c == '\x7f';
}

// --- IPv4

// https://url.spec.whatwg.org/#ipv4-number-parser
std::optional<double> parse_ipv4_number(std::string_view text) {
  if (text.empty()) return std::nullopt;
  unsigned radix = 10;
  if (text.size() >= 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    text.remove_prefix(2);
    radix = 16;
  } else if (text.size() >= 2 && text[0] == '0') {
    text.remove_prefix(1);
    radix = 8;
  }
  double value = 0;
  for (char c : text) {
    int digit = hex_value(c);
    if (digit < 0 || static_cast<unsigned>(digit) >= radix) return std::nullopt;
    value = value * radix + digit;
  }
  return value;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  size_t start = 0;
  for (size_t at; (at = text.find(separator, start)) != std::string_view::npos; start = at + 1) {
    parts.push_back(text.substr(start, at - start));
  }
  parts.push_back(text.substr(start));
  return parts;
}

// https://url.spec.whatwg.org/#ends-in-a-number-checker
bool ends_in_number(std::string_view domain) {
  auto parts = split(domain, '.');
  if (parts.back().empty()) {
    if (parts.size() == 1) return false;
    parts.pop_back();
  }
  auto last = parts.back();
  if (!last.empty() && last.find_first_not_of("0123456789") == std::string_view::npos) return true;
  return parse_ipv4_number(last).has_value();
}

// https://url.spec.whatwg.org/#concept-ipv4-parser
std::optional<std::string> parse_ipv4(std::string_view text) {
  auto parts = split(text, '.');
  if (parts.back().empty() && parts.size() > 1) parts.pop_back();
  if (parts.size() > 4) return std::nullopt;
  std::vector<double> numbers;
  for (auto part : parts) {
    auto number = parse_ipv4_number(part);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  for (size_t i = 0; i + 1 < numbers.size(); i++) {
    if (numbers[i] > 255) return std::nullopt;
  }
  if (numbers.back() >= std::pow(256, 5 - static_cast<double>(numbers.size()))) return std::nullopt;
  auto address = static_cast<uint64_t>(numbers.back());
  for (size_t i = 0; i + 1 < numbers.size(); i++) address += static_cast<uint64_t>(numbers[i]) << (8 * (3 - i));
  std::string out;
  for (int shift = 24; shift >= 0; shift -= 8) {
    out += std::to_string(address >> shift & 0xff);
    if (shift > 0) out += '.';
  }
  return out;
}

// --- IPv6

using Pieces = std::array<uint16_t, 8>;

// The dotted tail of an IPv6 address, into two pieces.
bool parse_embedded_ipv4(std::string_view text, size_t& at, Pieces& pieces, int& index) {
  if (index > 6) return false;
  int seen = 0;
  while (at < text.size()) {
    int value = -1;
    if (seen > 0) {
      if (text[at] != '.' || seen >= 4) return false;
      at++;
    }
    if (at >= text.size() || !is_digit(text[at])) return false;
    while (at < text.size() && is_digit(text[at])) {
      int number = text[at] - '0';
      if (value == -1)
        value = number;
      else if (value == 0)
        return false;
      else
        value = value * 10 + number;
      if (value > 255) return false;
      at++;
    }
    auto& piece = pieces[static_cast<size_t>(index)];
    piece = static_cast<uint16_t>(piece * 0x100 + value);
    seen++;
    if (seen == 2 || seen == 4) index++;
  }
  return seen == 4;
}

// https://url.spec.whatwg.org/#concept-ipv6-parser
std::optional<Pieces> parse_ipv6(std::string_view text) {
  Pieces pieces{};
  int index = 0, compress = -1;
  size_t at = 0;
  if (!text.empty() && text[0] == ':') {
    if (text.size() < 2 || text[1] != ':') return std::nullopt;
    at = 2;
    compress = ++index;
  }
  while (at < text.size()) {
    if (index == 8) return std::nullopt;
    if (text[at] == ':') {
      if (compress != -1) return std::nullopt;
      at++;
      compress = ++index;
      continue;
    }
    int value = 0, length = 0;
    while (length < 4 && at < text.size() && hex_value(text[at]) >= 0) {
      value = value * 16 + hex_value(text[at++]);
      length++;
    }
    if (at < text.size() && text[at] == '.') {
      if (length == 0) return std::nullopt;
      at -= static_cast<size_t>(length);
      if (!parse_embedded_ipv4(text, at, pieces, index)) return std::nullopt;
      break;
    }
    if (at < text.size()) {
      if (text[at] != ':') return std::nullopt;
      if (++at == text.size()) return std::nullopt;
    }
    pieces[static_cast<size_t>(index++)] = static_cast<uint16_t>(value);
  }
  if (compress == -1) return index == 8 ? std::optional(pieces) : std::nullopt;
  for (int swaps = index - compress, i = 7; i != 0 && swaps > 0; i--, swaps--) {
    std::swap(pieces[static_cast<size_t>(i)], pieces[static_cast<size_t>(compress + swaps - 1)]);
  }
  return pieces;
}

// https://url.spec.whatwg.org/#concept-ipv6-serializer
std::string serialize_ipv6(const Pieces& pieces) {
  size_t best = 8, best_length = 1;
  for (size_t i = 0; i < 8;) {
    size_t end = i;
    while (end < 8 && pieces[end] == 0) end++;
    if (end - i > best_length) {
      best = i;
      best_length = end - i;
    }
    i = end + 1;
  }
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out = "[";
  for (size_t i = 0; i < 8; i++) {
    if (i == best) {
      out += i == 0 ? "::" : ":";
      i += best_length - 1;
      continue;
    }
    bool started = false;
    for (int shift = 12; shift >= 0; shift -= 4) {
      unsigned digit = pieces[i] >> shift & 15u;
      if (digit == 0 && !started && shift > 0) continue;
      started = true;
      out += kDigits[digit];
    }
    if (i < 7) out += ':';
  }
  return out + ']';
}

// https://url.spec.whatwg.org/#concept-opaque-host-parser
std::optional<std::string> parse_opaque_host(std::string_view input) {
  std::string out;
  for (char c : input) {
    if (is_forbidden_host(c)) return std::nullopt;
    append_encoded(out, static_cast<uint8_t>(c), EncodeSet::C0Control);
  }
  return out;
}

// --- Punycode (RFC 3492), decoding only

std::optional<std::u32string> decode_punycode(std::string_view text) {
  constexpr uint32_t kBase = 36, kMin = 1, kMax = 26, kSkew = 38, kDamp = 700;
  std::u32string out;
  size_t delimiter = text.rfind('-');
  if (delimiter != std::string_view::npos) {
    for (char c : text.substr(0, delimiter)) out += static_cast<char32_t>(static_cast<uint8_t>(c));
    text.remove_prefix(delimiter + 1);
  }
  uint64_t code = 128, position = 0, bias = 72;
  for (size_t at = 0; at < text.size();) {
    uint64_t start = position, weight = 1;
    for (uint64_t k = kBase;; k += kBase) {
      if (at >= text.size()) return std::nullopt;
      char c = to_lower(text[at++]);
      uint64_t digit = is_digit(c) ? static_cast<uint64_t>(c - '0' + 26) : static_cast<uint64_t>(c - 'a');
      if (!is_digit(c) && (c < 'a' || c > 'z')) return std::nullopt;
      position += digit * weight;
      if (position > 0xffffffff) return std::nullopt;
      uint64_t threshold = k <= bias ? kMin : k >= bias + kMax ? kMax : k - bias;
      if (digit < threshold) break;
      weight *= kBase - threshold;
      if (weight > 0xffffffff) return std::nullopt;
    }
    uint64_t count = out.size() + 1;
    uint64_t delta = (position - start) / (start == 0 ? kDamp : 2);
    delta += delta / count;
    uint64_t k = 0;
    for (; delta > (kBase - kMin) * kMax / 2; k += kBase) delta /= kBase - kMin;
    bias = k + (kBase - kMin + 1) * delta / (delta + kSkew);
    code += position / count;
    position %= count;
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return std::nullopt;
    out.insert(out.begin() + static_cast<std::ptrdiff_t>(position++), static_cast<char32_t>(code));
  }
  return out;
}

void append_utf8(std::string& out, char32_t code) {
  char16_t units[2];
  size_t count = 1;
  if (code >= 0x10000) {
    units[0] = static_cast<char16_t>(0xd7c0 + (code >> 10));
    units[1] = static_cast<char16_t>(0xdc00 + (code & 0x3ff));
    count = 2;
  } else {
    units[0] = static_cast<char16_t>(code);
  }
  uint8_t bytes[4];
  size_t size = utf8::encode({units, count}, bytes);
  out.append(reinterpret_cast<const char*>(bytes), size);
}

}  // namespace

bool is_in(EncodeSet set, uint8_t byte) {
  if (byte <= 0x1f || byte >= 0x7f) return true;
  auto one_of = [byte](std::string_view characters) {
    return characters.find(static_cast<char>(byte)) != std::string_view::npos;
  };
  switch (set) {
    case EncodeSet::C0Control:
      return false;
    case EncodeSet::Fragment:
      return one_of(" \"<>`");
    case EncodeSet::Query:
      return one_of(" \"#<>");
    case EncodeSet::SpecialQuery:
      return one_of(" \"#<>'");
    case EncodeSet::Path:
      return one_of(" \"#<>?^`{}");
    case EncodeSet::UserInfo:
      return one_of(" \"#<>?^`{}/:;=@[\\]|");
  }
  return false;
}

void append_encoded(std::string& out, uint8_t byte, EncodeSet set) {
  if (!is_in(set, byte)) {
    out += static_cast<char>(byte);
    return;
  }
  constexpr char kDigits[] = "0123456789ABCDEF";
  out += '%';
  out += kDigits[byte >> 4];
  out += kDigits[byte & 15];
}

std::string percent_decode(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); i++) {
    if (text[i] == '%' && i + 2 < text.size() && hex_value(text[i + 1]) >= 0 && hex_value(text[i + 2]) >= 0) {
      out += static_cast<char>(hex_value(text[i + 1]) << 4 | hex_value(text[i + 2]));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::optional<std::string> domain_to_ascii(std::string_view domain, const DomainToAscii& to_ascii) {
  std::optional<std::string> mapped;
  if (std::ranges::all_of(domain, [](char c) { return static_cast<uint8_t>(c) < 0x80; })) {
    // ASCII is only made lower case: xn-- labels are taken as they are.
    mapped.emplace(domain);
    for (char& c : *mapped) c = to_lower(c);
  } else if (utf8::is_valid({reinterpret_cast<const uint8_t*>(domain.data()), domain.size()})) {
    mapped = to_ascii(domain);
  }
  if (!mapped || mapped->empty()) return std::nullopt;
  for (char c : *mapped) {
    if (is_forbidden_domain(c)) return std::nullopt;
  }
  return mapped;
}

std::optional<std::string> parse_host(std::string_view input, bool is_opaque, const DomainToAscii& to_ascii) {
  if (!input.empty() && input[0] == '[') {
    if (input.back() != ']') return std::nullopt;
    auto pieces = parse_ipv6(input.substr(1, input.size() - 2));
    if (!pieces) return std::nullopt;
    return serialize_ipv6(*pieces);
  }
  if (is_opaque) return parse_opaque_host(input);
  auto domain = domain_to_ascii(percent_decode(input), to_ascii);
  if (!domain) return std::nullopt;
  return ends_in_number(*domain) ? parse_ipv4(*domain) : domain;
}

std::string domain_to_unicode(std::string_view ascii_domain) {
  std::string out;
  bool first = true;
  for (auto label : split(ascii_domain, '.')) {
    if (!first) out += '.';
    first = false;
    std::optional<std::u32string> decoded;
    if (label.starts_with("xn--")) decoded = decode_punycode(label.substr(4));
    if (!decoded || decoded->empty()) {
      out += label;
      continue;
    }
    for (char32_t code : *decoded) append_utf8(out, code);
  }
  return out;
}

}  // namespace rondo::url
