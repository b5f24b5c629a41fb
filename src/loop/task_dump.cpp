// Walks the loop's list of waiting coroutines.
#include "rondo/task_dump.h"

#include "rondo/coroutine_type.h"
#include "rondo/detail/loop_access.h"

namespace rondo {

std::vector<WaitingTask> waiting_tasks(Loop& loop) {
  std::vector<WaitingTask> tasks;
  detail::LoopAccess::waiting(loop).for_each([&](const detail::CoroutinePromiseBase& waiting) {
    WaitingTask& task = tasks.emplace_back();
    const detail::CoroutinePromiseBase* outermost = &waiting;
    for (const auto* at = &waiting; at; at = at->awaited_by) {
      task.places.push_back(at->place);
      outermost = at;
    }
    task.is_spawned = outermost->is_detached;
  });
  return tasks;
}

std::string describe_waiting_tasks(Loop& loop) {
  std::string text;
  for (const WaitingTask& task : waiting_tasks(loop)) {
    for (const std::source_location& place : task.places) {
      if (&place != &task.places.front()) text += "  in ";
      text.append(place.file_name()).append(":").append(std::to_string(place.line())).append(" ");
      text.append(place.function_name()).append("\n");
    }
  }
  return text;
}

}  // namespace rondo
