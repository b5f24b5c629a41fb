// Records on their way to a watcher: the reader gets all of them at half a million a second, and is told how many it came too late for.
#include "observe/record_feed.h"

#include "observe/frame_type.h"
#include "test_runtime.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

#include <gtest/gtest.h>

namespace rondo::observe {
namespace {

constexpr uint64_t kRecordsOfTask = 3;  // queued, begin, end

// Counts records by their frames; tasks are queued with numbers that follow one another where nothing was lost.
struct Reader {
  uint64_t received = 0, lost = 0, torn = 0, gaps = 0;
  uint32_t newest = 0;

  bool take(char type, std::string_view bytes) {
    if (type != kRecordsFrame) return true;
    uint64_t lost_here = 0;
    std::memcpy(&lost_here, bytes.data() + sizeof(uint32_t), sizeof lost_here);
    lost += lost_here;
    bytes.remove_prefix(sizeof(uint32_t) + sizeof lost_here);
    for (bool is_first = true; !bytes.empty(); bytes.remove_prefix(sizeof(Record))) {
      Record record;
      std::memcpy(&record, bytes.data(), sizeof record);
      received++;
      const bool is_known = record.kind <= RecordKind::Turn && record.time >= 0;
      torn += !is_known;
      if (record.kind != RecordKind::TaskQueued) continue;
      const bool follows = record.id == newest + 1 || newest == 0;
      gaps += !follows && !(is_first && lost_here > 0);
      newest = record.id;
      is_first = false;
    }
    return true;
  }
};

class RecordFeedTest : public testing::Test {
 protected:
  // Some records are of the beginning itself.
  void SetUp() override {
    feed_.open(runtime_);
    feed_.flush(runtime_);
    read();
    written_ = reader_.received;
  }
  void TearDown() override { feed_.close(runtime_); }

  void read() {
    feed_.send([this](char type, std::string_view bytes) { return reader_.take(type, bytes); });
  }
  void write(uint64_t tasks) {
    for (uint64_t i = 0; i < tasks; i++) {
      const uint32_t id = runtime_.tasks().queued(TaskKind::Timer, "work (app.js:1:1)");
      runtime_.tasks().begin(TaskKind::Timer, id);
      runtime_.tasks().end(TaskKind::Timer, id);
    }
    written_ += tasks * kRecordsOfTask;
  }
  void expect_all_counted() {
    feed_.flush(runtime_);
    read();
    EXPECT_EQ(reader_.received + reader_.lost, written_);
    EXPECT_EQ(reader_.torn, 0u);
    EXPECT_EQ(reader_.gaps, 0u);
  }

  runtime::Runtime& runtime_ = runtime::test_runtime();
  RecordFeed feed_;
  Reader reader_;
  uint64_t written_ = 0;
};

// More than the ring holds, so that all of it comes only to a reader that keeps up.
TEST_F(RecordFeedTest, nothing_is_lost_at_half_a_million_records_a_second) {
  using namespace std::chrono_literals;
  constexpr uint64_t kTasksAtOnce = 500, kRounds = 800;
  constexpr auto kEvery = 3ms;
  std::atomic<bool> is_over = false;
  std::thread reading([&] {
    while (!is_over) {
      read();
      std::this_thread::sleep_for(5ms);
    }
  });
  auto due = std::chrono::steady_clock::now();
  for (uint64_t i = 0; i < kRounds; i++) {
    write(kTasksAtOnce);
    std::this_thread::sleep_until(due += kEvery);
  }
  is_over = true;
  reading.join();
  ASSERT_GT(written_, Ledger::kDefaultCapacity);
  expect_all_counted();
  EXPECT_EQ(reader_.lost, 0u);
}

TEST_F(RecordFeedTest, records_that_the_reader_is_too_late_for_are_counted) {
  constexpr uint64_t kTooMany = Ledger::kDefaultCapacity / kRecordsOfTask * 2;
  write(10);
  read();
  write(kTooMany);
  expect_all_counted();
  EXPECT_GE(reader_.lost, Ledger::kDefaultCapacity / 2);
}

// The reader copies while the writer laps it.
TEST_F(RecordFeedTest, records_that_are_overwritten_while_they_are_read_are_counted_and_not_told) {
  std::atomic<bool> is_over = false;
  std::thread reading([&] {
    while (!is_over) read();
  });
  write(Ledger::kDefaultCapacity * 2);
  is_over = true;
  reading.join();
  expect_all_counted();
}

}  // namespace
}  // namespace rondo::observe
