// libuv's uv_loop_t as addons see it: one for each Runtime, in front of that Runtime's loop. Thread: the Runtime's.
#pragma once

#include "modules/napi/env.h"

#include <uv.h>

namespace rondo::modules::napi {

struct UvLoop {
  uv_loop_t loop{};  // first, so that the address of one is that of the other
  Addons* addons = nullptr;
};

inline Addons& addons_of(uv_loop_t* loop) { return *reinterpret_cast<UvLoop*>(loop)->addons; }

}  // namespace rondo::modules::napi
