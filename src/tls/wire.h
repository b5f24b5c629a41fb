// The ciphertext of one TLS connection, as the BIO that OpenSSL reads and writes: what has come in and is not used yet, and what is to be
// sent. It never waits. Used by rondo::tls and by the runtime's tls module.
//
//   in     bytes that are lent for the time of one call, behind those that were kept of earlier calls
//   out    collected in output(), until its owner has sent it
#pragma once

#include <openssl/bio.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace rondo::tls {

class Wire {
 public:
  Wire() = default;
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;

  // A new BIO over this, for SSL_set_bio, which then owns it. This must outlive it.
  BIO* new_bio();

  void lend(std::span<const std::uint8_t> bytes) { lent_ = bytes; }
  // Keeps what is left of the bytes lent.
  void keep() {
    feed(lent_);
    lent_ = {};
  }
  void drop_lent() { lent_ = {}; }
  void feed(std::span<const std::uint8_t> bytes) {
    kept_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  std::size_t input_size() const { return kept_.size() - kept_at_ + lent_.size(); }
  std::size_t take_input(char* out, std::size_t size);

  std::string& output() { return output_; }

  // Gives all memory back.
  void clear() {
    lent_ = {};
    std::string().swap(kept_);
    kept_at_ = 0;
    std::string().swap(output_);
  }

 private:
  std::span<const std::uint8_t> lent_;
  std::string kept_;
  std::size_t kept_at_ = 0;
  std::string output_;
};

}  // namespace rondo::tls
