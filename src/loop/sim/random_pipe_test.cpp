// Pipe handles on the simulation: plain pipes, and sockets over which descriptors travel, with short transfers, full buffers,
// faults and too few descriptors, ended at any moment; one run for each of ten thousand seeds. S153
//
//  RP1 what a reader receives is a prefix of what was written; without faults and early ends, all of it, then the end
//  RP2 descriptors arrive in the order of sending, none twice; without faults and early ends, all of them
//  RP3 a function of a queued write is called once, unless its handle was closed: then never
//  RP4 at the end nothing is left: no descriptor, no handle, no operation; and the loop was never stuck
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "loop/sim/seeds.h"
#include "rondo/pipe.h"
#include "rondo/sim.h"
#include "rondo/timer.h"

namespace rondo {
namespace {

class PipeWorld {
 public:
  PipeWorld(std::uint64_t seed, std::uint32_t faults)
      : decider_(seed, faults),
        world_(decider_, SimLimits{.descriptors = faults ? 6 + random(40) : 200, .stream_bytes = 1 + random(2000)}),
        loop_(world_.options()),
        chaos_(loop_),
        is_faultless_(faults == 0) {}

  std::string run() {
    for (std::uint32_t count = 1 + random(3); count > 0; count--) add_flow(random(2) == 0);
    if (!is_faultless_ && random(2)) chaos_.start(Duration(random(600'000)), [this] { end_all(); });
    if (std::string wrong = testing::run_to_the_end(loop_, world_, decider_, breach_); !wrong.empty()) return wrong;
    return verdict();
  }
  std::size_t descriptors_passed() const { return passed_; }

 private:
  // One writer and one reader. With parcels: each carries the end of a socket pair, on whose other end its number waits.
  struct Flow {
    Flow(Loop& loop, PipeMode mode) : writer(loop, mode), reader(loop, mode) {}
    Pipe writer, reader;
    std::string message, received;
    std::size_t written = 0;  // of the message, given to the writer
    std::size_t queued = 0, finished = 0;  // functions given and called
    std::vector<std::unique_ptr<Pipe>> senders;  // the kept ends
    std::vector<std::unique_ptr<Pipe>> arrived;
    std::vector<std::pair<std::size_t, int>> numbers;  // which arrived, and what could be read from it
    std::size_t sent = 0;
    bool is_over = false, has_ended = false;
  };

  std::uint32_t random(std::uint32_t count) { return decider_.random(count); }
  void breach(const char* what) {
    if (breach_.empty()) breach_ = what;
  }

  void add_flow(bool with_descriptors) {
    const auto [reads, writes] = with_descriptors ? world_.stream_pair() : world_.pipe();
    UniqueFd reading(reads), writing(writes);
    if (!reading || !writing) return;
    flows_.push_back(std::make_unique<Flow>(loop_, with_descriptors ? PipeMode::Descriptors : PipeMode::Plain));
    Flow& flow = *flows_.back();
    if (!flow.reader.open(std::move(reading)) || !flow.writer.open(std::move(writing)))
      return breach("an end cannot be opened");
    for (std::uint32_t size = random(5000); flow.message.size() < size;)
      flow.message += static_cast<char>('a' + flow.message.size() % 26);
    (void)flow.reader.read_start([this, &flow](Result<Bytes> piece) { take(flow, piece); });
    say(flow, with_descriptors);
  }

  void say(Flow& flow, bool with_descriptors) {
    while (flow.written < flow.message.size()) {
      const std::size_t size = std::min<std::size_t>(1 + random(1500), flow.message.size() - flow.written);
      const Bytes piece = as_bytes(std::string_view(flow.message).substr(flow.written, size));
      flow.written += size;
      if (!(with_descriptors && random(2) ? send_end(flow, piece) : send_bytes(flow, piece))) return end(flow);
    }
    const auto closes = [this, &flow](Result<void>) { close_writer(flow); };
    if (const auto progress = flow.writer.shutdown(closes); progress == Progress::Done) close_writer(flow);
  }

  bool count(Flow& flow, const Result<Progress>& progress) {
    if (progress && *progress == Progress::Queued) flow.queued++;
    return progress.has_value();
  }
  void finished(Flow& flow, Result<void> result) {
    if (flow.is_over) return breach("a write was told after the close");
    flow.finished++;
    if (!result) end(flow);
  }

  bool send_bytes(Flow& flow, Bytes piece) {
    auto done = [this, &flow](Result<void> result) { finished(flow, result); };
    return count(flow, random(2) ? flow.writer.write(piece, done) : flow.writer.write_copy(piece, done));
  }

  bool send_end(Flow& flow, Bytes piece) {
    const auto [kept, goes] = world_.stream_pair();
    UniqueFd keep(kept);
    auto traveller = std::make_shared<UniqueFd>(goes);
    if (!keep || !*traveller) return send_bytes(flow, piece);
    flow.senders.push_back(std::make_unique<Pipe>(loop_));
    Pipe& sender = *flow.senders.back();
    const auto number = static_cast<std::byte>(flow.sent++);
    if (!sender.open(std::move(keep))) return false;
    (void)sender.write_copy(Bytes(&number, 1));
    return count(
        flow, flow.writer.write_descriptor(piece, traveller->get(),
                                           [this, &flow, traveller](Result<void> result) { finished(flow, result); }));
  }

  void take(Flow& flow, Result<Bytes> piece) {
    if (flow.is_over) return breach("a reader was called after its close");
    while (UniqueFd descriptor = flow.reader.take_descriptor()) {
      const std::size_t place = flow.arrived.size();
      flow.arrived.push_back(std::make_unique<Pipe>(loop_));
      Pipe& pipe = *flow.arrived.back();
      if (!pipe.open(std::move(descriptor))) breach("what arrived is no descriptor");
      (void)pipe.read_once([this, &flow, &pipe, place](Result<Bytes> number) {
        if (number && !number->empty()) flow.numbers.emplace_back(place, static_cast<int>(number->front()));
        pipe.close();
        end_if_complete(flow);
      });
    }
    if (!piece) return end(flow);
    if (piece->empty()) {
      flow.has_ended = true;
      return end_if_complete(flow);
    }
    flow.received += as_text(*piece);
    if (flow.message.compare(0, flow.received.size(), flow.received) != 0) breach("bytes differ");
  }

  void end_if_complete(Flow& flow) {
    if (!flow.has_ended) return;
    if (!is_faultless_ || flow.numbers.size() == flow.sent) end(flow);
  }

  void close_writer(Flow& flow) {
    if (flow.queued != flow.finished) breach("a function was not called");
    flow.writer.close();
  }

  void end(Flow& flow) {
    if (std::exchange(flow.is_over, true)) return;
    flow.writer.close();
    flow.reader.close();
    for (const auto& pipe : flow.senders) pipe->close();
    for (const auto& pipe : flow.arrived) pipe->close();
  }
  void end_all() {
    for (const auto& flow : flows_) end(*flow);
  }

  std::string verdict() {
    for (const auto& flow : flows_) {
      passed_ += flow->numbers.size();
      if (is_faultless_ && (!flow->has_ended || flow->received != flow->message)) breach("bytes are missing");
      if (is_faultless_ && flow->numbers.size() != flow->sent) breach("descriptors are missing");
      if (flow->finished > flow->queued) breach("a function was called twice");
      std::sort(flow->numbers.begin(), flow->numbers.end());
      const auto out_of_order = [](const auto& a, const auto& b) { return a.second >= b.second; };
      if (std::adjacent_find(flow->numbers.begin(), flow->numbers.end(), out_of_order) != flow->numbers.end())
        breach("descriptors arrived twice or out of order");
    }
    return breach_.empty() ? testing::what_is_left(loop_, world_) : breach_;
  }

  SeededDecider decider_;
  SimWorld world_;
  Loop loop_;
  Timer chaos_;
  std::vector<std::unique_ptr<Flow>> flows_;
  std::size_t passed_ = 0;
  bool is_faultless_;
  std::string breach_;
};

TEST(RandomPipe, S153_every_seed_keeps_the_promises_of_pipes) {
  const testing::Seeds seeds(10'000);
  std::size_t passed = 0;
  testing::run_seeds(seeds, [&](std::uint64_t seed) {
    PipeWorld pipes(seed, seed % 3 == 0 ? 0 : 24);
    const std::string breach = pipes.run();
    passed += pipes.descriptors_passed();
    return breach;
  });
  if (!seeds.is_one && !HasFailure()) {
    EXPECT_GT(passed, seeds.count / 10);
  }
}

}  // namespace
}  // namespace rondo
