// The ledger's ring and its three writers, on records made by hand: no loop runs here.
#include "observe/ledger.h"

#include "observe/trace.h"
#include "runtime/entry/task_trace.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace rondo::observe {
namespace {

// The output of a writer.
template <typename Write>
std::string printed(Write write) {
  char* text = nullptr;
  size_t size = 0;
  FILE* out = open_memstream(&text, &size);
  write(out);
  fclose(out);
  std::string all(text, size);
  free(text);
  return all;
}

size_t lines(const std::string& text) { return static_cast<size_t>(std::count(text.begin(), text.end(), '\n')); }

void one_iteration(Ledger& ledger, uint64_t number) {
  ledger.iteration_begin(number);
  ledger.phase_begin(Phase::Timers);
  Loop loop({.observer = &ledger});
  runtime::TaskTrace tasks(loop);
  uint32_t task = tasks.queued(TaskKind::Timer, "", 5);
  tasks.begin(TaskKind::Timer, task);
  uint32_t inner = tasks.queued(TaskKind::Microtask, "");
  tasks.begin(TaskKind::Microtask, inner);
  tasks.end(TaskKind::Microtask, inner);
  tasks.end(TaskKind::Timer, task);
  ledger.phase_end(Phase::Timers);
}

TEST(LedgerTest, records_come_back_in_order_with_cause_depth_and_phase) {
  Ledger ledger(64);
  one_iteration(ledger, 1);
  auto records = ledger.records();
  ASSERT_EQ(records.size(), 10u);
  EXPECT_EQ(records[0].kind, RecordKind::Start);
  EXPECT_EQ(records[1].kind, RecordKind::IterationBegin);
  EXPECT_EQ(records[3].kind, RecordKind::TaskQueued);
  EXPECT_EQ(records[3].payload, 5000);
  EXPECT_EQ(records[5].kind, RecordKind::TaskQueued);
  EXPECT_EQ(records[5].cause, records[3].id);
  EXPECT_EQ(records[6].depth, records[4].depth + 1);
  for (size_t i = 1; i < records.size(); i++) EXPECT_LE(records[i - 1].time, records[i].time);
}

TEST(LedgerTest, a_full_ring_keeps_the_newest_and_counts_the_rest) {
  Ledger ledger(16);
  for (uint64_t i = 1; i <= 100; i++) ledger.iteration_begin(i);
  auto records = ledger.records();
  ASSERT_EQ(records.size(), 16u);
  EXPECT_EQ(records.back().id, 100u);
  EXPECT_EQ(records.front().id, 85u);
  EXPECT_EQ(ledger.dropped(), 85u);
}

TEST(LedgerTest, task_stories_join_what_happened_to_one_task) {
  Ledger ledger(64);
  one_iteration(ledger, 1);
  auto stories = task_stories(ledger.records());
  ASSERT_GE(stories.size(), 3u);
  EXPECT_LE(stories[1].queued, stories[1].begun);
  EXPECT_LE(stories[1].begun, stories[2].begun);
  EXPECT_LE(stories[2].ended, stories[1].ended);
  EXPECT_EQ(stories[2].cause, 1u);
}

TEST(LedgerTest, one_line_of_json_a_record) {
  Ledger ledger(64);
  one_iteration(ledger, 1);
  std::string text = printed([&](FILE* out) { write_json_lines({{&ledger, 0, "program.js"}}, out); });
  EXPECT_GE(lines(text), ledger.records().size());
  for (size_t at = 0; at < text.size();) {
    size_t end = text.find('\n', at);
    EXPECT_EQ(text[at], '{');
    EXPECT_EQ(text[end - 1], '}');
    at = end + 1;
  }
}

TEST(LedgerTest, colour_only_when_asked_for) {
  Ledger ledger(64);
  one_iteration(ledger, 1);
  auto report = [&](Colour colour) {
    return printed([&](FILE* out) { write_report(ledger, "program.js", out, {.colour = colour}); });
  };
  EXPECT_EQ(report(Colour::Off).find('\x1b'), std::string::npos);
  EXPECT_NE(report(Colour::On).find('\x1b'), std::string::npos);
}

TEST(LedgerTest, names_with_quotes_and_control_characters_stay_json) {
  EXPECT_EQ(json_string("a\"b\\c\n\x01"), "\"a\\\"b\\\\c\\u000a\\u0001\"");
}

TEST(LedgerTest, the_perfetto_file_is_balanced) {
  Ledger ledger(64);
  one_iteration(ledger, 1);
  std::string text = printed([&](FILE* out) { write_chrome({{&ledger, 0, "program.js"}}, "", out); });
  EXPECT_EQ(std::count(text.begin(), text.end(), '{'), std::count(text.begin(), text.end(), '}'));
  EXPECT_EQ(std::count(text.begin(), text.end(), '['), std::count(text.begin(), text.end(), ']'));
  EXPECT_NE(text.find("\"traceEvents\""), std::string::npos);
}

// A timer whose callback queues `first` ticks, of which each queues another until `total` have run.
void ticks(runtime::TaskTrace& tasks, uint32_t first, uint32_t total) {
  std::vector<uint32_t> queue;
  uint32_t task = tasks.queued(TaskKind::Timer, "");
  tasks.begin(TaskKind::Timer, task);
  for (uint32_t i = 0; i < first; i++) queue.push_back(tasks.queued(TaskKind::Tick, ""));
  tasks.end(TaskKind::Timer, task);
  for (uint32_t i = 0; i < queue.size(); i++) {
    tasks.begin(TaskKind::Tick, queue[i]);
    // Without a name, as a promise reaction, until the recursion is long enough to be looked into.
    std::string_view name = i >= StarvationWatch::kNoticedAt ? "spin (file.js:1:1)" : "";
    if (queue.size() < total) queue.push_back(tasks.queued(TaskKind::Tick, name));
    tasks.end(TaskKind::Tick, queue[i]);
  }
}

std::vector<Record> findings(const Ledger& ledger) {
  std::vector<Record> found;
  for (const auto& record : ledger.records()) {
    if (record.kind == RecordKind::Starvation) found.push_back(record);
  }
  return found;
}

TEST(LedgerTest, S83_a_recursion_of_ticks_is_found_while_it_runs_and_measured_when_it_ends) {
  Ledger ledger(1 << 17);
  Loop loop({.observer = &ledger});
  runtime::TaskTrace tasks(loop);
  int64_t told = 0;
  ledger.on_starvation([&](const Record& record) { told = record.payload; });
  ticks(tasks, 1, 25'000);
  EXPECT_EQ(told, 10'001);
  ASSERT_EQ(findings(ledger).size(), 1u);
  ledger.phase_begin(Phase::Poll);
  auto found = findings(ledger);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[1].payload, 25'000);
  EXPECT_EQ(found[1].cause, 1u);
  EXPECT_EQ(ledger.name(found[1].name), "spin (file.js:1:1)");
}

TEST(LedgerTest, many_ticks_queued_by_one_callback_are_no_recursion) {
  Ledger ledger(1 << 17);
  Loop loop({.observer = &ledger});
  runtime::TaskTrace tasks(loop);
  ticks(tasks, 25'000, 25'000);
  EXPECT_TRUE(findings(ledger).empty());
}

TEST(LedgerTest, ticks_of_many_callbacks_are_no_recursion) {
  Ledger ledger(1 << 17);
  Loop loop({.observer = &ledger});
  runtime::TaskTrace tasks(loop);
  for (int i = 0; i < 15'000; i++) ticks(tasks, 1, 2);
  EXPECT_TRUE(findings(ledger).empty());
}

}  // namespace
}  // namespace rondo::observe
