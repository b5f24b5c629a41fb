// Memory that held a secret and is overwritten before it is given back.
#pragma once

#include <openssl/crypto.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rondo::modules::crypto {

// A fixed number of plain elements on the heap, zeros at first.
template <class T>
class Wiped {
 public:
  explicit Wiped(size_t size) : items_(size) {}
  ~Wiped() { OPENSSL_cleanse(items_.data(), items_.size() * sizeof(T)); }
  Wiped(Wiped&&) = default;
  Wiped& operator=(Wiped&&) = delete;

  T& operator[](size_t index) { return items_[index]; }
  const T& operator[](size_t index) const { return items_[index]; }
  size_t size() const { return items_.size(); }
  T* data() { return items_.data(); }
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  operator std::span<T>() { return items_; }              // NOLINT(google-explicit-constructor)
  operator std::span<const T>() const { return items_; }  // NOLINT(google-explicit-constructor)
  std::span<T> span() { return items_; }

 private:
  std::vector<T> items_;
};

}  // namespace rondo::modules::crypto
