// All coroutines that wait for something of a loop, and the place of the co_await that each is in: for a debugger's console, a
// signal handler's answer, a test that fails because something waits for ever.
//
//   for (const rondo::WaitingTask& task : rondo::waiting_tasks(loop)) ...
//   std::fputs(rondo::describe_waiting_tasks(loop).c_str(), stderr);
//
//   session.cpp:41 session(Loop&, UniqueFd)
//     in server.cpp:17 serve(Loop&)            (the task that awaits it)
//
// An Observer is told of each wait as it begins and ends (coroutine_waits, coroutine_goes_on). Loop's thread.
#pragma once

#include <source_location>
#include <string>
#include <vector>

#include "rondo/loop.h"

namespace [[gnu::visibility("default")]] rondo {

struct WaitingTask {
  // The innermost co_await first, then that of the task which awaits it, and so on.
  std::vector<std::source_location> places;
  bool is_spawned = false;  // no one owns it
};

std::vector<WaitingTask> waiting_tasks(Loop& loop);
// The same as text, tasks in the order in which they began to wait.
std::string describe_waiting_tasks(Loop& loop);

}  // namespace rondo
