// Exit codes of a program that does not choose its own, as Node has them: https://nodejs.org/api/process.html#exit-codes.
#pragma once

namespace rondo::runtime {

inline constexpr int kExitUncaught = 1;
inline constexpr int kExitStopped = 1;  // a worker that its owner ends
inline constexpr int kExitHandlerThrew = 7;
inline constexpr int kExitBadOption = 9;

}  // namespace rondo::runtime
