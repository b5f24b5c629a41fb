// See shared_ring.h.
#include "observe/shared_ring.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include <sys/mman.h>

namespace rondo::observe {

SharedRing::SharedRing(size_t capacity, uint32_t name_slots) : capacity_(capacity), name_slots_(name_slots) {
  size_ = kHeaderBytes + name_bytes() + capacity * sizeof(Record);
  memory_ = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory_ == MAP_FAILED) {
    fputs("rondo: no memory for the ledger\n", stderr);
    abort();
  }
  madvise(memory_, size_, MADV_HUGEPAGE);  // fewer faults while it fills
  new (memory_) RingHeader;
}

SharedRing::~SharedRing() { munmap(memory_, size_); }

uint32_t NameTable::intern(std::string_view name) {
  auto& guess = guesses_[reinterpret_cast<uintptr_t>(name.data()) / 16 % kGuesses];
  if (guess.text == name.data() && guess.number && is_fresh(guess.number) && text(guess.number) == name)
    return guess.number;
  const uint32_t number = find_or_add(name);
  guess = {name.data(), number};
  return number;
}

uint32_t NameTable::find_or_add(std::string_view name) {
  std::string cut;
  if (name.size() > NameSlot::kMost) name = cut = shortened(name, NameSlot::kMost);
  const uint32_t slots = ring_.name_slots();
  auto known = numbers_.find(name);
  if (known != numbers_.end() && is_fresh(known->second)) return known->second;
  const uint32_t number = ++last_;
  auto& slot = ring_.names()[number % slots];
  if (slot.number.load(std::memory_order_relaxed)) {
    auto old = numbers_.find(std::string_view(slot.text, slot.length));
    if (old != numbers_.end() && old->second + slots == number) numbers_.erase(old);
  }
  slot.number.store(0, std::memory_order_relaxed);
  std::memcpy(slot.text, name.data(), name.size());
  slot.length = static_cast<uint16_t>(name.size());
  slot.number.store(number, std::memory_order_release);
  ring_.header().names.store(number, std::memory_order_release);
  numbers_.insert_or_assign(std::string(name), number);
  return number;
}

std::string_view NameTable::text(uint32_t number) const {
  if (number == 0) return {};
  const auto& slot = ring_.names()[number % ring_.name_slots()];
  if (slot.number.load(std::memory_order_acquire) != number) return {};
  return {slot.text, slot.length};
}

std::string shortened(std::string_view text, size_t most) {
  constexpr std::string_view kGap = "…";
  if (text.size() <= most || most <= kGap.size()) return std::string(text.substr(0, most));
  const auto is_inside = [&](size_t at) { return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80; };
  // The end has the place in the file: it gets more of the room.
  size_t head = (most - kGap.size()) * 2 / 5;
  size_t tail = text.size() - (most - kGap.size() - head);
  while (head > 0 && is_inside(head)) head--;
  while (tail < text.size() && is_inside(tail)) tail++;
  return std::string(text.substr(0, head)) + std::string(kGap) + std::string(text.substr(tail));
}

}  // namespace rondo::observe
