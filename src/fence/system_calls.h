// A seccomp filter written as data: which system calls a process may make, with which arguments. The filter decides by the numbers in
// registers alone; what lies in memory (paths, addresses, the flags of clone3) it cannot see, and what io_uring does it never sees.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

struct sock_filter;

namespace rondo::fence {

// One condition on one argument. Its lower 32 bits count: the kernel takes no more of the arguments that are tested here.
struct ArgumentTest {
  enum class Kind : uint8_t {
    Any,  // no condition
    Never,  // holds for no call
    Equal,  // (argument & mask) is one of `values`
    NoBits,  // argument & mask is 0
    AllBits,  // argument & mask is mask
    NoneOf,  // (argument & mask) is none of `values`
  };
  Kind kind = Kind::Any;
  uint8_t index = 0;
  uint32_t mask = 0xffffffff;
  std::span<const uint32_t> values = {};
};

// A call that is allowed if all its tests hold. Otherwise it fails with `error`; 0 means EPERM.
struct CallRule {
  int number;
  ArgumentTest first = {};
  ArgumentTest second = {};
  ArgumentTest third = {};
  int error = 0;
};

constexpr CallRule never(int number, int error = 0) {
  return {.number = number, .first = {.kind = ArgumentTest::Kind::Never}, .error = error};
}
constexpr ArgumentTest one_of(uint8_t index, std::span<const uint32_t> values, uint32_t mask = 0xffffffff) {
  return {ArgumentTest::Kind::Equal, index, mask, values};
}
constexpr ArgumentTest none_of(uint8_t index, std::span<const uint32_t> values) {
  return {ArgumentTest::Kind::NoneOf, index, 0xffffffff, values};
}
constexpr ArgumentTest without(uint8_t index, uint32_t bits) { return {ArgumentTest::Kind::NoBits, index, bits}; }
constexpr ArgumentTest with(uint8_t index, uint32_t bits) { return {ArgumentTest::Kind::AllBits, index, bits}; }

struct CallPolicy {
  // Allowed, or looked at more closely.
  std::span<const CallRule> rules;
  // The answer to calls that are not named: EPERM in a list of what is allowed, nothing (0: it is allowed) in a list of exceptions.
  int error_of_others = 0;
  // Numbers from this one on that are not named fail with ENOSYS, so that libraries use the older calls; 0: none.
  int newer_from = 0;
};

// The filter's program. Calls of another architecture's numbering end the process.
std::vector<sock_filter> assemble(const CallPolicy& policy);
// Makes it hold for the calling thread and those it starts. Needs no_new_privs. False with errno.
bool install(const CallPolicy& policy);

}  // namespace rondo::fence
