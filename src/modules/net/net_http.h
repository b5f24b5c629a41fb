// An HTTP parser as JavaScript holds it, and what it reads from. Shared by the files of native('http').
//
// For other servers on this parser (rondo:serve): newParser(), then parser.consume(stream, isResponse, callback); the callback gets each event of
// a piece as described at net_http.cpp's consume. headers(text) and rawHeaders(text) build what is asked for from the head's text.
#pragma once

#include "engine/core/native_object.h"
#include "modules/net/net_handles.h"

#include "rondo/http.h"

#include <string>
#include <vector>

namespace rondo::modules::net {

// Room for the fields of whichever head is being read; a head that comes in parts takes its own along.
struct FieldRoom {
  std::vector<http::Field> fields{128};
};

class HttpParser final : public engine::NativeObject {
 public:
  HttpParser(Runtime& runtime, http::Kind kind, const http::Limits& limits)
      : runtime_(runtime), parser_(kind, limits, {}), began_(runtime.loop().now()) {}

  http::Parser& parser() { return parser_; }
  Runtime& runtime() const { return runtime_; }

  // The received bytes; valid until keep_rest(). Pieces left over from before come first.
  void feed(Bytes piece);
  http::Event next();
  // Copies what has not been taken, for the next piece.
  void keep_rest();
  std::string_view leftover() const { return input_; }
  void drop_rest() {
    held_.clear();
    input_ = {};
  }
  std::string_view piece() const { return piece_; }
  size_t taken() const { return fed_ - input_.size(); }

  // When the message under way began; nothing while there is none. A connection begins with one.
  std::optional<Nanoseconds> began() const { return began_; }
  void forget_age() { began_.reset(); }
  bool has_head() const { return has_head_; }

 private:
  std::span<http::Field> room();

  Runtime& runtime_;
  http::Parser parser_;
  std::string held_;
  std::string_view input_, piece_;
  size_t fed_ = 0;
  std::vector<http::Field> own_;  // fields of a head that is not complete yet
  std::optional<Nanoseconds> began_;
  bool has_head_ = false;
};

extern const std::span<const engine::FunctionSpec> kHttpHeadFunctions;

}  // namespace rondo::modules::net
