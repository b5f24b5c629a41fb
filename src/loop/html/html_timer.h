// One entry of the map of active timers. Private to the event loop.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "rondo/html/event_loop.h"
#include "rondo/timer.h"

namespace rondo::html {

struct EventLoop::HtmlTimer {
  HtmlTimer(std::int32_t number, Document* owner, bool again, double milliseconds, Function<void()> what)
      : id(number), document(owner), repeats(again), timeout(milliseconds), steps(std::move(what)) {}

  std::int32_t id;
  Document* document;
  bool repeats;
  std::uint8_t nesting_level = 0;
  double timeout;  // milliseconds, as given
  std::uint64_t arming = 0;  // tells a task of this timer from one of an older timer with its id
  Function<void()> steps;
  std::optional<rondo::Timer> timer;  // while it waits
};

}  // namespace rondo::html
