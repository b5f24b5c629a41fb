// See addon_crash.h.
#include "runtime/addon_crash.h"

#include <elf.h>
#include <link.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <mutex>

namespace rondo::runtime {

namespace {

constexpr size_t kMostRanges = 256;
constexpr size_t kStackWords = 512;  // looked through for a return address
constexpr std::array kSignals = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};

struct Range {
  uintptr_t begin = 0;
  uintptr_t end = 0;
  char file[512] = {};
};

Range ranges[kMostRanges];
std::atomic<size_t> range_count = 0;
struct sigaction former[NSIG];

const char* addon_at(uintptr_t address) {
  const size_t count = range_count.load(std::memory_order_acquire);
  for (size_t i = 0; i < count; i++) {
    if (address >= ranges[i].begin && address < ranges[i].end) return ranges[i].file;
  }
  return nullptr;
}

struct Registers {
  uintptr_t code;
  uintptr_t stack;
};

Registers registers_of(void* context) {
  const auto& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return {static_cast<uintptr_t>(machine.gregs[REG_RIP]), static_cast<uintptr_t>(machine.gregs[REG_RSP])};
#else
  return {static_cast<uintptr_t>(machine.pc), static_cast<uintptr_t>(machine.sp)};
#endif
}

// The C library that the addon called, or a jump to nowhere: the nearest return address on the stack that is an addon's.
const char* addon_on_stack(uintptr_t stack) {
  for (size_t i = 0; i < kStackWords; i++) {
    uintptr_t word;
    memcpy(&word, reinterpret_cast<const void*>(stack + i * sizeof word), sizeof word);
    if (const char* file = addon_at(word)) return file;
  }
  return nullptr;
}

void print(const char* text) { [[maybe_unused]] auto written = ::write(STDERR_FILENO, text, strlen(text)); }

// Faults in the engine's own code are the engine's to handle (WebAssembly, traps): only a fault outside of it is an addon's.
bool is_outside(uintptr_t code) {
  Dl_info info;
  static const void* const own = reinterpret_cast<const void*>(&watch_addon);
  Dl_info mine;
  if (code == 0) return true;
  if (!dladdr(reinterpret_cast<const void*>(code), &info) || !dladdr(own, &mine)) return false;
  return info.dli_fbase != mine.dli_fbase;
}

void on_crash(int number, siginfo_t* info, void* context) {
  const auto registers = registers_of(context);
  const bool was_sent = info->si_code <= 0 && number != SIGABRT;
  const char* file = was_sent ? nullptr : addon_at(registers.code);
  if (!file && !was_sent && is_outside(registers.code)) file = addon_on_stack(registers.stack);
  if (file) {
    print("rondo: crash (");
    print(sigabbrev_np(number) ? "SIG" : "signal");
    if (sigabbrev_np(number)) print(sigabbrev_np(number));
    print(") in the native addon ");
    print(file);
    print("\n");
  }
  const auto& next = former[number];
  if (!file && (next.sa_flags & SA_SIGINFO) && next.sa_sigaction) return next.sa_sigaction(number, info, context);
  if (!file && next.sa_handler != SIG_DFL && next.sa_handler != SIG_IGN) return next.sa_handler(number);
  signal(number, SIG_DFL);
  raise(number);  // held back until this handler returns
}

void install() {
  for (const int number : kSignals) {
    struct sigaction action{};
    action.sa_sigaction = on_crash;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(number, &action, &former[number]);
  }
}

void add_range(uintptr_t begin, uintptr_t end, const std::string& file) {
  const size_t index = range_count.load();
  if (index == kMostRanges) return;
  ranges[index].begin = begin;
  ranges[index].end = end;
  strncpy(ranges[index].file, file.c_str(), sizeof ranges[index].file - 1);
  range_count.store(index + 1, std::memory_order_release);
}

}  // namespace

void watch_addon(void* library, const std::string& file) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  link_map* map = nullptr;
  if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0 || !map) return;
  struct Search {
    ElfW(Addr) base;
    const std::string& file;
  } search{map->l_addr, file};
  if (addon_at(static_cast<uintptr_t>(reinterpret_cast<uintptr_t>(map->l_ld)))) return;  // known
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        auto& wanted = *static_cast<Search*>(data);
        if (info->dlpi_addr != wanted.base) return 0;
        uintptr_t begin = UINTPTR_MAX, end = 0;
        for (int i = 0; i < info->dlpi_phnum; i++) {
          const auto& part = info->dlpi_phdr[i];
          if (part.p_type != PT_LOAD) continue;
          begin = std::min(begin, static_cast<uintptr_t>(info->dlpi_addr + part.p_vaddr));
          end = std::max(end, static_cast<uintptr_t>(info->dlpi_addr + part.p_vaddr + part.p_memsz));
        }
        if (begin < end) add_range(begin, end, wanted.file);
        return 1;
      },
      &search);
  static std::once_flag once;
  std::call_once(once, install);
}

}  // namespace rondo::runtime
