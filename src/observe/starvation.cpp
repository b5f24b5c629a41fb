// See starvation.h.
#include "observe/starvation.h"

namespace rondo::observe {

bool StarvationWatch::begin(TaskKind kind, uint32_t id, uint32_t newest_task) {
  if (kind != TaskKind::Tick && kind != TaskKind::Microtask) {
    origin_ = id;
    return false;
  }
  if (ticks_ + microtasks_ == 0) newest_at_start_ = newest_task;
  (kind == TaskKind::Tick ? ticks_ : microtasks_)++;
  return id > newest_at_start_ && ++recursive_ == kNoticedAt;
}

std::optional<StarvationWatch::Run> StarvationWatch::end() {
  std::optional<Run> over;
  if (is_noticed()) over = run();
  ticks_ = microtasks_ = recursive_ = 0;
  return over;
}

StarvationWatch::Run StarvationWatch::run() const {
  return {ticks_ >= microtasks_ ? TaskKind::Tick : TaskKind::Microtask, ticks_ + microtasks_, origin_};
}

}  // namespace rondo::observe
