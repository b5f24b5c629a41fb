// See traced_microtasks.h. One queue a thread, as there is one runtime a thread.
#include "runtime/traced_microtasks.h"

#include "engine/function_label.h"
#include "runtime/runtime.h"

namespace rondo::engine {
extern JSC::GlobalObjectMethodTable method_table;
}

namespace rondo::runtime {

namespace {

struct TracedMicrotask {
  Ref<JSC::Microtask> task;
  uint32_t id;
};

thread_local WTF::Deque<TracedMicrotask>* queue = nullptr;

void enqueue(JSC::JSGlobalObject& global, Ref<JSC::Microtask>&& task) {
  auto& observer = *Runtime::from(&global).observer();
  if (observer.wants_queuer()) observer.queuer(engine::running_function_label(global.vm()));
  uint32_t id = observer.queued(TaskKind::Microtask, JSC::jsUndefined(), 0);
  queue->append({WTFMove(task), id});
}

}  // namespace

void trace_microtasks(Runtime&) {
  if (!queue) queue = new WTF::Deque<TracedMicrotask>;
  engine::method_table.queueMicrotaskToEventLoop = enqueue;
}

void run_traced_microtasks(Runtime& runtime) {
  auto& observer = *runtime.observer();
  do {
    while (!queue->isEmpty()) {
      auto next = queue->takeFirst();
      observer.begin(TaskKind::Microtask, next.id);
      next.task->run(runtime.realm());
      observer.end(TaskKind::Microtask, next.id);
    }
    runtime.vm().drainMicrotasks();  // what the engine queued for itself
  } while (!queue->isEmpty());
}

}  // namespace rondo::runtime
