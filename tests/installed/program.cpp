// A program of an outsider, who knows only what is installed: tests/install_check and tests/shared_check build it, and expect 42.
#include <rondo/rondo.h>

#include <chrono>
#include <cstdio>
#include <string_view>

using namespace std::chrono_literals;

rondo::Coroutine<> talk(rondo::Loop& loop, rondo::Channel<int>& numbers) {
  rondo::TimeLimit limit(loop, 20s);
  const rondo::Result<int> number = co_await numbers.pop(limit.token());
  const rondo::Result<int> doubled = co_await rondo::on_pool(loop, [n = number.value_or(0)] { return 2 * n; });
  std::printf("%d\n", doubled.value_or(0));
}

int main() {
  static_assert(RONDO_VERSION_NUMBER >= 100);
  if (std::string_view(rondo::version()).empty()) return 2;
  rondo::Loop loop;
  rondo::Channel<int> numbers(loop);
  rondo::spawn(talk(loop, numbers));
  rondo::Timer timer(loop);
  timer.start(1ms, [&] { (void)numbers.try_push(21); });
  return loop.run() ? 1 : 0;
}
