// The WebSocket protocol (RFC 6455) as the inspector's server needs it: the answer to an upgrade, frames in, frames out. Messages are
// text; no extensions. It knows no sockets: bytes in, bytes out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rondo::inspector {

// The value of Sec-WebSocket-Accept for a client's key.
std::string accept_key(std::string_view key);

enum class Opcode : uint8_t { Continuation = 0, Text = 1, Binary = 2, Close = 8, Ping = 9, Pong = 10 };

std::string frame(Opcode opcode, std::string_view payload);
std::string close_frame(uint16_t code);

// Takes a client's bytes as they come and gives whole messages.
class FrameReader {
 public:
  enum class Status : uint8_t {
    NeedsMore,
    Message,  // text() has it
    Ping,  // text() has its payload
    Close,
    Broken,  // close_code() says how
  };

  void add(std::string_view bytes) { input_ += bytes; }
  // The next thing in the bytes so far.
  Status next();
  std::string& text() { return text_; }
  uint16_t close_code() const { return close_code_; }

 private:
  Status fail(uint16_t code) {
    close_code_ = code;
    return Status::Broken;
  }
  Status take_control(Opcode opcode, std::string payload);

  std::string input_;
  size_t at_ = 0;  // of the first byte that has not been read
  std::string message_;  // of fragments so far
  bool is_in_message_ = false;
  std::string text_;
  uint16_t close_code_ = 0;
};

}  // namespace rondo::inspector
