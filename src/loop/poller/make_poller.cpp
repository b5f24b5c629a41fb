// Chooses a loop's poller. Called once by each Loop.
#include <cstdlib>
#include <cstring>

#include "loop/poller/epoll_poller.h"
#include "rondo/poller.h"

namespace rondo {

std::unique_ptr<Poller> make_poller(Loop& loop, const char*) { return std::make_unique<EpollPoller>(loop); }

}  // namespace rondo
