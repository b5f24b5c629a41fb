// A chat server; the chat itself is in chat.h. An interrupt ends all sessions and the server.
//
//   example_chat_server          then: nc 127.0.0.1 PORT, twice
#include <rondo/rondo.h>
#include <signal.h>

#include <cstdio>

#include "chat.h"

namespace {

rondo::Coroutine<> run(rondo::Loop& loop, rondo::TcpServer& server) {
  Chat chat(loop);
  rondo::CancelSource stop;
  rondo::TaskGroup group(loop);
  group.spawn(chat.serve(server, stop.token()));
  rondo::SignalEvents interrupts(loop, SIGINT);
  const rondo::Result<int> caught = co_await interrupts.next();
  stop.cancel();
  const rondo::Result<void> ended = co_await group.join();
  std::printf("%s by signal %d\n", ended ? "ended" : "failed", caught.value_or(0));
}

}  // namespace

int main() {
  rondo::Loop loop;
  rondo::TcpServer server(loop);
  if (!server.bind(rondo::Address::loopback4(0)) || !server.listen(128)) return 1;
  std::printf("LISTEN %d\n", server.local_address()->port());
  std::fflush(stdout);
  rondo::sync_wait(loop, run(loop, server));
}
