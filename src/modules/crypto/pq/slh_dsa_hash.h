// The hash functions of SLH-DSA (FIPS 205, sections 4.2 and 11): each call has an address of its own, so that no two calls of one key
// hash the same. Used by slh_dsa.cpp only.
#pragma once

#include "modules/crypto/pq/slh_dsa.h"

#include <openssl/sha.h>

#include <array>

namespace rondo::modules::crypto::slh_dsa {

using Bytes = std::span<const uint8_t>;

enum class AddressType : uint8_t { WotsHash, WotsPk, Tree, ForsTree, ForsRoots, WotsPrf, ForsPrf };

//   0      4           16     20         24                   28
//   layer  tree        type   key pair   chain, tree height   hash, tree index     each with its most significant byte first
class Address {
 public:
  void set_layer(size_t layer) { set(0, static_cast<uint32_t>(layer)); }
  void set_tree(uint64_t tree) {
    set(8, static_cast<uint32_t>(tree >> 32));
    set(12, static_cast<uint32_t>(tree));
  }
  // setTypeAndClear, with the key pair kept
  void set_type(AddressType type) {
    bytes_[19] = static_cast<uint8_t>(type);
    set(24, 0);
    set(28, 0);
  }
  void set_type(AddressType type, uint32_t key_pair) {
    set_type(type);
    set(20, key_pair);
  }
  void set_chain(size_t chain) { set(24, static_cast<uint32_t>(chain)); }
  void set_hash(size_t hash) { set(28, static_cast<uint32_t>(hash)); }
  void set_node(size_t height, uint32_t index) {
    set(24, static_cast<uint32_t>(height));
    set(28, index);
  }

  Bytes whole() const { return bytes_; }
  // Section 11.2: without the bytes that are always zero.
  std::array<uint8_t, 22> compressed() const {
    std::array<uint8_t, 22> out;
    out[0] = bytes_[3];
    for (size_t i = 0; i < 8; i++) out[1 + i] = bytes_[8 + i];
    for (size_t i = 0; i < 13; i++) out[9 + i] = bytes_[19 + i];
    return out;
  }

 private:
  void set(size_t at, uint32_t value) {
    for (size_t i = 0; i < 4; i++) bytes_[at + i] = static_cast<uint8_t>(value >> (24 - 8 * i));
  }

  std::array<uint8_t, 32> bytes_{};
};

// Of one key: PK.seed goes first into every hash, and with SHA-2 fills a block of its own, which is hashed once.
class Hasher {
 public:
  Hasher(const SlhDsa& kind, Bytes pk_seed);

  // F, and PRF with SK.seed as the message: `message` has n bytes, as `out` has.
  void f(const Address& address, Bytes message, std::span<uint8_t> out) const;
  // H and T_l: longer ones.
  void h(const Address& address, Bytes message, std::span<uint8_t> out) const;
  // H_msg, of a message in three pieces; `out` has m bytes.
  void h_msg(Bytes r, Bytes pk_root, std::span<const Bytes, 3> message, std::span<uint8_t> out) const;
  // PRF_msg
  void prf_msg(Bytes sk_prf, Bytes random, std::span<const Bytes, 3> message, std::span<uint8_t> out) const;

 private:
  void sha256(const Address& address, Bytes message, std::span<uint8_t> out) const;
  void sha512(const Address& address, Bytes message, std::span<uint8_t> out) const;

  const SlhDsa& kind_;
  Bytes pk_seed_;
  SHA256_CTX begun256_;
  SHA512_CTX begun512_;
};

}  // namespace rondo::modules::crypto::slh_dsa
