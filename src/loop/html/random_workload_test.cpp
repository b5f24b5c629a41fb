// Ten thousand seeds of a random workload: tasks of all sources, documents that come and go from view, microtasks, timers, frames and
// idle callbacks, under each policy. Invariants of all of them:
//   - tasks of one source and document run in the order of queueing, each at most once;
//   - none runs while its document is not fully active;
//   - a checkpoint is never inside another, and no microtask is left when a task begins;
//   - in the end nothing is left but tasks of inactive documents, and those run when they are active again.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "loop/html/test_window.h"
#include "loop/sim/seeds.h"

namespace rondo::html {
namespace {

class Workload {
 public:
  explicit Workload(std::uint64_t seed) : random_(seed), loop_(reactor_, options(seed)) {
    for (int i = 0; i < 3; i++) {
      contexts_.push_back(std::make_unique<BrowsingContext>(loop_, i == 2 ? documents_[0].get() : nullptr));
      documents_.push_back(std::make_unique<TestDocument>(*contexts_.back()));
      contexts_.back()->present(documents_.back().get());
    }
  }
  ~Workload() {
    while (!contexts_.empty()) {
      documents_.pop_back();
      contexts_.pop_back();
    }
  }

  std::string run() {
    for (int i = 0; i < 20; i++) act();
    loop_.perform_a_microtask_checkpoint();
    loop_.run();
    for (std::size_t i = 0; i < contexts_.size(); i++) contexts_[i]->present(documents_[i].get());
    budget_ = 0;
    loop_.run();
    if (breach_.empty() && queued_ != ran_) return "tasks were lost";
    if (breach_.empty() && loop_.has_microtasks()) return "microtasks left";
    return breach_;
  }

 private:
  EventLoopOptions options(std::uint64_t seed) {
    EventLoopOptions made{.host = &host_};
    policy_ = seed % 3;
    if (policy_ == 1) made.policy = make_policy("priority");
    if (policy_ == 2) made.policy = std::make_unique<SeededPolicy>(seed);
    return made;
  }

  void act() {
    if (budget_ <= 0) return;
    budget_--;
    const std::size_t which = random_() % 4;
    Document* document = which == 3 ? nullptr : documents_[which].get();
    switch (random_() % 12) {
      case 0:
        if (document) contexts_[which]->present(random_() % 2 ? document : nullptr);
        break;
      case 1:
        loop_.queue_a_microtask([this] { microtask(); });
        break;
      case 2:
        loop_.initialize_a_timer(document, static_cast<double>(random_() % 8), false, [this] { act(); });
        break;
      case 3:
        if (document) document->request_animation_frame([this](Nanoseconds) { act(); });
        break;
      case 4:
        if (document) document->request_idle_callback([this](const IdleDeadline&) { act(); });
        break;
      case 5:
        clock_.advance(Duration(random_() % 5'000'000));
        break;
      default:
        queue(document, which);
    }
  }

  void microtask() {
    const std::uint64_t before = loop_.checkpoints();
    loop_.perform_a_microtask_checkpoint();
    if (loop_.checkpoints() != before) breach_ = "a checkpoint inside a checkpoint";
    act();
  }

  void queue(Document* document, std::size_t which) {
    const auto source = static_cast<TaskSource>(random_() % kTaskSources);
    queued_++;
    loop_.queue_a_task(source, document, [this, source, which, document] {
      ran_++;
      const std::uint64_t running = loop_.currently_running_task()->id;
      std::uint64_t& last = last_[{source, which}];
      if (running <= last) breach_ = "the order within a source was changed";
      last = running;
      if (document && !document->is_fully_active()) breach_ = "a task of an inactive document ran";
      if (loop_.has_microtasks()) breach_ = "a task began before all microtasks had run";
      act();
      act();
    });
  }

  std::mt19937_64 random_;
  ManualClock clock_{ManualClock::Mode::AutoAdvance};
  Loop reactor_{LoopOptions{.clock = &clock_, .poller = "epoll"}};
  TestHost host_;
  std::uint64_t policy_ = 0;
  EventLoop loop_;
  std::vector<std::unique_ptr<BrowsingContext>> contexts_;
  std::vector<std::unique_ptr<TestDocument>> documents_;
  std::map<std::pair<TaskSource, std::size_t>, std::uint64_t> last_;
  std::string breach_;
  int budget_ = 150;
  std::uint64_t queued_ = 0, ran_ = 0;
};

TEST(HtmlRandomWorkload, S175_S176_S197_S216_invariants_over_ten_thousand_seeds) {
  rondo::testing::run_seeds(rondo::testing::Seeds(10'000), [](std::uint64_t seed) { return Workload(seed).run(); });
}

}  // namespace
}  // namespace rondo::html
