// See websocket.h.
#include "inspector/websocket.h"

#include "text/base64.h"

#include <openssl/sha.h>

namespace rondo::inspector {

namespace {

constexpr std::string_view kKeySuffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
constexpr size_t kLargestMessage = size_t{256} << 20;
constexpr size_t kLargestControl = 125;
constexpr uint16_t kProtocolError = 1002, kUnsupportedData = 1003, kTooLarge = 1009;
constexpr uint8_t kFinal = 0x80, kReserved = 0x70, kMasked = 0x80;
constexpr uint8_t kLength16 = 126, kLength64 = 127;

uint64_t big_endian(std::string_view bytes) {
  uint64_t value = 0;
  for (char byte : bytes) value = value << 8 | static_cast<uint8_t>(byte);
  return value;
}

}  // namespace

std::string accept_key(std::string_view key) {
  const std::string text = std::string(key) + std::string(kKeySuffix);
  uint8_t digest[SHA_DIGEST_LENGTH];
  SHA1(reinterpret_cast<const uint8_t*>(text.data()), text.size(), digest);
  std::string encoded(base64::encoded_size(sizeof digest, base64::Alphabet::Standard), '\0');
  base64::encode(digest, base64::Alphabet::Standard, reinterpret_cast<uint8_t*>(encoded.data()));
  return encoded;
}

std::string frame(Opcode opcode, std::string_view payload) {
  std::string bytes(1, static_cast<char>(kFinal | static_cast<uint8_t>(opcode)));
  const uint64_t size = payload.size();
  int length_bytes = 0;
  if (size < kLength16) {
    bytes += static_cast<char>(size);
  } else {
    length_bytes = size <= UINT16_MAX ? 2 : 8;
    bytes += static_cast<char>(length_bytes == 2 ? kLength16 : kLength64);
  }
  for (int shift = (length_bytes - 1) * 8; shift >= 0; shift -= 8) bytes += static_cast<char>(size >> shift & 0xff);
  return bytes.append(payload);
}

std::string close_frame(uint16_t code) {
  return frame(Opcode::Close, std::string{static_cast<char>(code >> 8), static_cast<char>(code & 0xff)});
}

FrameReader::Status FrameReader::take_control(Opcode opcode, std::string payload) {
  text_ = std::move(payload);
  if (opcode == Opcode::Ping) return Status::Ping;
  if (opcode == Opcode::Close) return Status::Close;
  return next();  // a pong says nothing
}

FrameReader::Status FrameReader::next() {
  const auto input = std::string_view(input_).substr(at_);
  if (input.size() < 2) return Status::NeedsMore;
  const auto first = static_cast<uint8_t>(input[0]), second = static_cast<uint8_t>(input[1]);
  const auto opcode = static_cast<Opcode>(first & 0x0f);
  const bool is_final = first & kFinal;
  if ((first & kReserved) || !(second & kMasked)) return fail(kProtocolError);
  uint64_t size = second & 0x7f;
  const bool is_control = static_cast<uint8_t>(opcode) >= static_cast<uint8_t>(Opcode::Close);
  if (is_control && (!is_final || size > kLargestControl)) return fail(kProtocolError);
  const size_t length_bytes = size == kLength16 ? 2 : size == kLength64 ? 8 : 0;
  constexpr size_t kMaskSize = 4;
  const size_t head = 2 + length_bytes + kMaskSize;
  if (input.size() < head) return Status::NeedsMore;
  if (length_bytes) size = big_endian(input.substr(2, length_bytes));
  if (size > kLargestMessage || message_.size() + size > kLargestMessage) return fail(kTooLarge);
  if (input.size() - head < size) return Status::NeedsMore;
  const auto mask = input.substr(head - kMaskSize, kMaskSize);
  std::string payload(input.substr(head, size));
  for (size_t i = 0; i < payload.size(); i++) payload[i] = static_cast<char>(payload[i] ^ mask[i % kMaskSize]);
  at_ += head + size;
  if (at_ == input_.size()) {
    input_.clear();
    at_ = 0;
  }
  if (is_control) return take_control(opcode, std::move(payload));
  if (opcode == Opcode::Binary) return fail(kUnsupportedData);
  if ((opcode == Opcode::Continuation) != is_in_message_) return fail(kProtocolError);
  if (opcode != Opcode::Continuation && opcode != Opcode::Text) return fail(kProtocolError);
  message_ += payload;
  is_in_message_ = !is_final;
  if (!is_final) return next();
  text_ = std::move(message_);
  message_.clear();
  return Status::Message;
}

}  // namespace rondo::inspector
