// Small arrays shared with JavaScript: counts and flags both sides read without a call.
#pragma once

#include <cstdint>

namespace rondo::runtime {

// How much of the async context somebody wants to know.
enum class AsyncTracking : int32_t {
  None,
  Context,  // a program has set one (AsyncLocalStorage): it travels along
  Hooks,  // a program has asked for ids, or listens: resources are known one by one
};

struct SharedState {
  enum Field : uint8_t {
    HasQueuedWork,  // or microtasks
    HasRejections,
    ImmediateCount,
    ImmediateRefCount,
    ImmediatesOutstanding,
    Tracking,  // an AsyncTracking
    FieldCount
  };
  int32_t fields[FieldCount] = {};
};

}  // namespace rondo::runtime
