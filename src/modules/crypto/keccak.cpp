// See keccak.h.
#include "modules/crypto/keccak.h"

#include <openssl/crypto.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace rondo::modules::crypto {

// Lanes are little-endian numbers, and are copied as such.
static_assert(std::endian::native == std::endian::little);

namespace {

constexpr uint64_t kRoundConstants[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b,
    0x0000000080000001, 0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088,
    0x0000000080008009, 0x000000008000000a, 0x000000008000808b, 0x800000000000008b, 0x8000000000008089,
    0x8000000000008003, 0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008};
// Where each lane goes (pi) and by how much it turns (rho).
constexpr int kTargets[25] = {0, 10, 20, 5, 15, 16, 1, 11, 21, 6, 7, 17, 2, 12, 22, 23, 8, 18, 3, 13, 14, 24, 9, 19, 4};
constexpr int kRotations[25] = {0,  1,  62, 28, 27, 36, 44, 6,  55, 20, 3,  10, 43,
                                25, 39, 41, 45, 15, 21, 8,  18, 2,  61, 56, 14};

// A number with its length in bytes in front, as SP 800-185 wants it.
void left_encode(Keccak& sponge, uint64_t number) {
  uint8_t bytes[9];
  size_t size = 1;
  while (size < 8 && (number >> (8 * size)) != 0) size++;
  bytes[0] = static_cast<uint8_t>(size);
  for (size_t i = 0; i < size; i++) bytes[1 + i] = static_cast<uint8_t>(number >> (8 * (size - 1 - i)));
  sponge.absorb({bytes, size + 1});
}

void absorb_text(Keccak& sponge, std::span<const uint8_t> text) {
  left_encode(sponge, text.size() * 8);
  sponge.absorb(text);
}

// A number with its length in bytes behind, without leading zeros: zero is the one byte 0.
void append_length(std::vector<uint8_t>& out, uint64_t number) {
  size_t size = 0;
  while (size < 8 && (number >> (8 * size)) != 0) size++;
  for (size_t i = size; i-- > 0;) out.push_back(static_cast<uint8_t>(number >> (8 * i)));
  out.push_back(static_cast<uint8_t>(size));
}

}  // namespace

Keccak::~Keccak() { OPENSSL_cleanse(lanes_, sizeof(lanes_)); }

// The loops are unrolled so that the lanes stay in registers.
void Keccak::permute() {
  uint64_t lanes[25], moved[25], columns[5];
  std::copy_n(lanes_, 25, lanes);
  for (int round = 24 - rounds_; round < 24; round++) {
#pragma clang loop unroll(full)
    for (int x = 0; x < 5; x++) columns[x] = lanes[x] ^ lanes[x + 5] ^ lanes[x + 10] ^ lanes[x + 15] ^ lanes[x + 20];
#pragma clang loop unroll(full)
    for (int i = 0; i < 25; i++) {
      const uint64_t mix = columns[(i + 4) % 5] ^ std::rotl(columns[(i + 1) % 5], 1);
      moved[kTargets[i]] = std::rotl(lanes[i] ^ mix, kRotations[i]);
    }
#pragma clang loop unroll(full)
    for (int i = 0; i < 25; i++) {
      const int row = i - i % 5;
      lanes[i] = moved[i] ^ (~moved[row + (i + 1) % 5] & moved[row + (i + 2) % 5]);
    }
    lanes[0] ^= kRoundConstants[round];
  }
  std::copy_n(lanes, 25, lanes_);
}

void Keccak::absorb(std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    // Whole lanes where the sponge stands at one.
    size_t taken = 0;
    if (at_ % 8 == 0) {
      for (; bytes.size() - taken >= 8 && at_ + taken < rate_; taken += 8) {
        uint64_t lane = 0;
        std::memcpy(&lane, bytes.data() + taken, 8);
        lanes_[(at_ + taken) / 8] ^= lane;
      }
    }
    if (taken == 0) put(at_, bytes[taken++]);
    at_ += taken;
    bytes = bytes.subspan(taken);
    if (at_ == rate_) {
      permute();
      at_ = 0;
    }
  }
}

void Keccak::end_block() {
  if (at_ == 0) return;
  permute();
  at_ = 0;
}

void Keccak::finish(uint8_t domain) {
  put(at_, domain);
  put(rate_ - 1, 0x80);
  at_ = rate_;
}

void Keccak::read(std::span<uint8_t> out) {
  while (!out.empty()) {
    if (at_ == rate_) {
      permute();
      at_ = 0;
    }
    const size_t size = std::min(out.size(), rate_ - at_);
    std::memcpy(out.data(), reinterpret_cast<const uint8_t*>(lanes_) + at_, size);
    at_ += size;
    out = out.subspan(size);
  }
}

namespace {

void hash(int strength, uint8_t domain, std::initializer_list<std::span<const uint8_t>> pieces,
          std::span<uint8_t> out) {
  Keccak sponge(strength, 24);
  for (auto piece : pieces) sponge.absorb(piece);
  sponge.squeeze(domain, out);
}

}  // namespace

void sha3(int strength, std::initializer_list<std::span<const uint8_t>> pieces, std::span<uint8_t> out) {
  hash(strength, kSha3Domain, pieces, out);
}

void shake(int strength, std::initializer_list<std::span<const uint8_t>> pieces, std::span<uint8_t> out) {
  hash(strength, kShakeDomain, pieces, out);
}

void cshake(int strength, std::span<const uint8_t> name, std::span<const uint8_t> customization,
            std::span<const uint8_t> input, std::span<uint8_t> out) {
  Keccak sponge(strength, 24);
  const bool is_plain = name.empty() && customization.empty();
  if (!is_plain) {
    left_encode(sponge, sponge.rate());
    absorb_text(sponge, name);
    absorb_text(sponge, customization);
    sponge.end_block();
  }
  sponge.absorb(input);
  sponge.squeeze(is_plain ? kShakeDomain : 0x04, out);
}

void turboshake(int strength, uint8_t domain, std::span<const uint8_t> input, std::span<uint8_t> out) {
  Keccak sponge(strength, 12);
  sponge.absorb(input);
  sponge.squeeze(domain, out);
}

void kangaroo_twelve(int strength, std::span<const uint8_t> customization, std::span<const uint8_t> input,
                     std::span<uint8_t> out) {
  constexpr size_t kChunk = 8192;
  std::vector<uint8_t> all(input.begin(), input.end());
  all.insert(all.end(), customization.begin(), customization.end());
  append_length(all, customization.size());
  if (all.size() <= kChunk) return turboshake(strength, 0x07, all, out);
  Keccak sponge(strength, 12);
  const std::span<const uint8_t> text(all);
  sponge.absorb(text.first(kChunk));
  constexpr uint8_t kFirst[8] = {3};
  sponge.absorb(kFirst);
  uint64_t leaves = 0;
  for (size_t at = kChunk; at < text.size(); at += kChunk, leaves++) {
    std::vector<uint8_t> value(static_cast<size_t>(strength) / 4);
    turboshake(strength, 0x0b, text.subspan(at, std::min(kChunk, text.size() - at)), value);
    sponge.absorb(value);
  }
  std::vector<uint8_t> end;
  append_length(end, leaves);
  end.insert(end.end(), 2, 0xff);
  sponge.absorb(end);
  sponge.squeeze(0x06, out);
}

}  // namespace rondo::modules::crypto
