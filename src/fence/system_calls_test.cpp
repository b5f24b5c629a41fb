// The assembler of system call filters: a small machine runs the programs it makes.
#include "fence/system_calls.h"

#include "fence/page_calls.h"

#include <gtest/gtest.h>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace rondo::fence {
namespace {

constexpr uint32_t kKilled = SECCOMP_RET_KILL_PROCESS, kAllowed = SECCOMP_RET_ALLOW;
constexpr uint32_t refused(int error) { return SECCOMP_RET_ERRNO | static_cast<uint32_t>(error); }

// The instructions that the assembler uses.
uint32_t run(const std::vector<sock_filter>& program, const seccomp_data& data) {
  uint32_t value = 0;
  for (size_t at = 0; at < program.size(); at++) {
    const auto& [code, if_true, if_false, operand] = program[at];
    switch (code) {
      case BPF_LD | BPF_W | BPF_ABS:
        memcpy(&value, reinterpret_cast<const char*>(&data) + operand, sizeof value);
        break;
      case BPF_ALU | BPF_AND | BPF_K:
        value &= operand;
        break;
      case BPF_JMP | BPF_JEQ | BPF_K:
        at += value == operand ? if_true : if_false;
        break;
      case BPF_JMP | BPF_JGE | BPF_K:
        at += value >= operand ? if_true : if_false;
        break;
      case BPF_RET | BPF_K:
        return operand;
      default:
        ADD_FAILURE() << "an instruction of code " << code;
        return 0;
    }
  }
  ADD_FAILURE() << "the program ends without an answer";
  return 0;
}

uint32_t ask(const CallPolicy& policy, int number, std::vector<uint64_t> arguments = {}) {
  seccomp_data data{.nr = number, .arch = AUDIT_ARCH_X86_64};
  for (size_t i = 0; i < arguments.size(); i++) data.args[i] = arguments[i];
  return run(assemble(policy), data);
}

TEST(SystemCallsTest, what_is_not_named_fails_or_is_allowed) {
  const CallRule rules[] = {{.number = 1}, never(2), never(3, ENOSYS)};
  const CallPolicy allowing{.rules = rules, .error_of_others = EPERM, .newer_from = 400};
  EXPECT_EQ(ask(allowing, 1), kAllowed);
  EXPECT_EQ(ask(allowing, 2), refused(EPERM));
  EXPECT_EQ(ask(allowing, 3), refused(ENOSYS));
  EXPECT_EQ(ask(allowing, 4), refused(EPERM));
  EXPECT_EQ(ask(allowing, 399), refused(EPERM));
  EXPECT_EQ(ask(allowing, 400), refused(ENOSYS));
  const CallPolicy forbidding{.rules = rules};
  EXPECT_EQ(ask(forbidding, 2), refused(EPERM));
  EXPECT_EQ(ask(forbidding, 4), kAllowed);
}

TEST(SystemCallsTest, arguments_are_tested_one_after_another) {
  static constexpr uint32_t kFew[] = {7, 8};
  const CallRule rules[] = {{5, one_of(0, kFew), with(1, 6), without(2, 0x100)}, {.number = 6}};
  const CallPolicy policy{.rules = rules, .error_of_others = EPERM};
  EXPECT_EQ(ask(policy, 5, {7, 6, 0}), kAllowed);
  EXPECT_EQ(ask(policy, 5, {8, 7, 0xff}), kAllowed);
  EXPECT_EQ(ask(policy, 5, {9, 6, 0}), refused(EPERM));
  EXPECT_EQ(ask(policy, 5, {7, 4, 0}), refused(EPERM));
  EXPECT_EQ(ask(policy, 5, {7, 6, 0x100}), refused(EPERM));
  EXPECT_EQ(ask(policy, 6, {9, 9, 9}), kAllowed);
}

TEST(SystemCallsTest, some_values_of_an_argument_are_refused) {
  static constexpr uint32_t kRefused[] = {7, 9};
  const CallRule rules[] = {{5, none_of(1, kRefused), without(2, 1)}, {.number = 6}};
  const CallPolicy policy{.rules = rules};
  for (const uint64_t value : {0, 6, 8, 10}) EXPECT_EQ(ask(policy, 5, {7, value, 0}), kAllowed);
  for (const uint64_t value : {7, 9}) EXPECT_EQ(ask(policy, 5, {0, value, 0}), refused(EPERM));
  EXPECT_EQ(ask(policy, 5, {0, 8, 1}), refused(EPERM));
  EXPECT_EQ(ask(policy, 6, {0, 7, 1}), kAllowed);
}

TEST(SystemCallsTest, other_numberings_end_the_process) {
  const CallRule rules[] = {{.number = 1}};
  const auto program = assemble({.rules = rules});
  EXPECT_EQ(run(program, {.nr = 1, .arch = AUDIT_ARCH_I386}), kKilled);
  EXPECT_EQ(run(program, {.nr = 0x40000001, .arch = AUDIT_ARCH_X86_64}), kKilled);
  EXPECT_EQ(run(program, {.nr = 1, .arch = AUDIT_ARCH_X86_64}), kAllowed);
}

TEST(SystemCallsTest, a_page_has_threads_and_tcp_and_no_processes) {
  const auto page = page_calls();
  const auto own = static_cast<uint64_t>(getpid());
  EXPECT_EQ(ask(page, SYS_read), kAllowed);
  EXPECT_EQ(ask(page, SYS_execve), refused(EPERM));
  EXPECT_EQ(ask(page, SYS_clone, {CLONE_VM | CLONE_THREAD | CLONE_SIGHAND}), kAllowed);
  EXPECT_EQ(ask(page, SYS_clone, {CLONE_VM}), refused(EPERM));
  EXPECT_EQ(ask(page, 435 /* clone3 */), refused(ENOSYS));
  EXPECT_EQ(ask(page, 425 /* io_uring_setup */), refused(ENOSYS));
  EXPECT_EQ(ask(page, SYS_socket, {AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP}), kAllowed);
  EXPECT_EQ(ask(page, SYS_socket, {AF_UNIX, SOCK_STREAM, 0}), refused(EPERM));
  EXPECT_EQ(ask(page, SYS_socket, {AF_INET, SOCK_STREAM, 262 /* MPTCP */}), refused(EPERM));
  EXPECT_EQ(ask(page, SYS_sendto, {3, 0, 1, MSG_FASTOPEN, 0, 0}), refused(EPERM));
  EXPECT_EQ(ask(page, SYS_tgkill, {own, 1, 9}), kAllowed);
  EXPECT_EQ(ask(page, SYS_tgkill, {1, 1, 9}), refused(EPERM));
  EXPECT_EQ(ask(page, SYS_ioctl, {0, FIONREAD}), kAllowed);
  EXPECT_EQ(ask(page, SYS_ioctl, {0, TIOCSTI}), refused(EPERM));
  EXPECT_EQ(ask(page, SYS_prctl, {PR_SET_NAME}), kAllowed);
  EXPECT_EQ(ask(page, SYS_prctl, {PR_SET_DUMPABLE}), refused(EPERM));
}

}  // namespace
}  // namespace rondo::fence
