// Move-only callables. `Function` keeps captures of up to three words inside itself and only
// allocates for larger ones; `Callback` is the slot a handle keeps its function in: it survives
// being replaced or destroyed by the very call it is making. Not thread safe. An exception that leaves the callable
// ends the program (std::terminate, with the thrower still on the stack): the loop cannot be unwound.
#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace [[gnu::visibility("default")]] rondo {

inline constexpr std::size_t kFunctionInlineBytes = 3 * sizeof(void*);

template <class Signature>
class Function;
template <class Signature>
class Callback;

template <class R, class... Args>
class Function<R(Args...)> {
 public:
  Function() = default;
  Function(std::nullptr_t) {}

  template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, Function> && std::is_invocable_r_v<R, F&, Args...>)
  Function(F&& callable) {
    using Held = std::decay_t<F>;
    if constexpr (sizeof(Held) <= kFunctionInlineBytes && alignof(Held) <= alignof(void*) &&
                  std::is_nothrow_move_constructible_v<Held>) {
      new (storage_) Held(std::forward<F>(callable));
      invoke_ = [](void* storage, Args... args) noexcept -> R {
        return (*static_cast<Held*>(storage))(std::forward<Args>(args)...);
      };
      if constexpr (!(std::is_trivially_copyable_v<Held> && std::is_trivially_destructible_v<Held>)) {
        manage_ = [](void* from, void* to) {
          auto* held = static_cast<Held*>(from);
          if (to) new (to) Held(std::move(*held));
          held->~Held();
        };
      }
    } else {
      auto* held = new Held(std::forward<F>(callable));
      std::memcpy(storage_, &held, sizeof held);
      invoke_ = [](void* storage, Args... args) noexcept -> R {
        return (**static_cast<Held**>(storage))(std::forward<Args>(args)...);
      };
      manage_ = [](void* from, void* to) {
        if (to) {
          std::memcpy(to, from, sizeof(Held*));
        } else {
          delete *static_cast<Held**>(from);
        }
      };
    }
  }

  Function(Function&& other) noexcept { take(other); }
  Function& operator=(Function&& other) noexcept {
    if (this != &other) {
      reset();
      take(other);
    }
    return *this;
  }
  ~Function() { reset(); }

  explicit operator bool() const { return invoke_ != nullptr; }
  R operator()(Args... args) { return invoke_(storage_, std::forward<Args>(args)...); }

  void reset() {
    invoke_ = nullptr;
    if (auto* manage = std::exchange(manage_, nullptr)) manage(storage_, nullptr);
  }

 private:
  friend class Callback<R(Args...)>;
  struct Lent {};
  // For a Callback that runs it from the stack. Captures that may be copied as bytes are copied there and back, and the slot keeps the
  // rest; others move.
  Function(Function& slot, Lent) noexcept {
    if (slot.manage_) {
      take(slot);
    } else {
      invoke_ = slot.invoke_;
      std::memcpy(storage_, slot.storage_, sizeof storage_);
    }
  }
  void give_back(Function& lent) noexcept {
    if (lent.manage_) return take(lent);
    std::memcpy(storage_, lent.storage_, sizeof storage_);
  }
  void take(Function& other) {
    invoke_ = std::exchange(other.invoke_, nullptr);
    manage_ = std::exchange(other.manage_, nullptr);
    if (manage_) {
      manage_(other.storage_, storage_);
    } else {
      std::memcpy(storage_, other.storage_, sizeof storage_);
    }
  }

  R (*invoke_)(void*, Args...) = nullptr;
  void (*manage_)(void* from, void* to) = nullptr;  // moves to `to`, or destroys when `to` is null
  alignas(void*) std::byte storage_[kFunctionInlineBytes];
};

// A call runs the callable from the caller's stack and puts its captures back afterwards, so while it runs
// the slot may be assigned, cleared, called again or destroyed without pulling captures from under it.
template <class... Args>
class Callback<void(Args...)> {
 public:
  using Target = Function<void(Args...)>;

  Callback() = default;
  Callback(const Callback&) = delete;
  Callback& operator=(const Callback&) = delete;
  ~Callback() {
    if (running_) running_->destroyed = true;
  }

  explicit operator bool() const { return target_ || (running_ && !running_->replaced); }

  void set(Target target) {
    if (running_) running_->replaced = true;
    target_ = std::move(target);
  }

  // Empties the slot without destroying the callable, whose captures may own the slot's owner.
  Target take() {
    if (running_ && !std::exchange(running_->replaced, true)) target_.reset();  // the callable is the running call's
    return std::move(target_);
  }

  // Returns false when the slot itself was destroyed during the call; its owner is gone then.
  bool operator()(Args... args) {
    if (Frame* frame = running_; frame && !frame->replaced) {
      frame->target(std::forward<Args>(args)...);  // a nested call of the function that is running
      return !frame->destroyed;
    }
    if (!target_) return true;
    Frame frame(target_, running_);
    running_ = &frame;
    frame.target(std::forward<Args>(args)...);
    if (frame.destroyed) [[unlikely]] {
      if (frame.outer) frame.outer->destroyed = true;
      return false;
    }
    running_ = frame.outer;
    if (!frame.replaced) [[likely]]
      target_.give_back(frame.target);
    return true;
  }

 private:
  struct Frame {
    Frame(Target& slot, Frame* around) : target(slot, typename Target::Lent()), outer(around) {}
    Target target;
    Frame* outer;
    bool replaced = false;
    bool destroyed = false;
  };

  Target target_;
  Frame* running_ = nullptr;
};

}  // namespace rondo
