// Stream::take_memory: who keeps the memory of a piece keeps its bytes, whatever is received after it, on every poller.
#include "loop/net/net_fixture.h"

namespace rondo {
namespace {

using testing::NetTest;

class TakenMemoryTest : public NetTest {};
RONDO_ON_EVERY_POLLER(TakenMemoryTest);
class TakenMemoryKernelTest : public NetTest {};
RONDO_ON_BOTH_POLLERS(TakenMemoryKernelTest);

struct Kept {
  OwnedMemory memory;
  std::size_t size;
};

// Sends 4 MiB in which every byte tells its place, and lets `use` have each piece.
template <class Use>
void transfer(NetTest& test, Use use) {
  auto pair = test.connected();
  std::string sent(4 << 20, '\0');
  for (std::size_t i = 0; i < sent.size(); i++) sent[i] = static_cast<char>((i * 2654435761U) >> 13U);
  std::size_t received = 0;
  ASSERT_TRUE(pair.client->read_start([&](Result<Bytes> piece) {
    ASSERT_TRUE(piece && !piece->empty());
    use(*pair.client, *piece, std::string_view(sent).substr(received, piece->size()));
    received += piece->size();
  }));
  bool is_sent = false;
  auto progress = pair.peer->write(as_bytes(sent), [&](Result<void> result) { is_sent = bool(result); });
  ASSERT_TRUE(progress);
  test.run_until([&] { return received == sent.size() && (is_sent || *progress == Progress::Done); });
}

TEST_P(TakenMemoryTest, begins_the_piece) {
  transfer(*this, [&](Tcp& stream, Bytes piece, std::string_view expected) {
    ASSERT_EQ(as_text(piece), expected);
    const auto memory = stream.take_memory(piece);
    ASSERT_TRUE(!memory || memory.get() == piece.data());
  });
}

TEST_P(TakenMemoryKernelTest, large_pieces_are_given_away_and_stay_as_they_were) {
  std::vector<Kept> kept;
  std::vector<std::string> expected;
  transfer(*this, [&](Tcp& stream, Bytes piece, std::string_view bytes) {
    if (auto memory = stream.take_memory(piece)) {
      kept.push_back({std::move(memory), piece.size()});
      expected.emplace_back(bytes);
      EXPECT_FALSE(stream.take_memory(piece)) << "given away twice";
    }
  });
  ASSERT_GT(kept.size(), 4U);
  for (std::size_t i = 0; i < kept.size(); i++)
    EXPECT_EQ(as_text(Bytes(kept[i].memory.get(), kept[i].size)), expected[i]) << i;
}

}  // namespace
}  // namespace rondo
