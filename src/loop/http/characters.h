// Which characters may stand where in a message. Used by the files of src/loop/http.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace rondo::http {

using Table = std::array<bool, 256>;

constexpr Table table_of(std::string_view others, bool high) {
  Table table{};
  for (int c = 0; c < 256; c++) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    table[static_cast<std::size_t>(c)] = letter || (high && c >= 0x80);
  }
  for (const char c : others) table[static_cast<unsigned char>(c)] = true;
  return table;
}

inline constexpr Table kToken = table_of("!#$%&'*+-.^_`|~", false);
// The host part of an absolute target, with a user.
inline constexpr Table kServer = table_of("-_.!~*'()%;:&=+$,@[]", false);

constexpr bool is_in(const Table& table, char c) { return table[static_cast<unsigned char>(c)]; }
constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

// `word` is in lower case.
constexpr bool is_word(std::string_view text, std::string_view word) {
  if (text.size() != word.size()) return false;
  for (std::size_t i = 0; i < text.size(); i++)
    if (lower(text[i]) != word[i]) return false;
  return true;
}

constexpr std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// Calls `use(item)` for each part between commas, without blanks around; stops when it returns false, and then returns false.
template <class Use>
bool each_item(std::string_view list, Use use) {
  while (true) {
    const std::size_t comma = list.find(',');
    if (!use(trimmed(list.substr(0, comma)))) return false;
    if (comma == std::string_view::npos) return true;
    list.remove_prefix(comma + 1);
  }
}

// The first byte that may not be in a value: a control character other than HTAB. Eight bytes at a time.
inline const char* find_control(const char* at, const char* end) {
  constexpr std::uint64_t kOnes = 0x0101010101010101U, kHigh = kOnes * 0x80U;
  const auto is_control = [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f; };
  for (; end - at >= 8; at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    const std::uint64_t low = (word - kOnes * 0x20U) & ~word;
    const std::uint64_t del = word ^ kOnes * 0x7fU;
    if (((low | ((del - kOnes) & ~del)) & kHigh) == 0) continue;
    for (int i = 0; i < 8; i++)
      if (is_control(at[i])) return at + i;
  }
  for (; at != end; at++)
    if (is_control(*at)) return at;
  return nullptr;
}

}  // namespace rondo::http
