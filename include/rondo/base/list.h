// Intrusive doubly linked list. The node lives inside the element, so linking and unlinking
// never allocate and an element can leave whatever list it is in without knowing which.
// Not thread safe, owns nothing. Used by the loop's phase lists, the timer wheel and the pollers.
#pragma once

#include <cstddef>

namespace [[gnu::visibility("default")]] rondo {

struct ListNode {
  ListNode* next = this;
  ListNode* previous = this;

  ListNode() = default;
  ListNode(const ListNode&) = delete;
  ListNode& operator=(const ListNode&) = delete;
  ~ListNode() { unlink(); }

  bool is_linked() const { return next != this; }

  void unlink() {
    previous->next = next;
    next->previous = previous;  // NOLINT(clang-analyzer-cplusplus.NewDelete): what is freed has left
    next = previous = this;
  }
};

// T derives from ListNode. Elements still linked when the list dies are merely unlinked.
template <class T>
class List {
 public:
  List() = default;
  List(const List&) = delete;
  List& operator=(const List&) = delete;
  ~List() {
    while (!is_empty()) head_.next->unlink();  // NOLINT(clang-analyzer-cplusplus.NewDelete): what is freed has left
  }

  bool is_empty() const { return head_.next == &head_; }
  bool has_one() const { return head_.next != &head_ && head_.next == head_.previous; }
  T& front() { return static_cast<T&>(*head_.next); }  // NOLINT(clang-analyzer-cplusplus.NewDelete): the same
  const T& front() const { return static_cast<const T&>(*head_.next); }

  void push_back(T& element) {
    ListNode& node = element;
    node.previous = head_.previous;
    node.next = &head_;
    head_.previous->next = &node;
    head_.previous = &node;
  }

  T& pop_front() {
    T& element = front();
    static_cast<ListNode&>(element).unlink();
    return element;
  }

  // Moves every element of `other` to the end of this list, in order.
  void take(List& other) {
    if (other.is_empty()) return;
    ListNode* first = other.head_.next;
    ListNode* last = other.head_.previous;
    first->previous = head_.previous;
    head_.previous->next = first;
    last->next = &head_;
    head_.previous = last;
    other.head_.next = other.head_.previous = &other.head_;
  }

  // For walking by hand, from the first to one past the last.
  ListNode* first_node() { return head_.next; }
  const ListNode* end_node() const { return &head_; }

  // `visit` must not change the list.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (ListNode* node = head_.next; node != &head_; node = node->next) visit(static_cast<T&>(*node));
  }

 private:
  ListNode head_;
};

}  // namespace rondo
