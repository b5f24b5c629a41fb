// See pbkdf2.h. https://www.rfc-editor.org/rfc/rfc8018#section-5.2
#define OPENSSL_SUPPRESS_DEPRECATED  // The hashes' own functions, whose contexts can be copied as values, have no counterpart in the new interface.
#include "modules/crypto/pbkdf2.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>

#include <algorithm>
#include <array>

namespace rondo::modules::crypto {

namespace {

template <class State, size_t kHashBlock, size_t kHashSize, auto kInit, auto kUpdate, auto kFinal>
struct Hash {
  static constexpr size_t kBlock = kHashBlock, kSize = kHashSize;
  using Digest = std::array<uint8_t, kHashSize>;

  Hash() { kInit(&state); }
  void add(std::span<const uint8_t> bytes) { kUpdate(&state, bytes.data(), bytes.size()); }
  // The state itself is over then.
  void end(uint8_t* out) { kFinal(out, &state); }

  State state;
};

using Sha1 = Hash<SHA_CTX, 64, 20, SHA1_Init, SHA1_Update, SHA1_Final>;
using Sha224 = Hash<SHA256_CTX, 64, 28, SHA224_Init, SHA224_Update, SHA224_Final>;
using Sha256 = Hash<SHA256_CTX, 64, 32, SHA256_Init, SHA256_Update, SHA256_Final>;
using Sha384 = Hash<SHA512_CTX, 128, 48, SHA384_Init, SHA384_Update, SHA384_Final>;
using Sha512 = Hash<SHA512_CTX, 128, 64, SHA512_Init, SHA512_Update, SHA512_Final>;

// HMAC's two hashes, after the block that the key makes of each.
template <class H>
struct Keyed {
  explicit Keyed(std::span<const uint8_t> key) {
    std::array<uint8_t, H::kBlock> block{};
    if (key.size() > H::kBlock) {
      H hash;
      hash.add(key);
      hash.end(block.data());
    } else {
      std::ranges::copy(key, block.begin());
    }
    for (auto& byte : block) byte ^= 0x36;
    inner.add(block);
    for (auto& byte : block) byte ^= 0x36 ^ 0x5c;
    outer.add(block);
    OPENSSL_cleanse(block.data(), block.size());
  }
  ~Keyed() {
    OPENSSL_cleanse(&inner, sizeof inner);
    OPENSSL_cleanse(&outer, sizeof outer);
  }
  Keyed(const Keyed&) = delete;
  Keyed& operator=(const Keyed&) = delete;

  // `begun` is `inner` with the text.
  void end(H begun, typename H::Digest& out) const {
    begun.end(out.data());
    H last = outer;
    last.add(out);
    last.end(out.data());
  }

  H inner, outer;
};

template <class H>
void derive(std::span<const uint8_t> password, std::span<const uint8_t> salt, int iterations,
            std::span<uint8_t> output) {
  const Keyed<H> keyed(password);
  H salted = keyed.inner;
  salted.add(salt);
  typename H::Digest last, sum;
  for (uint32_t number = 1; !output.empty(); number++) {
    const std::array<uint8_t, 4> counter{static_cast<uint8_t>(number >> 24), static_cast<uint8_t>(number >> 16),
                                         static_cast<uint8_t>(number >> 8), static_cast<uint8_t>(number)};
    H first = salted;
    first.add(counter);
    keyed.end(first, last);
    sum = last;
    for (int i = 1; i < iterations; i++) {
      H next = keyed.inner;
      next.add(last);
      keyed.end(next, last);
      for (size_t k = 0; k < sum.size(); k++) sum[k] ^= last[k];
    }
    const size_t size = std::min(output.size(), sum.size());
    std::copy_n(sum.begin(), size, output.begin());
    output = output.subspan(size);
  }
  OPENSSL_cleanse(last.data(), last.size());
  OPENSSL_cleanse(sum.data(), sum.size());
}

}  // namespace

bool derive_pbkdf2(const EVP_MD* digest, std::span<const uint8_t> password, std::span<const uint8_t> salt,
                   int iterations, std::span<uint8_t> output) {
  switch (EVP_MD_get_type(digest)) {
    case NID_sha1:
      derive<Sha1>(password, salt, iterations, output);
      return true;
    case NID_sha224:
      derive<Sha224>(password, salt, iterations, output);
      return true;
    case NID_sha256:
      derive<Sha256>(password, salt, iterations, output);
      return true;
    case NID_sha384:
      derive<Sha384>(password, salt, iterations, output);
      return true;
    case NID_sha512:
      derive<Sha512>(password, salt, iterations, output);
      return true;
    default:
      return PKCS5_PBKDF2_HMAC(reinterpret_cast<const char*>(password.data()), static_cast<int>(password.size()),
                               salt.data(), static_cast<int>(salt.size()), iterations, digest,
                               static_cast<int>(output.size()), output.data()) == 1;
  }
}

}  // namespace rondo::modules::crypto
