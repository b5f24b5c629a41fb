// Streams under random treatment, over every poller: writes of any size, pauses, half closes, closes and
// destruction at any moment. The received bytes are a prefix of those sent, and nothing comes after the end.
#include <random>

#include "loop/net/net_fixture.h"
#include "loop/sim/seeds.h"

namespace rondo {
namespace {

using testing::NetTest;

class RandomStreamsTest : public NetTest {};
RONDO_ON_EVERY_POLLER(RandomStreamsTest);

// One direction: bytes count up from 0, so that a lost, doubled or swapped one is seen.
struct Flow {
  std::size_t sent = 0;
  std::size_t received = 0;
  bool is_wrong = false;
};

struct End {
  std::unique_ptr<Pipe> stream;
  Flow* out = nullptr;
  Flow* in = nullptr;
  bool is_gone = false;    // closed or destroyed: no function may run
  bool has_ended = false;
};

class Chaos {
 public:
  Chaos(Loop& loop, std::array<UniqueFd, 2> sockets, unsigned seed) : random_(seed) {
    for (int i = 0; i < 2; i++) {
      ends_[i].stream = std::make_unique<Pipe>(loop);
      ends_[i].out = &flows_[i];
      ends_[i].in = &flows_[1 - i];
      EXPECT_TRUE(ends_[i].stream->open(std::move(sockets[static_cast<std::size_t>(i)])));
      start(ends_[i]);
    }
  }

  void step() {
    End& end = ends_[random_() % 2];
    if (end.is_gone) return;
    const unsigned dice = random_() % 100;
    if (dice < 60) {
      write(end, random_() % 8 == 0 ? random_() % 400'000 : random_() % 3000);
    } else if (dice < 75 && !is_finishing_) {
      end.stream->read_stop();
    } else if (dice < 92) {
      start(end);
    } else if (dice < 94) {
      end.stream->set_batched_writes(random_() % 2 == 0);
    } else if (dice < 96) {
      (void)end.stream->shutdown();
    } else if (dice == 98) {
      end.is_gone = true;
      end.stream->close();
    } else if (dice == 99) {
      end.is_gone = true;
      end.stream.reset();
    }
  }

  bool is_over() const { return ends_[0].is_gone && ends_[1].is_gone; }
  // From here on nobody pauses: what was sent must arrive.
  void finish() {
    is_finishing_ = true;
    for (End& end : ends_) {
      if (!end.is_gone) start(end);
    }
  }
  bool is_quiet() {
    for (End& end : ends_) {
      const End& other = &end == &ends_[0] ? ends_[1] : ends_[0];
      if (!end.is_gone && !end.has_ended && end.in->received < end.in->sent && !other.is_gone) return false;
    }
    return true;
  }
  void check() const {
    for (const Flow& flow : flows_) {
      EXPECT_FALSE(flow.is_wrong);
      EXPECT_LE(flow.received, flow.sent);
    }
  }

 private:
  void start(End& end) {
    (void)end.stream->read_start([this, &end](Result<Bytes> piece) {
      if (end.is_gone || end.has_ended) end.in->is_wrong = true;
      if (!piece || piece->empty()) {
        end.has_ended = true;
        return;
      }
      for (std::byte byte : *piece) {
        if (byte != static_cast<std::byte>(end.in->received++ % 251)) end.in->is_wrong = true;
      }
      if (random_() % 16 == 0) step();  // anything may happen in a callback
    });
    end.has_ended = false;
  }

  void write(End& end, std::size_t size) {
    std::vector<std::byte> data(size);
    for (std::size_t i = 0; i < size; i++) data[i] = static_cast<std::byte>((end.out->sent + i) % 251);
    const auto progress = end.stream->write_copy(data, [this, &end](Result<void>) {
      if (end.is_gone) end.out->is_wrong = true;
      if (random_() % 4 == 0) step();
    });
    if (progress) end.out->sent += size;
  }

  std::mt19937 random_;
  Flow flows_[2];
  End ends_[2];
  bool is_finishing_ = false;
};

TEST_P(RandomStreamsTest, S40_nothing_lost_doubled_or_late) {
  const testing::Seeds seeds(world->is_simulated() ? 20 : 60);
  for (std::uint64_t seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    SCOPED_TRACE("replay: RONDO_SEED=" + std::to_string(seed) + " loop_tests --gtest_filter='*RandomStreamsTest*'");
    {
      Chaos chaos(loop, world->sockets(loop), static_cast<unsigned>(seed));
      for (int i = 0; i < 300 && !chaos.is_over(); i++) {
        chaos.step();
        if (i % 3 == 0) loop.run(RunMode::NoWait);
      }
      chaos.finish();
      run_until([&] { return chaos.is_quiet(); });
      chaos.check();
    }
    loop.run();
    ASSERT_FALSE(loop.alive());
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace rondo
