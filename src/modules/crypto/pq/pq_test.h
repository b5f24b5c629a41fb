// Shared by the tests of ML-KEM, ML-DSA and SLH-DSA.
#pragma once

#include <openssl/evp.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace rondo::modules::crypto {

// first, first + 1, …
inline std::vector<uint8_t> counting(size_t size, uint8_t first) {
  std::vector<uint8_t> bytes(size);
  for (auto& byte : bytes) byte = first++;
  return bytes;
}

inline std::string hex(std::span<const uint8_t> bytes) {
  std::string text;
  for (const uint8_t byte : bytes) {
    text += "0123456789abcdef"[byte / 16];
    text += "0123456789abcdef"[byte % 16];
  }
  return text;
}

// SHA-256
inline std::string hash_of(std::span<const uint8_t> bytes) {
  std::vector<uint8_t> out(32);
  EVP_Digest(bytes.data(), bytes.size(), out.data(), nullptr, EVP_sha256(), nullptr);
  return hex(out);
}

}  // namespace rondo::modules::crypto
