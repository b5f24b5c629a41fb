// native('wasi'): system calls that node:wasi needs and lib/internal/fs has not: waiting for descriptors, positions and flags of open files,
// the processor's clocks. Numbers below zero are errors. lib/internal/wasi checks arguments and rights.
#include "modules/support/permission_check.h"
#include "runtime/runtime.h"

#include <cerrno>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

namespace rondo::modules {

using namespace engine;

namespace {

Value result(Call& call, int64_t answer) { return call.value(static_cast<double>(answer < 0 ? -errno : answer)); }

// check(): throws unless the program may use node:wasi.
Value check(Call& call) {
  if (auto* refusal = refused(runtime::Runtime::from(call.realm()), Scope::Wasi)) return call.raise(refusal);
  return call.undefined();
}

// poll(Int32Array of fd, events, revents …, milliseconds) → how many are ready
Value poll_descriptors(Call& call) {
  const auto bytes = call.bytes(0);
  auto* words = reinterpret_cast<int32_t*>(bytes.data());
  std::vector<pollfd> list(bytes.size() / (3 * sizeof(int32_t)));
  for (size_t i = 0; i < list.size(); i++)
    list[i] = {.fd = words[3 * i], .events = static_cast<short>(words[3 * i + 1]), .revents = 0};
  const int ready = ::poll(list.data(), list.size(), call.int32(1));
  const int error = errno;
  for (size_t i = 0; i < list.size(); i++) words[3 * i + 2] = list[i].revents;
  return call.value(ready < 0 ? -error : ready);
}

// seek(fd, offset, whence) → the position
Value seek(Call& call) { return result(call, lseek(call.int32(0), call.int64(1), call.int32(2))); }

// flags(fd) → of open(), as fcntl tells
Value flags(Call& call) { return result(call, fcntl(call.int32(0), F_GETFL)); }
Value set_flags(Call& call) { return result(call, fcntl(call.int32(0), F_SETFL, call.int32(1))); }

Value advise(Call& call) {
  return call.value(-posix_fadvise(call.int32(0), call.int64(1), call.int64(2), call.int32(3)));
}
Value allocate(Call& call) { return call.value(-posix_fallocate(call.int32(0), call.int64(1), call.int64(2))); }

// clock(id, asks for the resolution) → nanoseconds, as a BigInt; a number below zero: the error
Value clock(Call& call) {
  timespec time{};
  const auto id = static_cast<clockid_t>(call.int32(0));
  if ((call.boolean(1) ? clock_getres(id, &time) : clock_gettime(id, &time)) != 0) return result(call, -1);
  return JSC::JSBigInt::createFrom(call.realm(), int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec);
}

Value yield(Call& call) {
  sched_yield();
  return call.undefined();
}

constexpr FunctionSpec kFunctions[] = {
    {"check", native<check>, 0},       {"poll", native<poll_descriptors>, 2}, {"seek", native<seek>, 3},
    {"flags", native<flags>, 1},       {"setFlags", native<set_flags>, 2},    {"advise", native<advise>, 4},
    {"allocate", native<allocate>, 3}, {"clock", native<clock>, 2},           {"yield", native<yield>, 0},
};

}  // namespace

void init_wasi(runtime::Runtime& runtime, JSC::JSObject* target) {
  put_functions(runtime.realm(), target, kFunctions);
  put(runtime.realm(), target, "kAppend", JSC::jsNumber(O_APPEND));
  put(runtime.realm(), target, "kNonblock", JSC::jsNumber(O_NONBLOCK));
  put(runtime.realm(), target, "kDsync", JSC::jsNumber(O_DSYNC));
  put(runtime.realm(), target, "kSync", JSC::jsNumber(O_SYNC));
}

}  // namespace rondo::modules
