// See slh_dsa.h. Functions are named and numbered as in FIPS 205.
#include "modules/crypto/pq/slh_dsa.h"

#include "modules/crypto/pq/slh_dsa_hash.h"

#include <openssl/crypto.h>

#include <algorithm>
#include <vector>

namespace rondo::modules::crypto {

using namespace slh_dsa;

namespace {

using Out = std::span<uint8_t>;
constexpr size_t kMostN = 32, kLgW = 4, kW = 16;
using Node = std::array<uint8_t, kMostN>;

// Algorithm 4, base_2b
std::vector<uint32_t> base_2b(Bytes x, size_t b, size_t count) {
  std::vector<uint32_t> out(count);
  size_t at = 0, bits = 0;
  uint64_t total = 0;
  for (auto& digit : out) {
    for (; bits < b; bits += 8) total = (total << 8) | x[at++];
    bits -= b;
    digit = static_cast<uint32_t>((total >> bits) & ((uint64_t{1} << b) - 1));
  }
  return out;
}

// Algorithm 2, toInt
uint64_t to_int(Bytes x) {
  uint64_t total = 0;
  for (const uint8_t byte : x) total = (total << 8) | byte;
  return total;
}

// The digits of a message and of their checksum: the first half of algorithms 7 and 8.
std::vector<uint32_t> wots_digits(const SlhDsa& kind, Bytes message) {
  auto digits = base_2b(message, kLgW, 2 * kind.n);
  uint32_t sum = 0;
  for (const uint32_t digit : digits) sum += kW - 1 - digit;
  sum <<= 4;
  const uint8_t bytes[2] = {static_cast<uint8_t>(sum >> 8), static_cast<uint8_t>(sum)};
  const auto rest = base_2b(bytes, kLgW, 3);
  digits.insert(digits.end(), rest.begin(), rest.end());
  return digits;
}

// The trees of one key. Without SK.seed it can only verify.
class Trees {
 public:
  Trees(const SlhDsa& kind, Bytes pk_seed, Bytes sk_seed)
      : kind_(kind), n_(kind.n), hasher_(kind, pk_seed), sk_seed_(sk_seed) {}
  const Hasher& hasher() const { return hasher_; }

  // Algorithm 9, xmss_node
  void xmss_node(uint32_t i, size_t z, Address address, Out out) const {
    if (z == 0) {
      address.set_type(AddressType::WotsHash, i);
      wots_public(address, out);
      return;
    }
    uint8_t both[2 * kMostN];
    xmss_node(2 * i, z - 1, address, Out(both).first(n_));
    xmss_node(2 * i + 1, z - 1, address, Out(both).subspan(n_, n_));
    address.set_type(AddressType::Tree, 0);
    address.set_node(z, i);
    hasher_.h(address, Bytes(both, 2 * n_), out);
  }

  // Algorithm 12, ht_sign
  void ht_sign(Bytes message, uint64_t tree, uint32_t leaf, Out signature) const {
    Node root;
    std::ranges::copy(message, root.begin());
    for (size_t layer = 0; layer < kind_.d; layer++) {
      Address address;
      address.set_layer(layer);
      address.set_tree(tree);
      const auto part = signature.subspan(layer * xmss_size(), xmss_size());
      xmss_sign(Bytes(root).first(n_), leaf, address, part);
      xmss_public_from(leaf, part, Bytes(root).first(n_), address, root);
      next(tree, leaf);
    }
  }

  // Algorithm 13, ht_verify
  bool ht_verify(Bytes message, Bytes signature, uint64_t tree, uint32_t leaf, Bytes pk_root) const {
    Node root;
    std::ranges::copy(message, root.begin());
    for (size_t layer = 0; layer < kind_.d; layer++) {
      Address address;
      address.set_layer(layer);
      address.set_tree(tree);
      xmss_public_from(leaf, signature.subspan(layer * xmss_size(), xmss_size()), Bytes(root).first(n_), address, root);
      next(tree, leaf);
    }
    return std::ranges::equal(Bytes(root).first(n_), pk_root);
  }

  // Algorithm 16, fors_sign
  void fors_sign(Bytes digest, const Address& address, Out signature) const {
    const auto indices = base_2b(digest, kind_.a, kind_.k);
    for (size_t i = 0; i < kind_.k; i++) {
      const auto first = static_cast<uint32_t>(i << kind_.a);
      fors_secret(first + indices[i], address, signature);
      signature = signature.subspan(n_);
      for (size_t j = 0; j < kind_.a; j++, signature = signature.subspan(n_))
        fors_node((first >> j) + ((indices[i] >> j) ^ 1), j, address, signature);
    }
  }

  // Algorithm 17, fors_pkFromSig
  void fors_public_from(Bytes signature, Bytes digest, Address address, Out out) const {
    const auto indices = base_2b(digest, kind_.a, kind_.k);
    std::vector<uint8_t> roots(kind_.k * n_);
    for (size_t i = 0; i < kind_.k; i++) {
      const auto root = Out(roots).subspan(i * n_, n_);
      uint32_t index = static_cast<uint32_t>(i << kind_.a) + indices[i];
      address.set_node(0, index);
      hasher_.f(address, signature.first(n_), root);
      climb(signature.subspan(n_, kind_.a * n_), index, address, root);
      signature = signature.subspan((1 + kind_.a) * n_);
    }
    address.set_type(AddressType::ForsRoots);
    hasher_.h(address, roots, out);
  }

 private:
  size_t xmss_size() const { return (kind_.chains() + kind_.tree_height()) * n_; }

  void next(uint64_t& tree, uint32_t& leaf) const {
    const size_t height = kind_.tree_height();
    leaf = static_cast<uint32_t>(tree & ((uint64_t{1} << height) - 1));
    tree >>= height;
  }

  // Algorithm 5, chain; `x` is replaced by its end.
  void chain(size_t start, size_t steps, Address& address, Out x) const {
    for (size_t j = start; j < start + steps; j++) {
      address.set_hash(j);
      hasher_.f(address, x.first(n_), x);
    }
  }

  void wots_secret(Address address, size_t i, Out out) const {
    address.set_type(AddressType::WotsPrf);
    address.set_chain(i);
    hasher_.f(address, sk_seed_, out);
  }

  void wots_compress(Address address, Bytes ends, Out out) const {
    address.set_type(AddressType::WotsPk);
    hasher_.h(address, ends, out);
  }

  // Algorithm 6, wots_pkGen
  void wots_public(Address address, Out out) const {
    uint8_t ends[(2 * kMostN + 3) * kMostN];
    for (size_t i = 0; i < kind_.chains(); i++) {
      const auto x = Out(ends).subspan(i * n_, n_);
      wots_secret(address, i, x);
      address.set_chain(i);
      chain(0, kW - 1, address, x);
    }
    wots_compress(address, Bytes(ends, kind_.wots_size()), out);
  }

  // Algorithm 7, wots_sign
  void wots_sign(Bytes message, Address address, Out signature) const {
    const auto digits = wots_digits(kind_, message);
    for (size_t i = 0; i < digits.size(); i++) {
      const auto x = signature.subspan(i * n_, n_);
      wots_secret(address, i, x);
      address.set_chain(i);
      chain(0, digits[i], address, x);
    }
  }

  // Algorithm 8, wots_pkFromSig
  void wots_public_from(Bytes signature, Bytes message, Address address, Out out) const {
    const auto digits = wots_digits(kind_, message);
    std::vector<uint8_t> ends(signature.begin(), signature.begin() + static_cast<ptrdiff_t>(kind_.wots_size()));
    for (size_t i = 0; i < digits.size(); i++) {
      address.set_chain(i);
      chain(digits[i], kW - 1 - digits[i], address, Out(ends).subspan(i * n_, n_));
    }
    wots_compress(address, ends, out);
  }

  // Algorithm 10, xmss_sign
  void xmss_sign(Bytes message, uint32_t leaf, Address address, Out signature) const {
    for (size_t j = 0; j < kind_.tree_height(); j++)
      xmss_node((leaf >> j) ^ 1, j, address, signature.subspan(kind_.wots_size() + j * n_, n_));
    address.set_type(AddressType::WotsHash, leaf);
    wots_sign(message, address, signature);
  }

  // From a leaf to the root, with the nodes that stand beside the way: what algorithms 11 and 17 share.
  void climb(Bytes beside, uint32_t index, Address& address, Out node) const {
    uint8_t both[2 * kMostN];
    for (size_t height = 1; !beside.empty(); height++, beside = beside.subspan(n_)) {
      const bool is_right = index % 2 == 1;
      index /= 2;
      std::copy_n(node.begin(), n_, both + (is_right ? n_ : 0));
      std::copy_n(beside.begin(), n_, both + (is_right ? 0 : n_));
      address.set_node(height, index);
      hasher_.h(address, Bytes(both, 2 * n_), node);
    }
  }

  // Algorithm 11, xmss_pkFromSig
  void xmss_public_from(uint32_t leaf, Bytes signature, Bytes message, Address address, Out out) const {
    Node node;
    address.set_type(AddressType::WotsHash, leaf);
    wots_public_from(signature, message, address, node);
    address.set_type(AddressType::Tree, 0);
    climb(signature.subspan(kind_.wots_size(), kind_.tree_height() * n_), leaf, address, node);
    std::copy_n(node.begin(), n_, out.begin());
  }

  // Algorithm 14, fors_skGen
  void fors_secret(uint32_t index, Address address, Out out) const {
    address.set_type(AddressType::ForsPrf);
    address.set_node(0, index);
    hasher_.f(address, sk_seed_, out);
  }

  // Algorithm 15, fors_node
  void fors_node(uint32_t i, size_t z, Address address, Out out) const {
    if (z == 0) {
      Node secret;
      fors_secret(i, address, secret);
      address.set_node(0, i);
      hasher_.f(address, Bytes(secret).first(n_), out);
      OPENSSL_cleanse(secret.data(), secret.size());
      return;
    }
    uint8_t both[2 * kMostN];
    fors_node(2 * i, z - 1, address, Out(both).first(n_));
    fors_node(2 * i + 1, z - 1, address, Out(both).subspan(n_, n_));
    address.set_node(z, i);
    hasher_.h(address, Bytes(both, 2 * n_), out);
  }

  const SlhDsa& kind_;
  size_t n_;
  Hasher hasher_;
  Bytes sk_seed_;
};

// Indices chosen by the hash of a message: lines 6 to 10 of algorithm 19, 8 to 13 of algorithm 20.
struct Choice {
  std::vector<uint8_t> digest;
  Bytes fors;
  uint64_t tree = 0;
  uint32_t leaf = 0;
  Address address;

  Choice(const SlhDsa& kind, const Hasher& hasher, Bytes r, Bytes pk_root, std::span<const Bytes, 3> message)
      : digest(kind.m) {
    hasher.h_msg(r, pk_root, message, digest);
    const size_t height = kind.tree_height(), tree_bits = kind.h - height;
    const size_t fors_size = (kind.k * kind.a + 7) / 8, tree_size = (tree_bits + 7) / 8, leaf_size = (height + 7) / 8;
    const Bytes all(digest);
    fors = all.first(fors_size);
    const uint64_t mask = tree_bits == 64 ? ~uint64_t{0} : (uint64_t{1} << tree_bits) - 1;
    tree = to_int(all.subspan(fors_size, tree_size)) & mask;
    leaf = static_cast<uint32_t>(to_int(all.subspan(fors_size + tree_size, leaf_size)) & ((uint64_t{1} << height) - 1));
    address.set_tree(tree);
    address.set_type(AddressType::ForsTree, leaf);
  }
};

// M' of algorithms 22 and 24
struct Message {
  uint8_t head[2];
  Bytes pieces[3];
  Message(Bytes context, Bytes message)
      : head{0, static_cast<uint8_t>(context.size())}, pieces{head, context, message} {}
};

}  // namespace

void slh_dsa_keygen(const SlhDsa& kind, std::span<const uint8_t> seeds, std::span<uint8_t> private_key) {
  std::ranges::copy(seeds, private_key.begin());
  const Trees trees(kind, seeds.subspan(2 * kind.n), seeds.first(kind.n));
  Address address;
  address.set_layer(kind.d - 1);
  trees.xmss_node(0, kind.tree_height(), address, private_key.subspan(3 * kind.n));
}

void slh_dsa_sign(const SlhDsa& kind, std::span<const uint8_t> private_key, std::span<const uint8_t> context,
                  std::span<const uint8_t> message, std::span<const uint8_t> random, std::span<uint8_t> signature) {
  const size_t n = kind.n;
  const Bytes sk_prf = private_key.subspan(n, n), pk_seed = private_key.subspan(2 * n, n),
              pk_root = private_key.subspan(3 * n);
  const Trees trees(kind, pk_seed, private_key.first(n));
  const Message whole(context, message);
  trees.hasher().prf_msg(sk_prf, random, whole.pieces, signature);
  const Choice choice(kind, trees.hasher(), signature.first(n), pk_root, whole.pieces);
  const size_t fors_size = kind.k * (1 + kind.a) * n;
  const auto fors = signature.subspan(n, fors_size);
  trees.fors_sign(choice.fors, choice.address, fors);
  Node fors_public;
  trees.fors_public_from(fors, choice.fors, choice.address, fors_public);
  trees.ht_sign(Bytes(fors_public).first(n), choice.tree, choice.leaf, signature.subspan(n + fors_size));
}

bool slh_dsa_verify(const SlhDsa& kind, std::span<const uint8_t> public_key, std::span<const uint8_t> context,
                    std::span<const uint8_t> message, std::span<const uint8_t> signature) {
  if (signature.size() != kind.signature_size()) return false;
  const size_t n = kind.n, fors_size = kind.k * (1 + kind.a) * n;
  const Bytes pk_seed = public_key.first(n), pk_root = public_key.subspan(n);
  const Trees trees(kind, pk_seed, {});
  const Message whole(context, message);
  const Choice choice(kind, trees.hasher(), signature.first(n), pk_root, whole.pieces);
  Node fors_public;
  trees.fors_public_from(signature.subspan(n, fors_size), choice.fors, choice.address, fors_public);
  return trees.ht_verify(Bytes(fors_public).first(n), signature.subspan(n + fors_size), choice.tree, choice.leaf,
                         pk_root);
}

}  // namespace rondo::modules::crypto
