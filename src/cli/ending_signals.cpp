// See ending_signals.h.
#include "cli/ending_signals.h"

#include "runtime/process.h"

#include <csignal>

namespace rondo::cli {

namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
constexpr int kExitBySignal = 128;

std::atomic<Async*> wake{nullptr};
std::atomic<int> first{0};

}  // namespace

EndingSignals::EndingSignals(Loop& loop)
    : wake_(loop, [] { runtime::Process::get().exit(kExitBySignal + first.load()); }) {
  wake_.unref();
  wake = &wake_;
  for (int number : kSignals) {
    struct sigaction before{};
    // Signals that the program listens for are its own.
    if (sigaction(number, nullptr, &before) < 0 || before.sa_handler != SIG_DFL) continue;
    struct sigaction action{};
    action.sa_handler = caught;
    action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, nullptr);
  }
}

EndingSignals::~EndingSignals() {
  for (int number : kSignals) {
    struct sigaction now{};
    if (sigaction(number, nullptr, &now) == 0 && now.sa_handler == caught) signal(number, SIG_DFL);
  }
  wake = nullptr;
}

void EndingSignals::caught(int number) {
  int none = 0;
  first.compare_exchange_strong(none, number);
  if (auto* async = wake.load()) async->send();
}

}  // namespace rondo::cli
