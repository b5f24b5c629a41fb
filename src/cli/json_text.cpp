// See json_text.h.
#include "cli/json_text.h"

#include <cstdint>

namespace rondo::cli {

namespace {

constexpr int kDeepest = 100;

void append_utf8(std::string& out, uint32_t code) {
  const auto put = [&](uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::optional<JsonValue> whole() {
    JsonValue value;
    if (!read(value, 0)) return std::nullopt;
    skip();
    return at_ == text_.size() ? std::optional(std::move(value)) : std::nullopt;
  }

 private:
  void skip() {
    while (at_ < text_.size() && std::string_view(" \t\n\r").find(text_[at_]) != std::string_view::npos) at_++;
  }
  bool is(char wanted) const { return at_ < text_.size() && text_[at_] == wanted; }
  bool take(char wanted) {
    skip();
    return is(wanted) ? (at_++, true) : false;
  }
  bool take_word(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  bool read(JsonValue& value, int depth) {
    skip();
    if (depth > kDeepest || at_ >= text_.size()) return false;
    using enum JsonValue::Kind;
    switch (text_[at_]) {
      case '{':
        value.kind = Object;
        return read_object(value, depth);
      case '[':
        value.kind = Array;
        return read_array(value, depth);
      case '"':
        value.kind = String;
        return read_string(value.text);
      case 't':
        value.kind = True;
        return take_word("true");
      case 'f':
        value.kind = False;
        return take_word("false");
      case 'n':
        return take_word("null");
      default:
        value.kind = Number;
        return read_number(value.text);
    }
  }

  bool read_object(JsonValue& value, int depth) {
    at_++;
    if (take('}')) return true;
    do {
      skip();
      auto& [name, member] = value.members.emplace_back();
      if (!is('"') || !read_string(name) || !take(':') || !read(member, depth + 1)) return false;
    } while (take(','));
    return take('}');
  }

  bool read_array(JsonValue& value, int depth) {
    at_++;
    if (take(']')) return true;
    do {
      if (!read(value.items.emplace_back(), depth + 1)) return false;
    } while (take(','));
    return take(']');
  }

  bool read_digits() {
    const size_t from = at_;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') at_++;
    return at_ > from;
  }

  bool read_number(std::string& out) {
    const size_t from = at_;
    if (is('-')) at_++;
    if (is('0'))
      at_++;
    else if (!read_digits())
      return false;
    if (is('.') && (at_++, !read_digits())) return false;
    if (is('e') || is('E')) {
      at_++;
      if (is('+') || is('-')) at_++;
      if (!read_digits()) return false;
    }
    out = text_.substr(from, at_ - from);
    return true;
  }

  bool read_hex(uint32_t& code) {
    code = 0;
    for (int i = 0; i < 4; i++, at_++) {
      if (at_ >= text_.size()) return false;
      const char c = text_[at_];
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) return false;
      code = code << 4 | static_cast<uint32_t>(digit);
    }
    return true;
  }

  bool read_escape(std::string& out) {
    constexpr std::string_view kNames = "\"\\/bfnrt", kMeant = "\"\\/\b\f\n\r\t";
    if (at_ >= text_.size()) return false;
    const char name = text_[at_++];
    if (const auto which = kNames.find(name); which != std::string_view::npos)
      return out.push_back(kMeant[which]), true;
    uint32_t code = 0;
    if (name != 'u' || !read_hex(code)) return false;
    if (code >= 0xD800 && code < 0xE000) {  // a pair, or nothing that UTF-8 has
      uint32_t low = 0;
      if (code >= 0xDC00 || !take_word("\\u") || !read_hex(low) || low < 0xDC00 || low > 0xDFFF) return false;
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    append_utf8(out, code);
    return true;
  }

  bool read_string(std::string& out) {
    at_++;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '"') return true;
      if (static_cast<unsigned char>(c) < 0x20) return false;
      if (c != '\\')
        out.push_back(c);
      else if (!read_escape(out))
        return false;
    }
    return false;
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

std::optional<JsonValue> parse_json(std::string_view text) { return Reader(text).whole(); }

}  // namespace rondo::cli
