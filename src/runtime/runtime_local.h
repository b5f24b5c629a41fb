// State of a native module that belongs to one Runtime: made when first asked for, destroyed with the Runtime, the newest first.
//
//     struct Counters { int open = 0; };          auto& counters = runtime.local<Counters>();
//
// A class with a constructor from Runtime& gets its Runtime. Thread: the Runtime's. It takes the place of thread-local and static
// variables, which would outlive a runtime and mix up two on one thread.
#pragma once

#include <atomic>
#include <concepts>
#include <memory>
#include <vector>

namespace rondo::runtime {

class Runtime;

class RuntimeLocals {
 public:
  RuntimeLocals() = default;
  RuntimeLocals(const RuntimeLocals&) = delete;
  RuntimeLocals& operator=(const RuntimeLocals&) = delete;
  ~RuntimeLocals() { clear(); }

  template <class T>
  T& get(Runtime& runtime) {
    if (kNumber<T> < slots_.size() && slots_[kNumber<T>]) [[likely]]
      return static_cast<Slot<T>*>(slots_[kNumber<T>])->value;
    return make<T>(runtime);
  }

  void clear() {
    while (!made_.empty()) {
      auto last = std::move(made_.back());
      made_.pop_back();
      slots_[last->number] = nullptr;
    }
  }

 private:
  struct AnySlot {
    explicit AnySlot(size_t number) : number(number) {}
    virtual ~AnySlot() = default;
    size_t number;
  };
  template <class T>
  struct Slot final : AnySlot {
    explicit Slot(size_t number) : AnySlot(number) {}
    Slot(size_t number, Runtime& runtime) : AnySlot(number), value(runtime) {}
    T value;
  };

  template <class T>
  T& make(Runtime& runtime) {
    constexpr size_t kRoom = 16;
    if (slots_.size() <= kNumber<T>) slots_.resize(kNumber<T> + kRoom);
    std::unique_ptr<Slot<T>> slot;
    if constexpr (std::constructible_from<T, Runtime&>)
      slot = std::make_unique<Slot<T>>(kNumber<T>, runtime);
    else
      slot = std::make_unique<Slot<T>>(kNumber<T>);
    T& value = slot->value;
    slots_[kNumber<T>] = slot.get();
    made_.push_back(std::move(slot));
    return value;
  }

  static size_t next_number() {
    static std::atomic<size_t> last{0};
    return last++;
  }
  template <class T>
  inline static const size_t kNumber = next_number();

  std::vector<AnySlot*> slots_;  // by number
  std::vector<std::unique_ptr<AnySlot>> made_;
};

}  // namespace rondo::runtime
