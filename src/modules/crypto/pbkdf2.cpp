// See pbkdf2.h. https://www.rfc-editor.org/rfc/rfc8018#section-5.2
#define OPENSSL_SUPPRESS_DEPRECATED  // The hashes' own functions, whose contexts can be copied as values, have no counterpart in the new interface.
#include "modules/crypto/pbkdf2.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace rondo::modules::crypto {

namespace {

// A hash by the functions of its own: `kTransform` takes one block into the chaining words, which a State begins with, and knows nothing else.
template <class State, class Word, size_t kHashBlock, size_t kHashSize, auto kInit, auto kUpdate, auto kFinal,
          auto kTransform>
struct Hash {
  static constexpr size_t kBlock = kHashBlock, kSize = kHashSize;
  using Digest = std::array<uint8_t, kHashSize>;
  using Chain = std::array<Word, std::is_same_v<State, SHA_CTX> ? 5 : 8>;

  Hash() { kInit(&state); }
  void add(std::span<const uint8_t> bytes) { kUpdate(&state, bytes.data(), bytes.size()); }
  // The state itself is over then.
  void end(uint8_t* out) { kFinal(out, &state); }

  // `padded` is the last block of a message whose other blocks `begun` has taken. The message's digest takes the place of its first bytes.
  static void take_last_block(const Hash& begun, State& work, uint8_t* padded) {
    std::memcpy(&work, &begun.state, sizeof(Chain));
    kTransform(&work, padded);
    Chain chain;
    std::memcpy(chain.data(), &work, sizeof chain);
    for (Word& word : chain) word = std::byteswap(word);
    std::memcpy(padded, chain.data(), kSize);
  }

  State state;
};
static_assert(std::endian::native == std::endian::little, "digests are big-endian");

using Sha1 = Hash<SHA_CTX, SHA_LONG, 64, 20, SHA1_Init, SHA1_Update, SHA1_Final, SHA1_Transform>;
using Sha224 = Hash<SHA256_CTX, SHA_LONG, 64, 28, SHA224_Init, SHA224_Update, SHA224_Final, SHA256_Transform>;
using Sha256 = Hash<SHA256_CTX, SHA_LONG, 64, 32, SHA256_Init, SHA256_Update, SHA256_Final, SHA256_Transform>;
using Sha384 = Hash<SHA512_CTX, SHA_LONG64, 128, 48, SHA384_Init, SHA384_Update, SHA384_Final, SHA512_Transform>;
using Sha512 = Hash<SHA512_CTX, SHA_LONG64, 128, 64, SHA512_Init, SHA512_Update, SHA512_Final, SHA512_Transform>;

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

  // HMAC of a digest, again and again: each time both hashes are one block from their end, and all of that block but the digest stays.
  // The block begins with the digest.
  struct Rounds {
    explicit Rounds(const Keyed& key, const typename H::Digest& first) : keyed(key) {
      std::ranges::copy(first, block.begin());
      block[H::kSize] = 0x80;
      constexpr size_t kBits = (H::kBlock + H::kSize) * 8;
      block[H::kBlock - 2] = kBits >> 8;
      block[H::kBlock - 1] = kBits & 0xff;
    }
    ~Rounds() {
      OPENSSL_cleanse(&work, sizeof work);
      OPENSSL_cleanse(block.data(), block.size());
    }
    Rounds(const Rounds&) = delete;
    Rounds& operator=(const Rounds&) = delete;

    void next() {
      H::take_last_block(keyed.inner, work, block.data());
      H::take_last_block(keyed.outer, work, block.data());
    }

    const Keyed& keyed;
    decltype(H::state) work;
    std::array<uint8_t, H::kBlock> block{};
  };

  H inner, outer;
};

template <class H>
void derive(std::span<const uint8_t> password, std::span<const uint8_t> salt, int iterations,
            std::span<uint8_t> output) {
  const Keyed<H> keyed(password);
  H salted = keyed.inner;
  salted.add(salt);
  typename H::Digest sum;
  for (uint32_t number = 1; !output.empty(); number++) {
    const std::array<uint8_t, 4> counter{static_cast<uint8_t>(number >> 24), static_cast<uint8_t>(number >> 16),
                                         static_cast<uint8_t>(number >> 8), static_cast<uint8_t>(number)};
    H first = salted;
    first.add(counter);
    keyed.end(first, sum);
    typename Keyed<H>::Rounds rounds(keyed, sum);
    for (int i = 1; i < iterations; i++) {
      rounds.next();
      for (size_t k = 0; k < sum.size(); k++) sum[k] ^= rounds.block[k];
    }
    const size_t size = std::min(output.size(), sum.size());
    std::copy_n(sum.begin(), size, output.begin());
    output = output.subspan(size);
  }
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
