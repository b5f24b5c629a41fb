// Mailboxes between runtimes in threads of their own: channels whose ends the test hands over, ports that travel, broadcasts, and
// runtimes that end while messages are on their way.
#include "engine/core/entry.h"
#include "engine/core/native_object.h"
#include "modules/registry.h"
#include "runtime/threads/mailbox.h"
#include "runtime/runtime.h"

#include <atomic>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace rondo::runtime {
namespace {

// Runs a program in which `port` is the port to `end`.
int run_with_port(std::unique_ptr<PortEnd> end, const std::string& program) {
  Loop loop;
  Runtime runtime(
      loop, {.natives = modules::all(), .argv = {"rondo"}, .exec_argv = {}, .exec_path = "rondo", .rank = Rank::Other});
  if (!runtime.boot()) return -1;
  runtime.end_startup();
  auto* realm = runtime.realm();
  if (end) {
    JSC::JSObject* library = JSC::asObject(runtime.builtins().require("internal/messaging/message_channel"));
    engine::Value make = library->get(realm, engine::identifier(runtime.vm(), "ReceivedPort"));
    JSC::MarkedArgumentBuffer arguments;
    arguments.append(engine::make_held(realm, std::unique_ptr<engine::Transferable>(std::move(end))));
    auto made = engine::call(realm, make, JSC::jsUndefined(), arguments);
    engine::put(realm, realm, "port", made.value);
  }
  auto* request = engine::make_object(realm);
  engine::put(realm, request, "action", engine::make_string(runtime.vm(), "eval"));
  engine::put(realm, request, "text", engine::make_string(runtime.vm(), program));
  engine::put(realm, request, "options", engine::make_object(realm));
  return runtime.run(runtime.builtins().require("bootstrap/90_main"), request);
}

struct Codes {
  int first, second;
};

Codes run_both(const std::string& first, const std::string& second) {
  auto [one, two] = ChannelEnd::make_pair();
  Codes codes{};
  std::thread thread(
      [&codes, &second, end = std::move(two)]() mutable { codes.second = run_with_port(std::move(end), second); });
  codes.first = run_with_port(std::move(one), first);
  thread.join();
  return codes;
}

// Something that is sent and says when it has gone.
class Passenger final : public PortEnd {
 public:
  explicit Passenger(std::atomic<int>& alive) : PortEnd(std::make_shared<Mailbox>()), alive_(alive) { alive_++; }
  ~Passenger() override { alive_--; }
  void send(engine::Serialized) override {}
  bool leads_to(const PortEnd&) const override { return false; }

 private:
  std::atomic<int>& alive_;
};

engine::Serialized message_with(std::atomic<int>& alive) {
  engine::Serialized message;
  message.with_transferables().carried.push_back(std::make_unique<Passenger>(alive));
  return message;
}

TEST(MailboxTest, messages_come_in_order_from_several_threads) {
  Loop loop;
  Mailbox box;
  constexpr uint32_t kSenders = 3, kEach = 20'000;
  uint32_t next[kSenders] = {}, received = 0;
  int wakes = 0;
  Async wake(loop, [&] {
    wakes++;
    while (box.has_message()) {
      auto message = box.take();
      uint32_t sender = message.bytes.data()[0], number = 0;
      memcpy(&number, message.bytes.data() + 1, sizeof number);
      EXPECT_EQ(number, next[sender]++);
      received++;
    }
    if (received == kSenders * kEach) wake.close();
  });
  struct Receiver final : MailboxReceiver {
    explicit Receiver(Async& wake) : wake(wake) {}
    void notify() override { wake.send(); }
    Async& wake;
  } receiver(wake);
  box.set_receiver(&receiver);
  std::vector<std::thread> threads;
  for (uint32_t sender = 0; sender < kSenders; sender++) {
    threads.emplace_back([&box, sender] {
      for (uint32_t number = 0; number < kEach; number++) {
        engine::Serialized message;
        uint8_t bytes[1 + sizeof number] = {static_cast<uint8_t>(sender)};
        memcpy(bytes + 1, &number, sizeof number);
        message.bytes.assign(bytes, sizeof bytes);
        box.send(std::move(message));
      }
    });
  }
  loop.run();
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(received, kSenders * kEach);
  EXPECT_GE(wakes, 1);
  box.set_receiver(nullptr);
}

TEST(MailboxTest, what_nobody_reads_is_destroyed) {
  std::atomic<int> alive{0};
  {
    auto [one, two] = ChannelEnd::make_pair();
    for (int i = 0; i < 3; i++) one->send(message_with(alive));
    ASSERT_TRUE(two->inbox().has_message());
    two->inbox().take();
    one->send(message_with(alive));
    EXPECT_EQ(alive, 3);
    two.reset();
    EXPECT_EQ(alive, 0);
    one->send(message_with(alive));
    EXPECT_EQ(alive, 0);
    EXPECT_TRUE(one->inbox().is_over());
  }
  EXPECT_EQ(alive, 0);
}

TEST(MailboxTest, an_end_in_a_dropped_message_closes_its_channel) {
  auto [one, two] = ChannelEnd::make_pair();
  auto [near_end, far_end] = ChannelEnd::make_pair();
  engine::Serialized message;
  message.with_transferables().carried.push_back(std::move(far_end));
  one->send(std::move(message));
  EXPECT_FALSE(near_end->inbox().is_over());
  two.reset();
  EXPECT_TRUE(near_end->inbox().is_over());
}

TEST(MailboxTest, two_runtimes_exchange_messages_and_a_port) {
  constexpr const char* kSender = R"JS(
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => {
      if (data !== 'through the port') throw new Error(data);
      process.exitCode = 3;
      port1.close();
      port.close();
    };
    for (let i = 0; i < 100_000; i++) port.postMessage(i);
    port.postMessage({ port: port2 }, [port2]);
  )JS";
  constexpr const char* kReceiver = R"JS(
    let next = 0, closed = 0;
    const done = () => { if (++closed === 2) process.exitCode = 4; };
    port.on('close', done);
    port.on('message', (message) => {
      if (typeof message === 'number') {
        if (message !== next++) throw new Error(`${message} instead of ${next - 1}`);
        return;
      }
      if (next !== 100_000) throw new Error(`${next} messages`);
      message.port.on('close', done);
      message.port.ref();
      message.port.postMessage('through the port');
    });
  )JS";
  const auto codes = run_both(kSender, kReceiver);
  EXPECT_EQ(codes.first, 3);
  EXPECT_EQ(codes.second, 4);
}

TEST(MailboxTest, broadcasts_reach_other_runtimes) {
  constexpr const char* kSender = R"JS(
    const channel = new BroadcastChannel('between threads'), other = new BroadcastChannel('another name');
    other.onmessage = () => { throw new Error('wrong name'); };
    port.once('message', () => {  // the other one listens
      for (let i = 0; i < 100_000; i++) channel.postMessage({ i });
    });
    channel.onmessage = ({ data }) => {
      process.exitCode = data === 'all' ? 5 : 1;
      channel.close();
      other.close();
      port.close();
    };
  )JS";
  constexpr const char* kReceiver = R"JS(
    const channel = new BroadcastChannel('between threads');
    let next = 0;
    channel.onmessage = ({ data }) => {
      if (data.i !== next++) throw new Error(`${data.i} instead of ${next - 1}`);
      if (next === 100_000) channel.postMessage('all');
    };
    port.on('close', () => { process.exitCode = 6; channel.close(); });
    port.postMessage('ready');
  )JS";
  const auto codes = run_both(kSender, kReceiver);
  EXPECT_EQ(codes.first, 5);
  EXPECT_EQ(codes.second, 6);
}

TEST(MailboxTest, a_runtime_ends_while_messages_are_on_their_way) {
  constexpr const char* kFlood = R"JS(
    let open = true;
    const channel = new BroadcastChannel('flood');
    port.on('close', () => { open = false; channel.close(); process.exitCode = 7; });
    port.on('message', () => {});
    (function flood() {
      for (let i = 0; open && i < 50; i++) {
        const inner = new MessageChannel();
        inner.port1.postMessage('waiting');
        port.postMessage({ bytes: new Uint8Array(100), port: inner.port2 }, [inner.port2]);
        channel.postMessage(new SharedArrayBuffer(8));
      }
      if (open) setImmediate(flood);
    })();
  )JS";
  constexpr const char* kEnds = R"JS(
    let count = 0;
    const channel = new BroadcastChannel('flood');
    channel.onmessage = ({ data }) => channel.postMessage(data.byteLength);
    port.on('message', ({ port: inner }) => {
      inner.on('message', () => {});
      port.postMessage(inner, [inner]);
      if (++count === 120) process.exit(8);
    });
  )JS";
  for (int i = 0; i < 4; i++) {
    const auto codes = run_both(kFlood, kEnds);
    EXPECT_EQ(codes.first, 7);
    EXPECT_EQ(codes.second, 8);
  }
}

}  // namespace
}  // namespace rondo::runtime
