// The installed module, used without any header of ours. See tests/install_check.
#include <chrono>
#include <coroutine>
#include <cstdio>

import rondo;

rondo::Coroutine<int> answer(rondo::Loop& loop) {
  using namespace std::chrono_literals;
  const rondo::Result<void> slept = co_await loop.sleep(1ms);
  co_return slept ? 42 : 1;
}

int main() {
  rondo::Loop loop;
  rondo::TcpServer server(loop);
  if (!server.bind(rondo::Address::loopback4(0))) return 1;
  std::printf("%d\n", rondo::sync_wait(loop, answer(loop)));
}
