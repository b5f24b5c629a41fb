// A chat with structured concurrency: every session is a child of one TaskGroup, so that its end ends them all before the state that they
// share goes. Lines that a member sends go to all others; a member that does not read is dropped. Used by chat_server.cpp and, as it
// is, by chat_simulated.cpp.
#pragma once

#include <rondo/rondo.h>

#include <cstdio>
#include <list>
#include <string>
#include <utility>

struct Member {
  Member(rondo::Loop& loop, int n) : stream(loop), number(n) {}
  rondo::Tcp stream;
  int number;
};

class Chat {
 public:
  explicit Chat(rondo::Loop& loop) : loop_(loop) {}

  rondo::Coroutine<> serve(rondo::TcpServer& server, rondo::CancelToken token) {
    rondo::TaskGroup sessions(loop_, token);
    for (;;) {
      rondo::Result<rondo::UniqueFd> connection = co_await server.accept(token);
      if (!connection) break;
      sessions.spawn(session(std::move(*connection), sessions.token()));
    }
    say(nullptr, "* the server goes\n");
    const rondo::Result<void> ended = co_await sessions.join();
    if (!ended) std::printf("sessions ended: %s\n", ended.error().name());
  }

 private:
  rondo::Coroutine<> session(rondo::UniqueFd connection, rondo::CancelToken token) {
    auto me = members_.emplace(members_.end(), loop_, ++count_);
    if (me->stream.open(std::move(connection))) {
      me->stream.set_queue_limit(64 * 1024);
      say(nullptr, "* " + std::to_string(me->number) + " comes\n");
      rondo::BufferedReader reader(me->stream, 4096);
      for (;;) {
        const rondo::Result<std::string_view> line = co_await reader.read_line(token);
        if (!line) break;
        say(&*me, std::to_string(me->number) + ": " + std::string(*line) + "\n");
      }
    }
    const int number = me->number;
    members_.erase(me);
    say(nullptr, "* " + std::to_string(number) + " goes\n");
  }

  void say(const Member* from, const std::string& text) {
    for (Member& member : members_) {
      if (&member == from || !member.stream.is_writable()) continue;
      // A queue that is full closes the stream; its session ends by that.
      if (!member.stream.write_copy(rondo::as_bytes(text))) member.stream.close();
    }
  }

  rondo::Loop& loop_;
  std::list<Member> members_;
  int count_ = 0;
};
