// The client of redis.h in a simulated world, with a Redis of our own on the other side: names that do not resolve at once, connections
// that time out or break in the middle of a command. One run for each seed.
//
//   example_redis_simulated [SEEDS]          example_redis_simulated 1 SEED
//
// Promise: a counter is at least what was confirmed and at most what was asked for. (Not: exactly what was confirmed. A command of a
// connection that broke may have run; the simulation finds a program that believes otherwise within a few seeds.)
#include <rondo/rondo.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "redis.h"

namespace {

using namespace std::chrono_literals;

// Knows one command, INCR of one counter.
struct FakeRedis {
  explicit FakeRedis(rondo::Loop& l) : loop(l), server(l) {}

  rondo::Coroutine<> serve(rondo::CancelToken token) {
    rondo::TaskGroup sessions(loop, token);
    for (;;) {
      rondo::Result<rondo::UniqueFd> connection = co_await server.accept(token);
      if (!connection) break;
      sessions.spawn(session(std::move(*connection), sessions.token()));
    }
    (void)co_await sessions.join();
  }
  rondo::Coroutine<> session(rondo::UniqueFd connection, rondo::CancelToken token) {
    rondo::Tcp stream(loop);
    if (!stream.open(std::move(connection))) co_return;
    rondo::BufferedReader reader(stream);
    for (;;) {
      for (int line = 0; line < 5; line++) {  // *2 $4 INCR $1 n
        const rondo::Result<std::string_view> read = co_await reader.read_line(token);
        if (!read) co_return;
      }
      const std::string reply = ":" + std::to_string(++counter) + "\r\n";
      const rondo::Result<void> sent = co_await stream.write_all(rondo::as_bytes(reply), token);
      if (!sent) co_return;
    }
  }

  rondo::Loop& loop;
  rondo::TcpServer server;
  int counter = 0;
};

struct Tally {
  int asked = 0, confirmed = 0;
};

// Counts ten times; a connection that fails is made anew, a command that fails is not repeated.
rondo::Coroutine<> count(rondo::Loop& loop, Tally& tally) {
  std::unique_ptr<Redis> redis;
  for (int left = 10, tries = 0; left > 0 && tries < 100; tries++) {
    if (!redis) {
      redis = std::make_unique<Redis>(loop);
      const rondo::Result<void> connected = co_await redis->connect("redis.test", "redis");
      if (!connected) {
        redis.reset();
        (void)co_await loop.sleep(10ms);
        continue;
      }
    }
    std::vector<std::string> words{"INCR", "n"};
    tally.asked++;
    left--;
    const auto reply = co_await rondo::with_timeout(loop, 1s, redis->command(std::move(words)));
    if (reply) {
      tally.confirmed++;
    } else {
      redis.reset();
    }
  }
}

rondo::Coroutine<std::string> run(rondo::Loop& loop) {
  FakeRedis fake(loop);
  if (!fake.server.bind(rondo::Address::any4(6379)) || !fake.server.listen(8)) co_return "no server";
  rondo::CancelSource stop;
  Tally tally;
  rondo::TaskGroup servers(loop), clients(loop);
  servers.spawn(fake.serve(stop.token()));
  for (int i = 0; i < 3; i++) clients.spawn(count(loop, tally));
  (void)co_await clients.join();
  stop.cancel();
  (void)co_await servers.join();
  if (fake.counter < tally.confirmed) co_return "a confirmed command did not run";
  if (fake.counter > tally.asked) co_return "a command ran twice";
  co_return "";
}

}  // namespace

int main(int argc, char** argv) {
  const int seeds = argc > 1 ? std::atoi(argv[1]) : 300;
  const int first = argc > 2 ? std::atoi(argv[2]) : 1;
  std::size_t faults = 0;
  for (int seed = first; seed < first + seeds; seed++) {
    rondo::SeededDecider decider(static_cast<std::uint64_t>(seed));
    rondo::SimWorld world(decider);
    world.set_host("redis.test", {*rondo::Address::ip("10.0.0.1", 0)});
    std::string wrong;
    {
      rondo::Loop loop(world.options());
      wrong = rondo::sync_wait(loop, run(loop));
      loop.run();
    }
    if (wrong.empty() && world.is_stuck()) wrong = "the program waits for ever";
    if (!wrong.empty()) return std::printf("seed %d: %s\n", seed, wrong.c_str()), 1;
    faults += world.faults();
  }
  std::printf("%d seeds hold, faults met: %s\n", seeds, faults > 0 ? "yes" : "no");
}
