// Intrusive stack that any thread pushes onto without a lock and one thread takes down whole: wake-ups, posts and finished jobs of a loop,
// jobs submitted to the pool, messages of a mailbox. Items are not owned. Taking all at once leaves nothing for the ABA problem.
// A push is sequentially consistent: it pairs with flags ("I sleep") that its caller reads afterwards.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace rondo {

template <class T>
class LockFreeStack;

// Base of an item: the pointer to the one pushed before it.
template <class T>
class StackLink {
  friend class LockFreeStack<T>;
  T* next_in_stack_ = nullptr;
};

template <class T>
class LockFreeStack {
 public:
  enum class Pushed : std::uint8_t { First, Another, Refused };

  Pushed push(T& item) { return push_all(item, item); }
  // Items that are linked already, from `newest` to `oldest`. Refused: the stack is closed.
  Pushed push_all(T& newest, T& oldest) {
    T* head = head_.load(std::memory_order_relaxed);
    do {
      if (head == closed_mark()) return Pushed::Refused;
      next(oldest) = head;
    } while (!head_.compare_exchange_weak(head, &newest, std::memory_order_seq_cst, std::memory_order_relaxed));
    return head ? Pushed::Another : Pushed::First;
  }

  // A closed stack counts as empty.
  bool is_empty(std::memory_order order = std::memory_order_seq_cst) const {
    const T* head = head_.load(order);
    return !head || head == closed_mark();
  }
  // Without taking it; for stacks that are never taken down while another thread walks along them.
  T* newest() const {
    T* head = head_.load(std::memory_order_acquire);
    return head == closed_mark() ? nullptr : head;
  }
  // All items, newest first.
  T* take() {
    return is_empty(std::memory_order_relaxed) ? nullptr : head_.exchange(nullptr, std::memory_order_acquire);
  }
  T* take_oldest_first() { return reversed(take()); }
  // The same, and from now on pushes are refused.
  T* close() {
    T* head = head_.exchange(closed_mark(), std::memory_order_seq_cst);
    return head == closed_mark() ? nullptr : head;
  }

  // Lists of taken items belong to their taker.
  static T*& next(T& item) { return static_cast<StackLink<T>&>(item).next_in_stack_; }
  static T* next(const T& item) { return static_cast<const StackLink<T>&>(item).next_in_stack_; }
  static T* reversed(T* list) {
    T* turned = nullptr;
    while (list) {
      T* following = std::exchange(next(*list), turned);
      turned = std::exchange(list, following);
    }
    return turned;
  }
  // Removes the first item of a list.
  static T& pop(T*& list) { return *std::exchange(list, next(*list)); }

 private:
  // No item has this address.
  static T* closed_mark() { return reinterpret_cast<T*>(std::uintptr_t{1}); }  // NOLINT(performance-no-int-to-ptr)

  std::atomic<T*> head_{nullptr};
};

}  // namespace rondo
