// Decoders of the Encoding Standard's legacy encodings, for native('encoding'). What the engine's Unicode library does as the Standard
// says is left to it; single bytes and gb18030, where it is older than the Standard, are read here.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace rondo::modules {

class LegacyDecoder {
 public:
  // Null when there is no such encoding.
  static std::unique_ptr<LegacyDecoder> open(const std::string& encoding, bool fatal);
  LegacyDecoder() = default;
  LegacyDecoder(const LegacyDecoder&) = delete;
  LegacyDecoder& operator=(const LegacyDecoder&) = delete;
  virtual ~LegacyDecoder() = default;

  // Appends to `out`. False when fatal decoding met invalid data. `flush`: no more input follows.
  virtual bool decode(std::span<const uint8_t> bytes, bool flush, std::u16string& out) = 0;
};

}  // namespace rondo::modules
