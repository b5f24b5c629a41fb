// new Date(text) and Date.parse for the texts that Node understands. The engine's own parser knows the format of the Standard and a few
// more; programs also have '2024-5-3', '5-3-2024', '3 May 2024 5:07 PM GMT+2'. The linker sends the engine's calls of its parser here
// (--wrap, see cmake/engine.cmake), so it holds in every realm.
//
//  D1  the format of the Standard: date alone is UTC, date and time without zone is local
//  D2  otherwise numbers, words and signs in any order: `n:` belongs to the time; a sign behind a time, or behind UTC, begins an offset;
//      other numbers are the date, missing ones are 1; year, month, day when the first is no day, else month, day, year
//  D3  of a word the first three letters count; before the first number any word may stand, behind it only known ones
//  D4  what stands in parentheses is left out
#include "engine/core/jsc.h"

#include <JavaScriptCore/JSDateMath.h>
#include <wtf/DateMath.h>
#include <wtf/GregorianDateTime.h>

#include <optional>

namespace {

using WTF::StringView;

constexpr int kNone = INT_MAX;

struct Token {
  enum class Kind : uint8_t { End, Number, Word, Space, Sign } kind = Kind::End;
  UChar symbol = 0;  // of a sign
  int value = 0;  // of a number; past nine digits only the first nine count
  unsigned length = 0;
  unsigned from = 0;
};

class Tokens {
 public:
  explicit Tokens(StringView text) : text_(text) { read(); }

  const Token& peek() const { return token_; }
  bool at(UChar symbol) const { return token_.kind == Token::Kind::Sign && token_.symbol == symbol; }
  bool at_number(unsigned length = 0) const {
    return token_.kind == Token::Kind::Number && (length == 0 || token_.length == length);
  }
  bool at_end() const { return token_.kind == Token::Kind::End; }
  Token next() {
    Token taken = token_;
    read();
    return taken;
  }
  bool skip(UChar symbol) {
    if (!at(symbol)) return false;
    read();
    return true;
  }
  void go_to(unsigned position) {
    at_ = position;
    read();
  }
  // From behind an opening parenthesis to behind the one that closes it.
  void skip_parentheses() {
    for (int depth = 1; depth > 0 && !at_end();) {
      if (at('(')) depth++;
      if (at(')')) depth--;
      read();
    }
  }
  // Three letters in lower case, zeros where a word is shorter.
  std::array<char, 3> prefix(const Token& word) const {
    std::array<char, 3> letters{};
    for (unsigned i = 0; i < 3 && i < word.length; i++)
      letters[i] = static_cast<char>(WTF::toASCIILower(text_[word.from + i]));
    return letters;
  }
  // Thousandths: the first three digits count.
  int thousandths(const Token& number) const {
    int value = 0;
    for (unsigned i = 0; i < 3; i++) value = value * 10 + (i < number.length ? text_[number.from + i] - '0' : 0);
    return value;
  }

 private:
  void read() {
    token_ = {.from = at_};
    if (at_ >= text_.length()) return;
    UChar c = text_[at_];
    auto run = [&](Token::Kind kind, auto belongs) {
      token_.kind = kind;
      while (at_ < text_.length() && belongs(text_[at_])) at_++;
      token_.length = at_ - token_.from;
    };
    if (WTF::isASCIIDigit(c)) {
      run(Token::Kind::Number, [](UChar c) { return WTF::isASCIIDigit(c); });
      unsigned from = token_.from;
      while (from + 1 < at_ && text_[from] == '0') from++;
      for (unsigned i = from; i < at_ && i < from + 9; i++) token_.value = token_.value * 10 + (text_[i] - '0');
    } else if (is_space(c)) {
      run(Token::Kind::Space, is_space);
    } else if (c >= 'A') {
      run(Token::Kind::Word, [](UChar c) { return c >= 'A' && !is_space(c); });
    } else {
      token_.kind = Token::Kind::Sign;
      token_.symbol = c;
      token_.length = 1;
      at_++;
    }
  }
  static bool is_space(UChar c) {
    return WTF::isASCIIWhitespace(c) || c == '\v' || c == 0xa0 || c == 0xfeff || c == 0x202f;
  }

  StringView text_;
  unsigned at_ = 0;
  Token token_;
};

struct Word {
  std::array<char, 3> letters;
  enum class Kind : uint8_t { Month, HalfDay, Zone, TimeMark } kind;
  int value;  // month from 1, hours added, hours east of UTC
};

constexpr Word kWords[] = {
    {{'j', 'a', 'n'}, Word::Kind::Month, 1},      {{'f', 'e', 'b'}, Word::Kind::Month, 2},
    {{'m', 'a', 'r'}, Word::Kind::Month, 3},      {{'a', 'p', 'r'}, Word::Kind::Month, 4},
    {{'m', 'a', 'y'}, Word::Kind::Month, 5},      {{'j', 'u', 'n'}, Word::Kind::Month, 6},
    {{'j', 'u', 'l'}, Word::Kind::Month, 7},      {{'a', 'u', 'g'}, Word::Kind::Month, 8},
    {{'s', 'e', 'p'}, Word::Kind::Month, 9},      {{'o', 'c', 't'}, Word::Kind::Month, 10},
    {{'n', 'o', 'v'}, Word::Kind::Month, 11},     {{'d', 'e', 'c'}, Word::Kind::Month, 12},
    {{'a', 'm', '\0'}, Word::Kind::HalfDay, 0},   {{'p', 'm', '\0'}, Word::Kind::HalfDay, 12},
    {{'u', 't', '\0'}, Word::Kind::Zone, 0},      {{'u', 't', 'c'}, Word::Kind::Zone, 0},
    {{'z', '\0', '\0'}, Word::Kind::Zone, 0},     {{'g', 'm', 't'}, Word::Kind::Zone, 0},
    {{'c', 'd', 't'}, Word::Kind::Zone, -5},      {{'c', 's', 't'}, Word::Kind::Zone, -6},
    {{'e', 'd', 't'}, Word::Kind::Zone, -4},      {{'e', 's', 't'}, Word::Kind::Zone, -5},
    {{'m', 'd', 't'}, Word::Kind::Zone, -6},      {{'m', 's', 't'}, Word::Kind::Zone, -7},
    {{'p', 'd', 't'}, Word::Kind::Zone, -7},      {{'p', 's', 't'}, Word::Kind::Zone, -8},
    {{'t', '\0', '\0'}, Word::Kind::TimeMark, 0},
};

const Word* known_word(const Tokens& in, const Token& word) {
  auto letters = in.prefix(word);
  for (const auto& known : kWords) {
    // Only months may be longer than what counts.
    if (known.letters == letters && (known.kind == Word::Kind::Month || word.length <= 3)) return &known;
  }
  return nullptr;
}

class DateText {
 public:
  explicit DateText(StringView text) : in_(text) {}

  bool parse() {
    if (standard()) return true;
    if (is_refused_) return false;
    return loose();
  }

  // Milliseconds since 1970; NaN when a part is out of its range.
  double value(JSC::DateCache& cache) const {
    int year, month, day;
    if (!date(year, month, day)) return std::nan("");
    int hour = clock_[0], minute = clock_[1], second = clock_[2], milliseconds = clock_[3];
    if (half_day_ != kNone) {
      if (hour < 0 || hour > 12) return std::nan("");
      hour = hour % 12 + half_day_;
    }
    const bool is_midnight = hour == 24 && minute == 0 && second == 0 && milliseconds == 0;
    if (((hour > 23 || minute > 59 || second > 59) && !is_midnight) || milliseconds > 999) return std::nan("");
    if (has_zone()) {
      double days = WTF::dateToDaysFrom1970(year, month - 1, day);
      double minutes = (hour * 60.0 + minute) - zone_minutes();
      return days * WTF::msPerDay + minutes * WTF::msPerMinute + second * WTF::msPerSecond + milliseconds;
    }
    WTF::GregorianDateTime time;
    time.setYear(year);
    time.setMonth(month - 1);
    time.setMonthDay(day);
    time.setHour(hour);
    time.setMinute(minute);
    time.setSecond(second);
    return cache.gregorianDateTimeToMS(time, milliseconds, WTF::LocalTime);
  }

 private:
  bool has_zone() const { return zone_sign_ != 0; }
  int zone_minutes() const {
    return zone_sign_ * ((zone_hour_ == kNone ? 0 : zone_hour_) * 60 + (zone_minute_ == kNone ? 0 : zone_minute_));
  }
  void set_utc() { set_zone(0); }
  void set_zone(int hours) {
    zone_sign_ = hours < 0 ? -1 : 1;
    zone_hour_ = std::abs(hours);
    zone_minute_ = 0;
  }
  bool is_utc() const { return has_zone() && zone_hour_ == 0 && zone_minute_ == 0; }

  bool add_date(int number) {
    if (dates_ == 3) return false;
    date_[dates_++] = number;
    return true;
  }
  bool add_clock(int number) {
    if (clocks_ == 4) return false;
    clock_[clocks_++] = number;
    return true;
  }
  void end_clock(int number) {
    add_clock(number);
    clocks_ = 4;
  }
  // Whether `number` would be the next part of a time that has begun.
  bool clock_expects(int number) const {
    return (clocks_ == 1 && number >= 0 && number < 60) || (clocks_ == 2 && number >= 0 && number < 60) ||
           (clocks_ == 3 && number >= 0 && number < 1000);
  }

  // D1. Text after a whole date or date and time is left to loose(), which goes on from there.
  bool standard() {
    if (in_.at('+') || in_.at('-')) {
      const UChar sign = in_.next().symbol;
      if (!in_.at_number(6)) {
        in_.go_to(0);
        return false;
      }
      const int year = in_.next().value;
      if (sign == '-' && year == 0) return false;
      date_[0] = sign == '-' ? -year : year;
    } else if (in_.at_number(4)) {
      date_[0] = in_.next().value;
    } else {
      return false;
    }
    dates_ = 1;
    for (int most : {12, 31}) {
      if (!in_.at('-')) break;
      const unsigned back = in_.peek().from;
      in_.next();
      if (!in_.at_number(2) || in_.peek().value < 1 || in_.peek().value > most) {
        in_.go_to(back);
        break;
      }
      date_[dates_++] = in_.next().value;
    }
    if (in_.at_end()) return end_standard(true);
    if (in_.peek().kind == Token::Kind::Word && in_.peek().length == 1 && in_.prefix(in_.peek())[0] == 't')
      return standard_time();
    // A date the Standard does not end here: its numbers are the first ones of a loose date.
    if (in_.at('-')) in_.next();
    return false;
  }

  bool standard_time() {
    in_.next();
    if (!in_.at_number(2) || in_.peek().value > 24) return refuse();
    const bool is_24 = in_.peek().value == 24;
    add_clock(in_.next().value);
    if (!in_.skip(':') || !two_digits(is_24)) return refuse();
    if (in_.skip(':')) {
      if (!two_digits(is_24)) return refuse();
      if (in_.skip('.')) {
        if (!in_.at_number()) return refuse();
        const int fraction = in_.thousandths(in_.next());
        if (is_24 && fraction > 0) return refuse();
        add_clock(fraction);
      }
    }
    clocks_ = 4;
    if (in_.peek().kind == Token::Kind::Word && in_.peek().length == 1 && in_.prefix(in_.peek())[0] == 'z') {
      in_.next();
      set_utc();
    } else if (in_.at('+') || in_.at('-')) {
      zone_sign_ = in_.next().symbol == '+' ? 1 : -1;
      if (in_.at_number(4)) {
        const int both = in_.next().value;
        if (both / 100 > 23 || both % 100 > 59) return refuse();
        zone_hour_ = both / 100;
        zone_minute_ = both % 100;
      } else {
        if (!in_.at_number(2) || in_.peek().value > 23) return refuse();
        zone_hour_ = in_.next().value;
        if (!in_.skip(':') || !in_.at_number(2) || in_.peek().value > 59) return refuse();
        zone_minute_ = in_.next().value;
      }
    }
    if (!in_.at_end()) return refuse();
    return end_standard(false);
  }

  bool two_digits(bool must_be_zero) {
    if (!in_.at_number(2) || in_.peek().value > (must_be_zero ? 0 : 59)) return false;
    add_clock(in_.next().value);
    return true;
  }

  bool end_standard(bool is_date_alone) {
    is_standard_ = true;
    if (is_date_alone) set_utc();
    return true;
  }

  bool refuse() {
    is_refused_ = true;
    return false;
  }

  // D2.
  bool loose() {
    bool has_number = dates_ > 0;
    while (!in_.at_end()) {
      Token token = in_.next();
      switch (token.kind) {
        case Token::Kind::Number:
          has_number = true;
          if (!loose_number(token)) return false;
          break;
        case Token::Kind::Word:
          if (!loose_word(token, has_number)) return false;
          break;
        case Token::Kind::Sign:
          if (!loose_sign(token, has_number)) return false;
          break;
        default:
          break;
      }
    }
    return true;
  }

  bool loose_number(const Token& token) {
    const int number = token.value;
    if (in_.skip(':')) {
      if (in_.skip(':')) {
        if (clocks_ > 0) return false;
        return add_clock(number) && add_clock(0);
      }
      if (!add_clock(number)) return false;
      in_.skip('.');
      return true;
    }
    if (in_.at('.') && clock_expects(number)) {
      in_.next();
      add_clock(number);
      if (!in_.at_number()) return false;
      end_clock(in_.thousandths(in_.next()));
      return true;
    }
    if (zone_hour_ != kNone && zone_minute_ == kNone) {
      if (number > 59) return false;
      zone_minute_ = number;
      return true;
    }
    if (clock_expects(number)) {
      end_clock(number);
      return ends_clock();
    }
    if (!add_date(number)) return false;
    in_.skip('-');
    return true;
  }

  bool ends_clock() const {
    const auto& next = in_.peek();
    const bool is_zulu = next.kind == Token::Kind::Word && next.length == 1 && in_.prefix(next)[0] == 'z';
    return in_.at_end() || next.kind == Token::Kind::Space || is_zulu || in_.at('+') || in_.at('-');
  }

  // D3.
  bool loose_word(const Token& token, bool has_number) {
    const Word* word = known_word(in_, token);
    if (word && word->kind == Word::Kind::HalfDay && clocks_ > 0) {
      half_day_ = word->value;
      return true;
    }
    if (word && word->kind == Word::Kind::Month) {
      named_month_ = word->value;
      in_.skip('-');
      return true;
    }
    if (word && word->kind == Word::Kind::Zone && has_number) {
      set_zone(word->value);
      return true;
    }
    return !has_number && !in_.at_number();
  }

  bool loose_sign(const Token& token, bool& has_number) {
    const bool is_sign = token.symbol == '+' || token.symbol == '-';
    if (is_sign && (is_utc() || clocks_ > 0)) {
      zone_sign_ = token.symbol == '+' ? 1 : -1;
      Token number;
      if (in_.at_number()) number = in_.next();
      has_number = true;
      if (in_.skip(':')) {
        zone_hour_ = number.value;
        zone_minute_ = kNone;
      } else if (number.length == 1 || number.length == 2) {
        zone_hour_ = number.value;
        zone_minute_ = 0;
      } else if (number.length == 3 || number.length == 4) {
        zone_hour_ = number.value / 100;
        zone_minute_ = number.value % 100;
      } else {
        return false;
      }
      return true;
    }
    if ((is_sign || token.symbol == ')') && has_number) return false;
    if (token.symbol == '(') in_.skip_parentheses();  // D4
    return true;
  }

  bool date(int& year, int& month, int& day) const {
    if (dates_ == 0) return false;
    const int first = date_[0], second = dates_ > 1 ? date_[1] : 1, third = dates_ > 2 ? date_[2] : 1;
    auto is_day = [](int n) { return n >= 1 && n <= 31; };
    const bool is_year_first = is_standard_ || !is_day(first);
    if (named_month_ != kNone) {
      year = is_year_first ? first : second;
      month = named_month_;
      day = is_year_first ? second : first;
    } else {
      year = is_year_first ? first : third;
      month = is_year_first ? second : first;
      day = is_year_first ? third : second;
    }
    if (!is_standard_) {
      if (year >= 0 && year <= 49) year += 2000;
      if (year >= 50 && year <= 99) year += 1900;
    }
    return month >= 1 && month <= 12 && is_day(day);
  }

  Tokens in_;
  bool is_standard_ = false;
  bool is_refused_ = false;
  int date_[3] = {};
  int dates_ = 0;
  int named_month_ = kNone;
  int clock_[4] = {};
  int clocks_ = 0;
  int half_day_ = kNone;
  int zone_sign_ = 0;
  int zone_hour_ = kNone;
  int zone_minute_ = kNone;
};

}  // namespace

double wrap_parse_date(JSC::DateCache* cache, JSC::JSGlobalObject* realm, JSC::VM& vm, const WTF::String& text) asm(
    "__wrap__ZN3JSC9DateCache9parseDateEPNS_14JSGlobalObjectERNS_2VMERKN3WTF6StringE");
double wrap_parse_date(JSC::DateCache* cache, JSC::JSGlobalObject*, JSC::VM&, const WTF::String& text) {
  DateText date{StringView(text)};
  return date.parse() ? WTF::timeClip(date.value(*cache)) : std::nan("");
}
