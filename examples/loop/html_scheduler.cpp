// The HTML Standard's event loop as a scheduler: tasks of several sources, one of the program's own, microtasks, timers, animation
// frames and idle time, at exact times of a clock that jumps.
//
//   example_html_scheduler
#include <rondo/html.h>
#include <rondo/rondo.h>

#include <cstdio>
#include <string>

namespace {

namespace html = rondo::html;

class Page : public html::Document {
 public:
  using html::Document::Document;
};

}  // namespace

int main() {
  rondo::ManualClock clock(rondo::ManualClock::Mode::AutoAdvance);
  rondo::Loop reactor({.clock = &clock});
  html::EventLoop loop(reactor, {.policy = html::make_policy("priority")});
  html::BrowsingContext context(loop);
  Page page(context);
  context.present(&page);
  const rondo::Nanoseconds began = reactor.now();
  const auto say = [&](const std::string& what) {
    std::printf("%3lld ms %s\n", static_cast<long long>((reactor.read_clock() - began) / 1'000'000), what.c_str());
  };

  const html::TaskSource sensors = *loop.add_task_source("sensors");
  loop.queue_a_task(sensors, &page, [&] { say("a task of " + std::string(loop.name_of_source(sensors))); });
  loop.queue_a_task(html::TaskSource::Networking, &page, [&] {
    say("networking");
    loop.queue_a_microtask([&] { say("its microtask"); });
  });
  loop.queue_a_task(html::TaskSource::UserInteraction, &page, [&] { say("interaction, before the others"); });
  int frames = 0;
  const auto frame = [&](auto& self) -> void {
    page.request_animation_frame([&](rondo::Nanoseconds) {
      say("frame");
      if (++frames < 3) self(self);
    });
  };
  frame(frame);
  loop.initialize_a_timer(&page, 100, false, [&] {
    say("timer");
    loop.stop();
  });
  loop.run();
}
