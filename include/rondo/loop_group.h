// Several loops, a thread each: a server on all cores. The loops share nothing; with TcpBind::ReusePort each has a listener of its own
// on one port, and the kernel spreads the connections.
//
//   rondo::LoopGroup group(4, [&](rondo::Loop& loop, std::size_t index, rondo::CancelToken stop) -> rondo::Coroutine<> {
//     rondo::TcpServer server(loop);
//     if (!server.bind(address, rondo::TcpBind::ReusePort) || !server.listen(511)) co_return;
//     co_await serve(loop, server, stop);             // until `stop` is cancelled, and its sessions have ended
//   });
//   ...
//   group.stop();                                     // any thread
//   group.join();                                     // returns when every body has ended
//
//  LG1 The constructor returns when all loops exist; each body runs on its own thread, and its loop until the body has ended.
//  LG2 stop() cancels the token of every body, on that body's thread. Graceful: a body ends when it likes.
//  LG3 post() and broadcast() run functions on the loops' threads. After a body has ended its loop refuses them: false.
//  LG4 The destructor stops and joins. The body outlives the threads; coroutine lambdas may use their captures.
//
// Thread: any for stop(), post() and broadcast(); one for join() and destruction, which must not be a loop's of the group.
#pragma once

#include <cstddef>
#include <functional>
#include <latch>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "rondo/cancel.h"
#include "rondo/coroutine_type.h"
#include "rondo/loop.h"
#include "rondo/loop_address.h"
#include "rondo/task_group.h"

namespace [[gnu::visibility("default")]] rondo {

class LoopGroup {
 public:
  using Body = std::function<Coroutine<void>(Loop&, std::size_t index, CancelToken stop)>;

  LoopGroup(std::size_t count, Body body)
      : body_(std::move(body)), all_exist_(static_cast<std::ptrdiff_t>(count)), members_(count) {
    for (std::size_t i = 0; i < count; i++) members_[i].thread = std::thread([this, i] { run(i); });
    all_exist_.wait();
  }
  LoopGroup(const LoopGroup&) = delete;
  LoopGroup& operator=(const LoopGroup&) = delete;
  ~LoopGroup() {
    stop();
    join();
  }

  void stop() {
    for (const Member& member : members_) {
      (void)member.address.post([source = member.stop] { source->cancel(); });
    }
  }
  void join() {
    for (Member& member : members_) {
      if (member.thread.joinable()) member.thread.join();
    }
  }
  // False when that loop has gone.
  [[nodiscard]] bool post(std::size_t index, Function<void()> function) const {
    return members_[index].address.post(std::move(function));
  }
  // A copy for each loop that is still there; returns how many.
  template <class F>
  std::size_t broadcast(const F& function) const {
    std::size_t count = 0;
    for (const Member& member : members_) count += member.address.post(F(function)) ? 1 : 0;
    return count;
  }

  std::size_t size() const { return members_.size(); }
  LoopAddress address(std::size_t index) const { return members_[index].address; }

 private:
  struct Member {
    std::thread thread;
    LoopAddress address;
    CancelSource* stop = nullptr;  // used on the loop's thread, while the loop exists
  };

  void run(std::size_t index) {
    CancelSource source;
    Loop loop;
    members_[index].address = loop.address();
    members_[index].stop = &source;
    all_exist_.arrive_and_wait();  // no one asks before all addresses are there
    const Loop::KeepAlive keep_alive(loop);  // a body may wait for nothing but stop()
    sync_wait(loop, body_(loop, index, source.token()));
  }

  Body body_;
  std::latch all_exist_;
  std::vector<Member> members_;
};

}  // namespace rondo
