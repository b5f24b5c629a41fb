// Any bytes as requests and as responses, strict and lenient: no crash, views stay within the input, and the same bytes cut in two
// give the same events.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "rondo/http.h"

namespace {

using namespace rondo::http;

void require(bool holds) {
  if (!holds) std::abort();
}

class Run {
 public:
  Run(Kind kind, bool lenient) : parser_(kind, {}, room_) { parser_.set_lenient(lenient); }

  void feed(std::string_view piece) {
    held_ += piece;
    std::string_view input = held_;
    for (Event event = parser_.next(input); event != Event::More; event = parser_.next(input)) {
      if (event == Event::Failed || event == Event::Upgraded || event == Event::Full) {
        over_ = true;
        break;
      }
      note(event);
    }
    held_.erase(0, held_.size() - input.size());
  }
  std::uint64_t finish() {
    const Event event = parser_.finish();
    mix(std::to_string(static_cast<int>(event)) + (parser_.error() == Error::None ? "" : name_of(parser_.error())));
    return hash_;
  }
  bool is_over() const { return over_; }

 private:
  void mix(std::string_view text) {
    for (const char c : text) hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 1099511628211U;
  }
  void note(Event event) {
    if (event == Event::Body) {
      mix(parser_.body());
      return;
    }
    mix(event == Event::Head ? "H" : "E");
    if (event == Event::Head) {
      mix(parser_.target());
      require(parser_.target().data() >= held_.data() &&
              parser_.target().data() + parser_.target().size() <= held_.data() + held_.size());
    }
    for (const Field& field : parser_.fields()) {
      mix(parser_.name(field));
      mix(parser_.value(field));
    }
  }

  std::array<Field, 64> room_;
  Parser parser_;
  std::string held_;
  std::uint64_t hash_ = 14695981039346656037U;
  bool over_ = false;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::size_t cut = data[0];
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  for (const Kind kind : {Kind::Request, Kind::Response}) {
    for (const bool lenient : {false, true}) {
      Run whole(kind, lenient), parts(kind, lenient);
      whole.feed(text);
      parts.feed(text.substr(0, std::min(cut, text.size())));
      parts.feed(text.substr(std::min(cut, text.size())));
      require(whole.finish() == parts.finish());
      require(whole.is_over() == parts.is_over());
    }
  }
  return 0;
}
