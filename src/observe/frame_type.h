// Types of the frames that a watched process sends (control.h); lib/internal/observe/wire.js reads them from native('observe').
#pragma once

#include <cstddef>
#include <cstdint>

namespace rondo::observe {

constexpr char kJsonFrame = 'J', kNamesFrame = 'N', kRecordsFrame = 'R';
constexpr size_t kFrameHead = sizeof(uint32_t) + 1;  // length, type

}  // namespace rondo::observe
