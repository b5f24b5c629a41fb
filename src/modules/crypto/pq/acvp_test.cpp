// ML-KEM, ML-DSA and SLH-DSA beside NIST's ACVP vectors, read from the file that RONDO_ACVP names; tests/acvp/run makes it and says
// where the vectors are from. Without it there is nothing to compare with, and the test says so.
#include "modules/crypto/pq/ml_dsa.h"
#include "modules/crypto/pq/ml_kem.h"
#include "modules/crypto/pq/pq_test.h"
#include "modules/crypto/pq/slh_dsa.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace rondo::modules::crypto {

namespace {

using Bytes = std::vector<uint8_t>;

uint8_t digit(char c) { return static_cast<uint8_t>(c <= '9' ? c - '0' : c - 'a' + 10); }

Bytes from_hex(const std::string& text) {
  Bytes bytes;
  if (text == "-") return bytes;
  for (size_t i = 0; i + 1 < text.size(); i += 2)
    bytes.push_back(static_cast<uint8_t>(digit(text[i]) << 4 | digit(text[i + 1])));
  return bytes;
}

// One line: an operation, its parameters, its fields.
struct Vector {
  std::string operation;
  std::vector<std::string> fields;

  Bytes at(size_t i) const { return from_hex(fields.at(i)); }
  bool is_true(size_t i) const { return fields.at(i) == "1"; }
};

void check_kem(const Vector& given, const MlKem& kem) {
  Bytes first(kem.public_size()), second(kem.private_size());
  if (given.operation == "kem-keygen") {
    const Bytes seed = given.at(0);
    ml_kem_keygen(kem, std::span(seed).first<kMlKemSeed>(), first, second);
    EXPECT_EQ(hex(first), hex(given.at(1)));
    EXPECT_EQ(hex(second), hex(given.at(2)));
  } else if (given.operation == "kem-seal") {
    Bytes secret(kMlKemSecret), sealed(kem.sealed_size());
    const Bytes random = given.at(1);
    ml_kem_encapsulate(kem, given.at(0), std::span(random).first<kMlKemRandom>(),
                       std::span(secret).first<kMlKemSecret>(), sealed);
    EXPECT_EQ(hex(sealed), hex(given.at(2)));
    EXPECT_EQ(hex(secret), hex(given.at(3)));
  } else if (given.operation == "kem-open") {
    Bytes secret(kMlKemSecret);
    ml_kem_decapsulate(kem, given.at(0), given.at(1), std::span(secret).first<kMlKemSecret>());
    EXPECT_EQ(hex(secret), hex(given.at(2)));
  } else if (given.operation == "kem-check-public") {
    const Bytes key = given.at(0);
    EXPECT_EQ(key.size() == kem.public_size() && ml_kem_is_public_key(kem, key), given.is_true(1));
  } else {
    const Bytes key = given.at(0);
    EXPECT_EQ(key.size() == kem.private_size() && ml_kem_is_private_key(kem, key), given.is_true(1));
  }
}

void check_dsa(const Vector& given, const MlDsa& dsa) {
  if (given.operation == "dsa-keygen") {
    Bytes public_key(dsa.public_size()), private_key(dsa.private_size());
    const Bytes seed = given.at(0);
    ml_dsa_keygen(dsa, std::span(seed).first<kMlDsaSeed>(), public_key, private_key);
    EXPECT_EQ(hex(public_key), hex(given.at(1)));
    EXPECT_EQ(hex(private_key), hex(given.at(2)));
  } else if (given.operation == "dsa-sign") {
    Bytes random = given.at(3), signature(dsa.signature_size());
    random.resize(kMlDsaRandom);  // none: the deterministic variant
    ml_dsa_sign(dsa, given.at(0), given.at(1), given.at(2), std::span(random).first<kMlDsaRandom>(), signature);
    EXPECT_EQ(hash_of(signature), hash_of(given.at(4)));
  } else {
    EXPECT_EQ(ml_dsa_verify(dsa, given.at(0), given.at(1), given.at(2), given.at(3)), given.is_true(4));
  }
}

void check_slh(const Vector& given, const SlhDsa& slh) {
  if (given.operation == "slh-keygen") {
    Bytes private_key(slh.private_size());
    slh_dsa_keygen(slh, given.at(0), private_key);
    EXPECT_EQ(hex(private_key), hex(given.at(1)));
  } else if (given.operation == "slh-sign") {
    const Bytes private_key = given.at(0);
    Bytes random = given.at(3), signature(slh.signature_size());
    // None: the deterministic variant, which takes PK.seed.
    if (random.empty())
      random.assign(private_key.begin() + static_cast<ptrdiff_t>(2 * slh.n),
                    private_key.begin() + static_cast<ptrdiff_t>(3 * slh.n));
    slh_dsa_sign(slh, private_key, given.at(1), given.at(2), random, signature);
    EXPECT_EQ(hash_of(signature), hash_of(given.at(4)));
  } else {
    EXPECT_EQ(slh_dsa_verify(slh, given.at(0), given.at(1), given.at(2), given.at(3)), given.is_true(4));
  }
}

// By NIST's name: ML-KEM-512, ML-DSA-44, SLH-DSA-SHAKE-128s. False when there is none.
bool check(const Vector& given, const std::string& name) {
  for (const auto& [kind, known] :
       {std::pair{kMlKem512, "ML-KEM-512"}, {kMlKem768, "ML-KEM-768"}, {kMlKem1024, "ML-KEM-1024"}}) {
    if (name == known) return check_kem(given, kind), true;
  }
  for (const auto& [kind, known] :
       {std::pair{kMlDsa44, "ML-DSA-44"}, {kMlDsa65, "ML-DSA-65"}, {kMlDsa87, "ML-DSA-87"}}) {
    if (name == known) return check_dsa(given, kind), true;
  }
  for (const auto& [hash, family] : {std::pair{SlhHash::Sha2, "SHA2"}, {SlhHash::Shake, "SHAKE"}}) {
    const std::pair<SlhDsa, const char*> kinds[] = {{slh_dsa_128s(hash), "128s"}, {slh_dsa_128f(hash), "128f"},
                                                    {slh_dsa_192s(hash), "192s"}, {slh_dsa_192f(hash), "192f"},
                                                    {slh_dsa_256s(hash), "256s"}, {slh_dsa_256f(hash), "256f"}};
    for (const auto& [kind, size] : kinds) {
      if (name == std::string("SLH-DSA-") + family + '-' + size) return check_slh(given, kind), true;
    }
  }
  return false;
}

}  // namespace

TEST(AcvpTest, gives_the_answers_of_nist) {
  const char* path = std::getenv("RONDO_ACVP");
  if (!path) GTEST_SKIP() << "tests/acvp/run reads NIST's vectors";
  std::ifstream file(path);
  size_t count = 0;
  for (std::string line; std::getline(file, line); count++) {
    std::istringstream words(line);
    Vector given;
    std::string name;
    words >> given.operation >> name;
    for (std::string field; words >> field;) given.fields.push_back(field);
    SCOPED_TRACE(given.operation + ' ' + name + ", line " + std::to_string(count + 1));
    EXPECT_TRUE(check(given, name)) << "no such parameters";
  }
  EXPECT_GT(count, 0U);
}

}  // namespace rondo::modules::crypto
