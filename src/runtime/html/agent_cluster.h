// The agents of one page: its first window's, and those of workers, worklets and windows of other origins, each a thread. The page goes on while one of
// them runs or a message between them has not been looked at by its receiver; on --virtual-time the clock stands for such a message, too.
//
// The count leaves zero only by the first agent's own doing (the others are idle then), on its thread; it may come back to zero on any thread.
#pragma once

#include "runtime/html/virtual_clock.h"

#include <functional>
#include <memory>
#include <mutex>
#include <utility>

namespace rondo::runtime {

class AgentCluster {
 public:
  explicit AgentCluster(std::shared_ptr<VirtualTime> time) : time_(std::move(time)) {}

  // For the first agent: `on_active` is called on its thread, `on_idle` on any. Nothing when it goes.
  void set_callbacks(std::function<void()> on_active, std::function<void()> on_idle);

  // An agent other than the first runs.
  void agent_runs();
  void agent_waits();
  // A port of another thread has been told that there is something for it; its thread looks at it (`clock`: that agent's, or null).
  void message_sent();
  void message_seen(VirtualClock* clock);
  bool is_idle();

 private:
  void add();
  void remove();

  const std::shared_ptr<VirtualTime> time_;  // null on the real clock
  std::mutex mutex_;
  int count_ = 0;
  std::function<void()> on_active_;
  std::function<void()> on_idle_;
};

// Whether one agent, other than the first, counts as running. From its making, on its owner's thread, to its owner's hearing of its end it does,
// except while it waits for messages.
class AgentActivity {
 public:
  explicit AgentActivity(std::shared_ptr<AgentCluster> cluster) : cluster_(std::move(cluster)) {
    cluster_->agent_runs();
  }
  ~AgentActivity() { set_running(false); }
  AgentActivity(const AgentActivity&) = delete;
  AgentActivity& operator=(const AgentActivity&) = delete;

  void set_running(bool is_running) {
    if (std::exchange(is_running_, is_running) == is_running) return;
    is_running ? cluster_->agent_runs() : cluster_->agent_waits();
  }

 private:
  const std::shared_ptr<AgentCluster> cluster_;
  bool is_running_ = true;
};

}  // namespace rondo::runtime
