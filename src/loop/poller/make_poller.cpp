// Chooses a loop's poller. Called once by each Loop.
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "loop/poller/epoll_poller.h"
#include "loop/poller/uring_poller.h"
#include "rondo/base/fatal.h"
#include "rondo/loop.h"
#include "rondo/poller.h"

namespace rondo {

std::unique_ptr<Poller> make_poller(Loop& loop, const char* preferred, int* error) {
  if (!preferred) preferred = std::getenv("RONDO_POLLER");
  const bool is_epoll = preferred && std::strcmp(preferred, "epoll") == 0;
  if (preferred && *preferred && !is_epoll && std::strcmp(preferred, "uring") != 0) {
    if (!error) misuse("LoopOptions::poller or RONDO_POLLER names no poller: there are \"uring\" and \"epoll\"");
    *error = EINVAL;
    return nullptr;
  }
  // A decider orders events one by one, which only readiness allows.
  if (!loop.decider() && !is_epoll) {
    if (auto poller = UringPoller::create(loop)) return poller;
  }
  auto poller = std::make_unique<EpollPoller>(loop);
  const int failed = poller->open();
  if (!failed) return poller;
  if (!error) fatal("cannot open the descriptors of a loop", failed);
  *error = failed;
  return nullptr;
}

}  // namespace rondo
