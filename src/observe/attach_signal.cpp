// See attach_signal.h.
#include "observe/attach_signal.h"

#include "engine/patches/program_counter.h"
#include "observe/control.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>

#include <pthread.h>
#include <ucontext.h>
#include <unistd.h>

namespace rondo::observe {

namespace {

std::atomic<bool> is_taken{false};
std::atomic<uint64_t> token{0};
std::atomic<pid_t> watcher{0};
void (*connect_to)(const std::string& path) = nullptr;

void* run(void*) {
  char name[64];
  snprintf(name, sizeof name, "/%d-%016llx.sock", watcher.load(), static_cast<unsigned long long>(token.load()));
  connect_to(watch_folder() + name);
  return nullptr;
}

void on_signal(int, siginfo_t* info, void* context) {
  const bool is_asked = info->si_code == SI_QUEUE && info->si_uid == geteuid();
  if (!is_asked || !engine::is_lock_free_place(context) || is_taken.exchange(true)) return;
  const int before = errno;
  token = reinterpret_cast<uintptr_t>(info->si_value.sival_ptr);
  watcher = info->si_pid;
  sigset_t all, mask;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &mask);  // signals are for the program's threads
  pthread_t thread;
  if (pthread_create(&thread, nullptr, run, nullptr) == 0)
    pthread_detach(thread);
  else
    is_taken = false;
  pthread_sigmask(SIG_SETMASK, &mask, nullptr);
  errno = before;
}

}  // namespace

void install_attach_signal(void (*connect)(const std::string& path)) {
  connect_to = connect;
  struct sigaction action{};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGURG, &action, nullptr);
}

void allow_attach_again() { is_taken = false; }

}  // namespace rondo::observe
