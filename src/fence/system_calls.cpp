// See system_calls.h. The program is a list of blocks, one a rule:
//
//        jump over the block unless the call's number is the rule's
//        for each test: load the argument, compare; on failure jump to "refuse"
//        allow
//     refuse:
//        errno
#include "fence/system_calls.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace rondo::fence {

namespace {

#if defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
constexpr uint32_t kOtherNumbers = 0x40000000;  // x32: the same architecture, other numbers
#elif defined(__aarch64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
constexpr uint32_t kOtherNumbers = 0;
#else
#error "the numbers of system calls of this architecture are not known here"
#endif

constexpr uint16_t kLoad = BPF_LD | BPF_W | BPF_ABS, kAnd = BPF_ALU | BPF_AND | BPF_K;
constexpr uint16_t kIfEqual = BPF_JMP | BPF_JEQ | BPF_K, kIfAtLeast = BPF_JMP | BPF_JGE | BPF_K;
constexpr uint16_t kReturn = BPF_RET | BPF_K;
constexpr uint32_t kAllow = SECCOMP_RET_ALLOW;

uint32_t fails_with(int error) { return SECCOMP_RET_ERRNO | static_cast<uint32_t>(error); }

class Assembler {
 public:
  void load(uint32_t offset) { code_.push_back({kLoad, 0, 0, offset}); }
  void load_number() { load(offsetof(seccomp_data, nr)); }
  void answer(uint32_t action) { code_.push_back({kReturn, 0, 0, action}); }
  void answer_if(uint16_t condition, uint32_t value, uint32_t action) {
    code_.push_back({condition, 0, 1, value});
    answer(action);
  }
  void mask(uint32_t bits) { code_.push_back({kAnd, 0, 0, bits}); }

  // The jumps of a block are filled in when its length is known.
  size_t jump_unless(uint32_t value) {
    code_.push_back({kIfEqual, 0, 0, value});
    return code_.size() - 1;
  }
  size_t jump_if(uint32_t value) { return jump_unless(value); }
  size_t here() const { return code_.size(); }
  void set_true(size_t jump, size_t target) { code_[jump].jt = distance(jump, target); }
  void set_false(size_t jump, size_t target) { code_[jump].jf = distance(jump, target); }
  std::vector<sock_filter> take() { return std::move(code_); }

 private:
  static uint8_t distance(size_t from, size_t to) { return static_cast<uint8_t>(to - from - 1); }

  std::vector<sock_filter> code_;
};

// Jumps that a failed comparison takes, by what they compare.
struct Failures {
  std::vector<size_t> if_true, if_false;
};

// Appends the comparison.
void add_test(Assembler& code, const ArgumentTest& test, Failures& failures) {
  using Kind = ArgumentTest::Kind;
  if (test.kind == Kind::Any) return;
  code.load(static_cast<uint32_t>(offsetof(seccomp_data, args) + test.index * sizeof(uint64_t)));
  if (test.mask != 0xffffffff) code.mask(test.mask);
  if (test.kind == Kind::NoneOf) {
    for (const uint32_t value : test.values) failures.if_true.push_back(code.jump_if(value));
    return;
  }
  if (test.kind != Kind::Equal) {
    failures.if_false.push_back(code.jump_unless(test.kind == Kind::NoBits ? 0 : test.mask));
    return;
  }
  std::vector<size_t> hits;
  for (const uint32_t value : test.values) hits.push_back(code.jump_if(value));
  const size_t last = hits.back();
  for (const size_t hit : hits) code.set_true(hit, code.here());
  failures.if_false.push_back(last);
}

void add_rule(Assembler& code, const CallRule& rule) {
  using Kind = ArgumentTest::Kind;
  const uint32_t refusal = fails_with(rule.error ? rule.error : EPERM);
  if (rule.first.kind == Kind::Any || rule.first.kind == Kind::Never) {
    const uint32_t action = rule.first.kind == Kind::Any ? kAllow : refusal;
    return code.answer_if(kIfEqual, static_cast<uint32_t>(rule.number), action);
  }
  const size_t entry = code.jump_unless(static_cast<uint32_t>(rule.number));
  Failures failures;
  for (const auto* test : {&rule.first, &rule.second, &rule.third}) add_test(code, *test, failures);
  code.answer(kAllow);
  for (const size_t failure : failures.if_true) code.set_true(failure, code.here());
  for (const size_t failure : failures.if_false) code.set_false(failure, code.here());
  code.answer(refusal);
  code.set_false(entry, code.here());
}

}  // namespace

std::vector<sock_filter> assemble(const CallPolicy& policy) {
  Assembler code;
  code.load(offsetof(seccomp_data, arch));
  const size_t same = code.jump_if(kArchitecture);
  code.answer(SECCOMP_RET_KILL_PROCESS);
  code.set_true(same, code.here());
  code.set_false(same, same + 1);
  code.load_number();
  if (kOtherNumbers) code.answer_if(kIfAtLeast, kOtherNumbers, SECCOMP_RET_KILL_PROCESS);
  for (const auto& rule : policy.rules) add_rule(code, rule);
  if (policy.newer_from) code.answer_if(kIfAtLeast, static_cast<uint32_t>(policy.newer_from), fails_with(ENOSYS));
  code.answer(policy.error_of_others ? fails_with(policy.error_of_others) : kAllow);
  return code.take();
}

bool install(const CallPolicy& policy) {
  auto program = assemble(policy);
  const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) == 0;
}

}  // namespace rondo::fence
