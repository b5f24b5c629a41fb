// See agent_cluster.h.
#include "runtime/html/agent_cluster.h"

namespace rondo::runtime {

void AgentCluster::set_callbacks(std::function<void()> on_active, std::function<void()> on_idle) {
  const std::lock_guard lock(mutex_);
  on_active_ = std::move(on_active);
  on_idle_ = std::move(on_idle);
}

void AgentCluster::add() {
  const std::lock_guard lock(mutex_);
  if (count_++ == 0 && on_active_) on_active_();
}

void AgentCluster::remove() {
  const std::lock_guard lock(mutex_);
  if (--count_ == 0 && on_idle_) on_idle_();
}

bool AgentCluster::is_idle() {
  const std::lock_guard lock(mutex_);
  return count_ == 0;
}

void AgentCluster::agent_runs() { add(); }
void AgentCluster::agent_waits() { remove(); }

void AgentCluster::message_sent() {
  add();
  if (time_) time_->hold();
}

void AgentCluster::message_seen(VirtualClock* clock) {
  if (clock) clock->release();
  remove();
}

}  // namespace rondo::runtime
