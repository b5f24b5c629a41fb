// The bytes of a message, and what they are written with. Most messages are short: those have their bytes in place and need no memory
// beside the letter they travel in.
//
// Thread: its owner's.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

namespace rondo::engine {

class MessageBytes {
 public:
  MessageBytes() = default;
  MessageBytes(const MessageBytes& other) { assign(other.data(), other.size_); }
  MessageBytes& operator=(const MessageBytes& other) { return *this = MessageBytes(other); }
  MessageBytes(MessageBytes&&) = default;
  MessageBytes& operator=(MessageBytes&&) = default;

  void assign(const uint8_t* from, size_t size) {
    size_ = size;
    long_ = size > kShort ? std::make_unique_for_overwrite<uint8_t[]>(size) : nullptr;
    if (size != 0) std::memcpy(long_ ? long_.get() : short_.data(), from, size);
  }
  // Longer ones than kShort only.
  void adopt(std::unique_ptr<uint8_t[]> memory, size_t size) {
    long_ = std::move(memory);
    size_ = size;
  }

  const uint8_t* data() const { return long_ ? long_.get() : short_.data(); }
  size_t size() const { return size_; }

  static constexpr size_t kShort = 48;

 private:
  std::unique_ptr<uint8_t[]> long_;
  size_t size_ = 0;
  std::array<uint8_t, kShort> short_;  // NOLINT(cppcoreguidelines-pro-type-member-init): as many as size_ says are set
};

// Memory that grows at its end.
class ByteSink {
 public:
  void add(const void* data, size_t size) {
    if (capacity_ - size_ < size) grow(size);
    if (size != 0) std::memcpy(memory_.get() + size_, data, size);
    size_ += size;
  }
  template <typename Number>
  void add_number(Number number) {
    if (capacity_ - size_ < sizeof number) grow(sizeof number);
    std::memcpy(memory_.get() + size_, &number, sizeof number);
    size_ += sizeof number;
  }
  // Bytes that have been added: data()[place] and on.
  template <typename Number>
  void replace_number(size_t place, Number number) {
    std::memcpy(memory_.get() + place, &number, sizeof number);
  }

  const uint8_t* data() const { return memory_.get(); }
  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }
  void clear() { size_ = 0; }
  std::unique_ptr<uint8_t[]> release() {
    size_ = capacity_ = 0;
    return std::move(memory_);
  }

 private:
  void grow(size_t more) {
    size_t wanted = capacity_ * 2 > kFirst ? capacity_ * 2 : kFirst;
    if (wanted < size_ + more) wanted = size_ + more;
    auto larger = std::make_unique_for_overwrite<uint8_t[]>(wanted);
    if (size_ != 0) std::memcpy(larger.get(), memory_.get(), size_);
    memory_ = std::move(larger);
    capacity_ = wanted;
  }

  static constexpr size_t kFirst = 256;

  std::unique_ptr<uint8_t[]> memory_;
  size_t size_ = 0, capacity_ = 0;
};

}  // namespace rondo::engine
