// Events of the inspector's server on their way to the thread that runs the program. That thread takes them when its loop wakes, when
// its JavaScript is interrupted, or while the program is stopped, when it waits here.
//
// Thread: any.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

namespace rondo::inspector {

struct Event {
  enum class Kind : uint8_t {
    Connect,  // of the server
    Message,
    Disconnect,
    ThreadStarted,  // of another thread (threads.h): `connection` is its number
    ThreadEnded,
    LinkOpened,  // `connection` is the link's number
    LinkMessage,
    LinkClosed,
  };
  Kind kind = Kind::Connect;
  uint32_t connection = 0;
  std::string text;
};

class EventQueue {
 public:
  // Called after each push, by the thread that pushed; an empty one ends that.
  void set_notify(std::function<void()> notify) {
    const std::lock_guard lock(mutex_);
    notify_ = std::move(notify);
  }

  void push(Event event) {
    const std::lock_guard lock(mutex_);
    events_.push_back(std::move(event));
    arrived_.notify_all();
    if (notify_) notify_();
  }

  std::optional<Event> take() {
    const std::lock_guard lock(mutex_);
    return take_locked();
  }

  bool is_empty() {
    const std::lock_guard lock(mutex_);
    return events_.empty();
  }

  // None when the time is over.
  std::optional<Event> wait_for(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    arrived_.wait_for(lock, time, [this] { return !events_.empty(); });
    return take_locked();
  }

 private:
  std::optional<Event> take_locked() {
    if (events_.empty()) return std::nullopt;
    std::optional<Event> event(std::move(events_.front()));
    events_.pop_front();
    return event;
  }

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Event> events_;
  std::function<void()> notify_;
};

}  // namespace rondo::inspector
