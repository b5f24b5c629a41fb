// The ledger's memory: a header, the names, the ring of records. Other threads may read it while its own writes. One writer; any
// number of readers, none of which the writer waits for.
//
// A reader takes what `written` says has been written, and looks at `written` again afterwards: what lies further back than the
// capacity has been overwritten meanwhile and is lost. A name carries its number, so that a slot used again is told apart.
#pragma once

#include "observe/record.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>

namespace rondo::observe {

struct RingHeader {
  std::atomic<uint64_t> written = 0;
  std::atomic<uint32_t> names = 0;  // the highest number given
};

struct NameSlot {
  static constexpr size_t kMost = 506;
  std::atomic<uint32_t> number = 0;
  uint16_t length = 0;
  char text[kMost] = {};
};
static_assert(sizeof(NameSlot) == 512);

class SharedRing {
 public:
  static constexpr uint32_t kNameSlots = 1U << 14;

  // Memory is taken from the system as it is used.
  explicit SharedRing(size_t capacity, uint32_t name_slots = kNameSlots);
  ~SharedRing();
  SharedRing(const SharedRing&) = delete;
  SharedRing& operator=(const SharedRing&) = delete;

  RingHeader& header() const { return *static_cast<RingHeader*>(memory_); }
  NameSlot* names() const { return reinterpret_cast<NameSlot*>(bytes() + kHeaderBytes); }
  Record* records() const { return reinterpret_cast<Record*>(bytes() + kHeaderBytes + name_bytes()); }
  size_t capacity() const { return capacity_; }
  uint32_t name_slots() const { return name_slots_; }

 private:
  static constexpr size_t kHeaderBytes = 4096;
  char* bytes() const { return static_cast<char*>(memory_); }
  size_t name_bytes() const { return sizeof(NameSlot) * name_slots_; }

  void* memory_ = nullptr;
  size_t size_ = 0, capacity_ = 0;
  uint32_t name_slots_ = 0;
};

// Names by number, the newest of them. A name in use keeps its place; one that was not used for half a round is forgotten.
class NameTable {
 public:
  explicit NameTable(SharedRing& ring) : ring_(ring) {}

  uint32_t intern(std::string_view name);
  // Empty when it is forgotten, or 0.
  std::string_view text(uint32_t number) const;

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  // Most names are texts that live long: where one was is a good guess at its number.
  struct Guess {
    const char* text = nullptr;
    uint32_t number = 0;
  };
  static constexpr size_t kGuesses = 1024;
  uint32_t find_or_add(std::string_view name);
  bool is_fresh(uint32_t number) const { return last_ - number < ring_.name_slots() / 2; }

  SharedRing& ring_;
  uint32_t last_ = 0;
  std::array<Guess, kGuesses> guesses_{};
  std::unordered_map<std::string, uint32_t, Hash, std::equal_to<>> numbers_;
};

// Shortened in its middle to at most `most` bytes, between two characters.
std::string shortened(std::string_view text, size_t most);

}  // namespace rondo::observe
