// Keccak sponges that OpenSSL does not offer as digests: cSHAKE (NIST SP 800-185), TurboSHAKE and KangarooTwelve (RFC 9861).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rondo::modules::crypto {

class Keccak {
 public:
  // `strength` is 128 or 256 bits, `rounds` 24 or 12.
  Keccak(int strength, int rounds) : rate_(200 - static_cast<size_t>(strength) / 4), rounds_(rounds) {}

  void absorb(std::span<const uint8_t> bytes);
  // The rest of the block is zeros.
  void end_block();
  // Ends the input; `domain` tells one use of the sponge from another.
  void squeeze(uint8_t domain, std::span<uint8_t> out);
  size_t rate() const { return rate_; }

 private:
  void permute();
  void put(size_t at, uint8_t byte) { lanes_[at / 8] ^= static_cast<uint64_t>(byte) << (8 * (at % 8)); }

  uint64_t lanes_[25] = {};
  size_t rate_;
  int rounds_;
  size_t at_ = 0;
};

// Without a name and a customization it is SHAKE.
void cshake(int strength, std::span<const uint8_t> name, std::span<const uint8_t> customization,
            std::span<const uint8_t> input, std::span<uint8_t> out);
void turboshake(int strength, uint8_t domain, std::span<const uint8_t> input, std::span<uint8_t> out);
void kangaroo_twelve(int strength, std::span<const uint8_t> customization, std::span<const uint8_t> input,
                     std::span<uint8_t> out);

}  // namespace rondo::modules::crypto
