// See keccak.h.
#include "modules/crypto/keccak.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace rondo::modules::crypto {

namespace {

constexpr uint64_t kRoundConstants[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b,
    0x0000000080000001, 0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088,
    0x0000000080008009, 0x000000008000000a, 0x000000008000808b, 0x800000000000008b, 0x8000000000008089,
    0x8000000000008003, 0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008};
constexpr int kRotations[24] = {1,  3,  6,  10, 15, 21, 28, 36, 45, 55, 2,  14,
                                27, 41, 56, 8,  25, 43, 62, 18, 39, 61, 20, 44};
constexpr int kLanes[24] = {10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1};

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

void Keccak::permute() {
  for (int round = 24 - rounds_; round < 24; round++) {
    uint64_t columns[5];
    for (int x = 0; x < 5; x++)
      columns[x] = lanes_[x] ^ lanes_[x + 5] ^ lanes_[x + 10] ^ lanes_[x + 15] ^ lanes_[x + 20];
    for (int x = 0; x < 5; x++) {
      const uint64_t mix = columns[(x + 4) % 5] ^ std::rotl(columns[(x + 1) % 5], 1);
      for (int y = 0; y < 25; y += 5) lanes_[y + x] ^= mix;
    }
    uint64_t moving = lanes_[1];
    for (int i = 0; i < 24; i++) moving = std::exchange(lanes_[kLanes[i]], std::rotl(moving, kRotations[i]));
    for (int y = 0; y < 25; y += 5) {
      uint64_t row[5];
      std::copy_n(lanes_ + y, 5, row);
      for (int x = 0; x < 5; x++) lanes_[y + x] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5]);
    }
    lanes_[0] ^= kRoundConstants[round];
  }
}

void Keccak::absorb(std::span<const uint8_t> bytes) {
  for (const uint8_t byte : bytes) {
    put(at_++, byte);
    if (at_ < rate_) continue;
    permute();
    at_ = 0;
  }
}

void Keccak::end_block() {
  if (at_ == 0) return;
  permute();
  at_ = 0;
}

void Keccak::squeeze(uint8_t domain, std::span<uint8_t> out) {
  put(at_, domain);
  put(rate_ - 1, 0x80);
  size_t at = rate_;
  for (auto& byte : out) {
    if (at == rate_) {
      permute();
      at = 0;
    }
    byte = static_cast<uint8_t>(lanes_[at / 8] >> (8 * (at % 8)));
    at++;
  }
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
  sponge.squeeze(is_plain ? 0x1f : 0x04, out);
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
