// A DNS client: the system's look-up and DNS queries of several types side by side, with a time limit for all of them.
//
//   example_dns_client NAME [SERVER]        SERVER: "127.0.0.1:5353"
#include <rondo/rondo.h>

#include <cstdio>
#include <string>
#include <utility>

namespace {

using namespace std::chrono_literals;
using Answer = rondo::Result<std::vector<rondo::DnsRecord>>;

rondo::Coroutine<Answer> ask(rondo::Resolver& resolver, std::string name, rondo::DnsType type) {
  co_return co_await rondo::query(resolver, name, type);
}

void print(const char* type, const Answer& answer) {
  if (!answer) {
    std::printf("%s: %s\n", type, rondo::dns_error_name(answer.error().number));
    return;
  }
  for (const rondo::DnsRecord& record : *answer) std::printf("%s: %s (%u s)\n", type, record.value.c_str(), record.ttl);
}

rondo::Coroutine<int> run(rondo::Loop& loop, std::string name, std::string server) {
  const auto system = co_await rondo::look_up(loop, name);
  if (!system) {
    std::printf("system: %s\n", system.error().name());
  } else {
    for (const rondo::Address& address : *system) std::printf("system: %s\n", address.host().c_str());
  }
  rondo::Resolver resolver(loop, {.timeout_ms = 1000, .tries = 2});
  if (!server.empty() && resolver.set_servers({server}) != 0) co_return 2;
  auto all = co_await rondo::with_timeout(
      loop, 5s,
      rondo::when_all(ask(resolver, name, rondo::DnsType::A), ask(resolver, name, rondo::DnsType::Aaaa),
                      ask(resolver, name, rondo::DnsType::Mx)));
  if (!all) {
    std::puts("no answers in time");
    co_return 1;
  }
  print("A", std::get<0>(*all));
  print("AAAA", std::get<1>(*all));
  print("MX", std::get<2>(*all));
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::puts("which name?"), 2;
  rondo::Loop loop;
  return rondo::sync_wait(loop, run(loop, argv[1], argc > 2 ? argv[2] : ""));
}
