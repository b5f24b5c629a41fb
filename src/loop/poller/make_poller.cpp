// Chooses a loop's poller. Called once by each Loop.
#include <cstdlib>
#include <cstring>

#include "loop/poller/epoll_poller.h"
#include "loop/poller/uring_poller.h"
#include "rondo/loop.h"
#include "rondo/poller.h"

namespace rondo {

std::unique_ptr<Poller> make_poller(Loop& loop, const char* preferred) {
  if (!preferred) preferred = std::getenv("RONDO_POLLER");
  // A decider orders events one by one, which only readiness allows.
  const bool wants_epoll = loop.decider() || (preferred && std::strcmp(preferred, "epoll") == 0);
  if (!wants_epoll) {
    if (auto poller = UringPoller::create(loop)) return poller;
  }
  return std::make_unique<EpollPoller>(loop);
}

}  // namespace rondo
