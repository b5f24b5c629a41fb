// The chat of chat.h in a simulated world: members that connect to a port, talk and leave, while transfers are cut short, connections
// break and descriptors run out. One run for each seed; a seed that breaks a promise is told and can be run alone.
//
//   example_chat_simulated [SEEDS]          example_chat_simulated 1 SEED
//
// Promises: what a member hears of another is what that one said, in its order and once; when the server has ended nothing is left.
#include <rondo/rondo.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "chat.h"

namespace {

using namespace std::chrono_literals;

constexpr int kLines = 5;

struct Heard {
  std::map<int, int> last;  // of each member: the number of the line heard last
  bool is_good = true;
};

// Says its lines, some time apart, and listens until the server ends or the connection breaks.
rondo::Coroutine<> member(rondo::Loop& loop, rondo::SeededDecider& chance, Heard& heard, rondo::CancelToken token) {
  rondo::Tcp stream(loop);
  const rondo::Result<void> connected = co_await stream.connect(rondo::Address::loopback4(7000), token);
  if (!connected) co_return;
  auto speak = [](rondo::Loop& l, rondo::Tcp& to, rondo::SeededDecider& c, rondo::CancelToken t) -> rondo::Coroutine<> {
    for (int i = 1; i <= kLines; i++) {
      const rondo::Result<void> slept = co_await l.sleep(std::chrono::microseconds(c.random(500)), t);
      const std::string line = std::to_string(i) + "\n";
      const rondo::Result<void> said = co_await to.write_all(rondo::as_bytes(line), t);
      if (!slept || !said) co_return;
    }
  }(loop, stream, chance, token);
  speak.start();
  rondo::BufferedReader reader(stream);
  for (;;) {
    const rondo::Result<std::string_view> line = co_await reader.read_line(token);
    if (!line) break;
    int who = 0, number = 0;
    if (std::sscanf(std::string(*line).c_str(), "%d: %d", &who, &number) != 2) continue;  // "* 2 comes"
    if (number != heard.last[who] + 1 && heard.last[who] != 0) heard.is_good = false;
    heard.last[who] = number;
  }
}

rondo::Coroutine<std::string> run(rondo::Loop& loop, rondo::SeededDecider& chance) {
  rondo::TcpServer server(loop);
  if (!server.bind(rondo::Address::any4(7000)) || !server.listen(8)) co_return "the server cannot listen";
  Chat chat(loop);
  rondo::CancelSource stop;
  std::vector<Heard> heard(4);
  rondo::TaskGroup all(loop);
  all.spawn(chat.serve(server, stop.token()));
  for (Heard& one : heard) all.spawn(member(loop, chance, one, stop.token()));
  (void)co_await loop.sleep(1s);
  stop.cancel();
  (void)co_await all.join();
  for (const Heard& one : heard) {
    if (!one.is_good) co_return "a line came twice, late or not at all";
  }
  co_return "";
}

}  // namespace

int main(int argc, char** argv) {
  const int seeds = argc > 1 ? std::atoi(argv[1]) : 300;
  const int first = argc > 2 ? std::atoi(argv[2]) : 1;
  std::size_t faults = 0;
  for (int seed = first; seed < first + seeds; seed++) {
    rondo::SeededDecider decider(static_cast<std::uint64_t>(seed)),
        chance(static_cast<std::uint64_t>(seed) + 1'000'000);
    rondo::SimWorld world(decider, {.descriptors = 3 + decider.random(12)});
    std::string wrong;
    {
      rondo::Loop loop(world.options());
      wrong = rondo::sync_wait(loop, run(loop, chance));
      loop.run();
    }
    if (wrong.empty() && world.is_stuck()) wrong = "the program waits for ever";
    if (wrong.empty() && world.open_descriptors() > 0) wrong = "descriptors are left";
    if (!wrong.empty()) return std::printf("seed %d: %s\n", seed, wrong.c_str()), 1;
    faults += world.faults();
  }
  std::printf("%d seeds hold, faults met: %s\n", seeds, faults > 0 ? "yes" : "no");
}
