// Twenty coroutines count together over one connection; the client is in redis.h.
//
//   example_redis_client PORT [HOST]       sets, counts and lists; prints what it got
#include <rondo/rondo.h>

#include <cstdio>
#include <string>
#include <vector>

#include "redis.h"

namespace {

using namespace std::chrono_literals;

rondo::Coroutine<rondo::Result<void>> count_to(Redis& redis, int times) {
  for (int i = 0; i < times; i++) {
    std::vector<std::string> words{"INCR", "example:count"};  // not in the call: g++ 12 refuses a list there
    const auto reply = co_await redis.command(std::move(words));
    if (!reply) co_return std::unexpected(reply.error());
  }
  co_return rondo::Result<void>();
}

rondo::Coroutine<int> use(rondo::Loop& loop, std::string host, std::string port) {
  Redis redis(loop);
  const auto connected = co_await redis.connect(host, port);
  if (!connected) {
    std::printf("no connection: %s\n", connected.error().name());
    co_return 1;
  }
  std::vector<std::string> remove{"DEL", "example:count"};
  const auto removed = co_await redis.command(std::move(remove));
  rondo::TaskGroup group(loop);
  for (int i = 0; i < 20; i++) group.spawn(count_to(redis, 50));
  const rondo::Result<void> counted = co_await group.join();
  std::vector<std::string> get{"GET", "example:count"}, wrong{"NO", "SUCH"};
  const auto value = co_await rondo::with_timeout(loop, 5s, redis.command(std::move(get)));
  const auto refused = co_await redis.command(std::move(wrong));
  std::printf("counted %s, refused %s\n", value.value_or("nothing").c_str(), refused ? "no" : refused.error().name());
  co_return removed&& counted ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::puts("which port?"), 2;
  rondo::Loop loop;
  return rondo::sync_wait(loop, use(loop, argc > 2 ? argv[2] : "127.0.0.1", argv[1]));
}
