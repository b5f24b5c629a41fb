// See fault_signals.h.
#include "engine/patches/fault_signals.h"

#include <csignal>

namespace rondo::engine {

namespace {

constexpr int kFaults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP};
struct sigaction engine_actions[NSIG];

void on_fault(int number, siginfo_t* info, void* context) {
  if (info->si_code > 0) return engine_actions[number].sa_sigaction(number, info, context);
  signal(number, SIG_DFL);
  raise(number);  // held back until this handler returns
}

}  // namespace

void let_sent_faults_through() {
  for (const int number : kFaults) {
    struct sigaction action{};
    if (sigaction(number, nullptr, &action) < 0 || !(action.sa_flags & SA_SIGINFO) || action.sa_sigaction == on_fault)
      continue;
    engine_actions[number] = action;
    action.sa_sigaction = on_fault;
    sigaction(number, &action, nullptr);
  }
}

}  // namespace rondo::engine
