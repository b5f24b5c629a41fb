// Keccak functions that OpenSSL does not offer: cSHAKE (NIST SP 800-185), TurboSHAKE and KangarooTwelve (RFC 9861), and, for ML-KEM and
// ML-DSA, SHA-3 and SHAKE (FIPS 202) whose output is taken in pieces. The destructor wipes the sponge's state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace rondo::modules::crypto {

class Keccak {
 public:
  // `strength` is half the capacity in bits: 128, 256 or 512; `rounds` 24 or 12.
  Keccak(int strength, int rounds) : rate_(200 - static_cast<size_t>(strength) / 4), rounds_(rounds) {}
  ~Keccak();
  Keccak(const Keccak&) = delete;
  Keccak& operator=(const Keccak&) = delete;

  void absorb(std::span<const uint8_t> bytes);
  // The rest of the block is zeros.
  void end_block();
  // Ends the input; `domain` tells one use of the sponge from another.
  void finish(uint8_t domain);
  // The next bytes of the output, once the input has ended.
  void read(std::span<uint8_t> out);
  // Both.
  void squeeze(uint8_t domain, std::span<uint8_t> out) {
    finish(domain);
    read(out);
  }
  size_t rate() const { return rate_; }

 private:
  void permute();
  void put(size_t at, uint8_t byte) { lanes_[at / 8] ^= static_cast<uint64_t>(byte) << (8 * (at % 8)); }

  uint64_t lanes_[25] = {};
  size_t rate_;
  int rounds_;
  size_t at_ = 0;
};

constexpr uint8_t kSha3Domain = 0x06, kShakeDomain = 0x1f;
// The hash of several pieces one after the other. `strength`: 256 or 512 for SHA-3, 128 or 256 for SHAKE.
void sha3(int strength, std::initializer_list<std::span<const uint8_t>> pieces, std::span<uint8_t> out);
void shake(int strength, std::initializer_list<std::span<const uint8_t>> pieces, std::span<uint8_t> out);

// Without a name and a customization it is SHAKE.
void cshake(int strength, std::span<const uint8_t> name, std::span<const uint8_t> customization,
            std::span<const uint8_t> input, std::span<uint8_t> out);
void turboshake(int strength, uint8_t domain, std::span<const uint8_t> input, std::span<uint8_t> out);
void kangaroo_twelve(int strength, std::span<const uint8_t> customization, std::span<const uint8_t> input,
                     std::span<uint8_t> out);

}  // namespace rondo::modules::crypto
