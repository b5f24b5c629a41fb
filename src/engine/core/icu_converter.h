// Decoding of legacy encodings by the Unicode library that comes with the engine.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace rondo::engine {

class IcuConverter {
 public:
  // Null when the library does not know the encoding.
  static std::unique_ptr<IcuConverter> open(const std::string& encoding, bool fatal);
  ~IcuConverter();
  IcuConverter(const IcuConverter&) = delete;
  IcuConverter& operator=(const IcuConverter&) = delete;

  // Appends to `out`. False when fatal decoding met invalid data. `flush`: no more input follows.
  bool decode(std::span<const uint8_t> bytes, bool flush, std::u16string& out);

 private:
  explicit IcuConverter(void* converter) : converter_(converter) {}
  void* converter_;
};

}  // namespace rondo::engine
