// See slh_dsa_hash.h.
#include "modules/crypto/pq/slh_dsa_hash.h"

#include "modules/crypto/keccak.h"

#include <openssl/evp.h>

#include <algorithm>
#include <memory>
#include <vector>

// The newer interface looks its hash up and allocates for each call; a signature makes a hundred thousand and more.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"

namespace rondo::modules::crypto::slh_dsa {

namespace {

struct Free {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

// A hash over pieces, at its full size.
std::vector<uint8_t> digest(const EVP_MD* kind, std::initializer_list<Bytes> pieces) {
  std::unique_ptr<EVP_MD_CTX, Free> context(EVP_MD_CTX_new());
  EVP_DigestInit_ex(context.get(), kind, nullptr);
  for (auto piece : pieces) EVP_DigestUpdate(context.get(), piece.data(), piece.size());
  std::vector<uint8_t> out(static_cast<size_t>(EVP_MD_get_size(kind)));
  EVP_DigestFinal_ex(context.get(), out.data(), nullptr);
  return out;
}

// RFC 8017, appendix B.2.1
void mgf1(const EVP_MD* kind, Bytes first, Bytes second, Bytes third, std::span<uint8_t> out) {
  for (uint8_t counter = 0; !out.empty(); counter++) {
    const uint8_t number[4] = {0, 0, 0, counter};
    const auto block = digest(kind, {first, second, third, number});
    const size_t size = std::min(out.size(), block.size());
    std::copy_n(block.begin(), size, out.begin());
    out = out.subspan(size);
  }
}

// RFC 2104; the key is never longer than a block.
std::vector<uint8_t> hmac(const EVP_MD* kind, Bytes key, Bytes random, std::span<const Bytes, 3> message) {
  const auto block = static_cast<size_t>(EVP_MD_get_block_size(kind));
  std::vector<uint8_t> inner(block, 0x36), outer(block, 0x5c);
  for (size_t i = 0; i < key.size(); i++) {
    inner[i] ^= key[i];
    outer[i] ^= key[i];
  }
  const auto hashed = digest(kind, {inner, random, message[0], message[1], message[2]});
  auto out = digest(kind, {outer, hashed});
  OPENSSL_cleanse(inner.data(), inner.size());
  OPENSSL_cleanse(outer.data(), outer.size());
  return out;
}

}  // namespace

Hasher::Hasher(const SlhDsa& kind, Bytes pk_seed) : kind_(kind), pk_seed_(pk_seed) {
  constexpr uint8_t kZeros[128] = {};
  SHA256_Init(&begun256_);
  SHA256_Update(&begun256_, pk_seed.data(), pk_seed.size());
  SHA256_Update(&begun256_, kZeros, 64 - pk_seed.size());
  SHA512_Init(&begun512_);
  SHA512_Update(&begun512_, pk_seed.data(), pk_seed.size());
  SHA512_Update(&begun512_, kZeros, 128 - pk_seed.size());
}

void Hasher::sha256(const Address& address, Bytes message, std::span<uint8_t> out) const {
  auto context = begun256_;
  const auto where = address.compressed();
  uint8_t found[SHA256_DIGEST_LENGTH];
  SHA256_Update(&context, where.data(), where.size());
  SHA256_Update(&context, message.data(), message.size());
  SHA256_Final(found, &context);
  std::copy_n(found, kind_.n, out.begin());
}

void Hasher::sha512(const Address& address, Bytes message, std::span<uint8_t> out) const {
  auto context = begun512_;
  const auto where = address.compressed();
  uint8_t found[SHA512_DIGEST_LENGTH];
  SHA512_Update(&context, where.data(), where.size());
  SHA512_Update(&context, message.data(), message.size());
  SHA512_Final(found, &context);
  std::copy_n(found, kind_.n, out.begin());
}

void Hasher::f(const Address& address, Bytes message, std::span<uint8_t> out) const {
  if (kind_.hash == SlhHash::Sha2)
    sha256(address, message, out);
  else
    shake(256, {pk_seed_, address.whole(), message}, out.first(kind_.n));
}

void Hasher::h(const Address& address, Bytes message, std::span<uint8_t> out) const {
  if (kind_.hash == SlhHash::Sha2 && kind_.n > 16)
    sha512(address, message, out);
  else
    f(address, message, out);
}

void Hasher::h_msg(Bytes r, Bytes pk_root, std::span<const Bytes, 3> message, std::span<uint8_t> out) const {
  if (kind_.hash == SlhHash::Shake) {
    shake(256, {r, pk_seed_, pk_root, message[0], message[1], message[2]}, out);
    return;
  }
  const EVP_MD* hash = kind_.n == 16 ? EVP_sha256() : EVP_sha512();
  const auto inner = digest(hash, {r, pk_seed_, pk_root, message[0], message[1], message[2]});
  mgf1(hash, r, pk_seed_, inner, out);
}

void Hasher::prf_msg(Bytes sk_prf, Bytes random, std::span<const Bytes, 3> message, std::span<uint8_t> out) const {
  if (kind_.hash == SlhHash::Shake) {
    shake(256, {sk_prf, random, message[0], message[1], message[2]}, out.first(kind_.n));
    return;
  }
  const auto found = hmac(kind_.n == 16 ? EVP_sha256() : EVP_sha512(), sk_prf, random, message);
  std::copy_n(found.begin(), kind_.n, out.begin());
}

}  // namespace rondo::modules::crypto::slh_dsa

#pragma clang diagnostic pop
