// Runtimes that are made, run and destroyed while the process goes on: one after another, two on one thread, many in threads, with
// everything open that a program can leave open. What is counted afterwards: descriptors, threads and memory.
#include "engine/core/source.h"
#include "modules/registry.h"
#include "runtime/process.h"
#include "runtime/runtime.h"

#include <dirent.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#include <sanitizer/allocator_interface.h>
#endif

namespace rondo::runtime {
namespace {

size_t entries_of(const char* folder) {
  size_t count = 0;
  DIR* open = opendir(folder);
  while (open && readdir(open)) count++;
  if (open) closedir(open);
  return count;
}

// Bytes that this process has allocated and not freed; what the engine's own allocator gave out is not among them.
size_t bytes_in_use() {
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  return __sanitizer_get_current_allocated_bytes();
#else
  const struct mallinfo2 now = mallinfo2();
  return now.uordblks + now.hblkhd;
#endif
}

size_t resident_bytes() {
  size_t pages = 0;
  if (FILE* file = fopen("/proc/self/statm", "re")) {
    if (fscanf(file, "%*s %zu", &pages) != 1) pages = 0;
    fclose(file);
  }
  return pages * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

RuntimeOptions options() {
  return {.natives = modules::all(), .argv = {"rondo"}, .exec_argv = {}, .exec_path = "rondo", .rank = Rank::Other};
}

// A program run to its end on a runtime of its own. `iterations`: the loop is left after so many, with whatever is open then; 0: it
// runs until nothing is left, or process.exit.
int run_program(const std::string& text, int iterations = 0) {
  Loop loop;
  Runtime runtime(loop, options());
  if (!runtime.boot()) return -1;
  runtime.end_startup();
  auto* request = engine::make_object(runtime.realm());
  engine::put(runtime.realm(), request, "action", engine::make_string(runtime.vm(), "eval"));
  engine::put(runtime.realm(), request, "text", engine::make_string(runtime.vm(), text));
  engine::put(runtime.realm(), request, "options", engine::make_object(runtime.realm()));
  auto main = runtime.builtins().require("bootstrap/90_main");
  return iterations ? runtime.run_for(main, request, iterations) : runtime.run(main, request);
}

// Opens one of everything and leaves it open.
constexpr const char* kEverything = R"JS(
  const net = require('net'), fs = require('fs'), { spawn } = require('child_process'), dns = require('dns');
  const path = require('os').tmpdir();
  const server = net.createServer((socket) => socket.write('x'.repeat(300000))).listen(0, '127.0.0.1', () => {
    const client = net.connect(server.address().port, '127.0.0.1');
    client.on('data', () => client.pause());
  });
  fs.watch(path, () => {});
  spawn('cat', { stdio: 'pipe' });  // ends when its input does
  process.on('SIGUSR2', () => {});
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {};
  port2.postMessage({ some: 'thing' });
  new BroadcastChannel('all').onmessage = () => {};
  setInterval(() => {}, 1);
  setTimeout(() => {}, 1e6);
  setImmediate(function again() { setImmediate(again); });
  for (let i = 0; i < 4; i++) fs.readFile('/proc/self/stat', () => {});
  fs.promises.stat('/').then(() => {});
  require('crypto').randomBytes(1 << 16, () => {});
  dns.lookup('localhost', () => {});
  new dns.promises.Resolver({ timeout: 50 }).resolve4('localhost').catch(() => {});
  (async () => { for (;;) await new Promise((resolve) => setTimeout(resolve, 1)); })();
)JS";

// Children of this process, ended or not, but for the one that names functions for a sanitizer: it stays to the end.
bool has_children() {
  bool found = false;
  DIR* tasks = opendir("/proc/self/task");
  while (const dirent* task = tasks ? readdir(tasks) : nullptr) {
    std::ifstream children("/proc/self/task/" + std::string(task->d_name) + "/children");
    for (std::string pid; children >> pid;) {
      std::string name;
      std::getline(std::ifstream("/proc/" + pid + "/comm"), name);
      found = found || !name.starts_with("llvm-symbolizer");
    }
  }
  if (tasks) closedir(tasks);
  return found;
}

// A child whose runtime has gone ends after it; librondo lets go of it when the next one starts.
void await_children() {
  do {
    run_program("require('child_process').spawn('true')");
  } while (has_children());
}

TEST(LifetimeTest, a_runtime_ends_and_another_begins_on_the_same_thread) {
  for (int i = 0; i < 3; i++) EXPECT_EQ(run_program("process.exitCode = 3"), 3);
}

TEST(LifetimeTest, exit_ends_the_runtime_and_not_the_process) {
  EXPECT_EQ(run_program("setInterval(() => {}, 1); setTimeout(() => process.exit(7), 2); "), 7);
  EXPECT_EQ(run_program("try { process.exit(8) } finally { for (;;); }"), 8);
  EXPECT_EQ(run_program("Promise.resolve().then(() => process.exit(9)).finally(() => process.exit(1))"), 9);
  EXPECT_EQ(run_program("process.on('exit', () => { process.exitCode = 5 })"), 5);
}

TEST(LifetimeTest, an_uncaught_error_ends_the_runtime_and_not_the_process) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(run_program("setImmediate(() => { throw new Error('expected') })"), 1);
  EXPECT_EQ(run_program("Promise.reject(new Error('expected'))"), 1);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("Error: expected"), std::string::npos);
}

TEST(LifetimeTest, whatever_is_open_is_closed) {
  run_program(kEverything, 1);  // threads of the pool and of the engine are there from now on
  await_children();
  const size_t before = entries_of("/proc/self/fd");
  for (int i = 0; i < 5; i++) run_program(kEverything, 1 + i);
  await_children();
  EXPECT_EQ(entries_of("/proc/self/fd"), before);
}

TEST(LifetimeTest, messages_flow_in_the_second_runtime_of_a_thread) {
  constexpr const char* kPing = R"JS(
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => { process.exitCode = data; port1.close(); };
    port2.postMessage(4);
  )JS";
  EXPECT_EQ(run_program(kPing), 4);
  EXPECT_EQ(run_program(kPing), 4);
}

TEST(LifetimeTest, the_environment_may_be_changed_by_several_threads) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++) {
    threads.emplace_back([i] {
      auto& process = Process::get();
      for (int n = 0; n < 2000; n++) {
        const std::string name = "RONDO_LIFETIME_" + std::to_string(i) + "_" + std::to_string(n % 50);
        process.set_environment(name, std::string(static_cast<size_t>(n % 200), 'v'));
        process.environment_names();
        EXPECT_TRUE(process.environment(name));
        if (n % 3 == 0) process.unset_environment(name);
      }
    });
  }
  for (auto& thread : threads) thread.join();
}

// What the process holds when nothing of ours should be open.
struct Holdings {
  size_t descriptors = entries_of("/proc/self/fd");
  size_t threads = entries_of("/proc/self/task");
  size_t bytes = bytes_in_use();
  size_t resident = resident_bytes();
};

// So many lifetimes, two at a time, each in a thread.
Holdings after_lifetimes(int runs) {
  std::atomic<int> next{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; i++) {
    threads.emplace_back([&] {
      for (int n = next++; n < runs; n = next++) run_program(kEverything, 1 + n % 4);
    });
  }
  for (auto& thread : threads) thread.join();
  await_children();
  return {};
}

// RONDO_LIFETIMES: how many; the deep tests ask for a thousand. What the process keeps for all runtimes (tables that grow with the
// first ones, threads of the pool and the engine) is there after the first tenth.
TEST(LifetimeTest, runtimes_in_threads_leave_nothing_behind) {
  const char* wanted = getenv("RONDO_LIFETIMES");
  const int runs = wanted ? atoi(wanted) : 12;
  const int first = std::max(4, runs / 10);
  const Holdings before = after_lifetimes(first);
  const Holdings after = after_lifetimes(runs - first);
  const auto growth = [&](size_t Holdings::* what) {
    return (static_cast<double>(after.*what) - static_cast<double>(before.*what)) / (runs - first) / 1024;
  };
  printf("a lifetime leaves %.2f KiB allocated, %.1f KiB resident (%zu MiB after %d)\n", growth(&Holdings::bytes),
         growth(&Holdings::resident), after.resident >> 20, runs);
  EXPECT_EQ(after.descriptors, before.descriptors);
  EXPECT_LE(after.threads, before.threads + 8);  // the engine keeps a few of its own for all VMs
  if (runs >= 200) EXPECT_LT(growth(&Holdings::bytes), 1.0);
}

}  // namespace
}  // namespace rondo::runtime
