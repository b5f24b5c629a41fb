// See page_calls.h. The list was taken from runs of all tests of pages (strace), with JIT, WebAssembly, workers, http, https and stored
// databases. A call that is missing shows as EPERM in `strace -f -e trace=all`.
#include "fence/page_calls.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <vector>

namespace rondo::fence {

namespace {

// TCP and UDP over IP. No AF_UNIX (sessions' buses, containers' daemons), no netlink, no raw sockets, no MPTCP, which Landlock's
// rules about TCP do not see.
constexpr uint32_t kFamilies[] = {AF_INET, AF_INET6};
constexpr uint32_t kTypes[] = {SOCK_STREAM, SOCK_DGRAM};
constexpr uint32_t kProtocols[] = {0, IPPROTO_TCP, IPPROTO_UDP};
constexpr uint32_t kTypeMask = 0xf;  // without SOCK_NONBLOCK and SOCK_CLOEXEC
constexpr uint32_t kLevels[] = {SOL_SOCKET, IPPROTO_TCP, IPPROTO_IP, IPPROTO_IPV6};
// No TCP_FASTOPEN_CONNECT, no filters. Numbers mean something else on each level; these are harmless on all four.
constexpr uint32_t kSocketOptions[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 20, 21, 25};
// No TIOCSTI, which types into the terminal that the page was started from.
constexpr uint32_t kDeviceRequests[] = {FIONREAD, FIONBIO, FIOCLEX, FIONCLEX, TCGETS, TIOCGWINSZ};
// No F_SETOWN, F_SETSIG, F_NOTIFY: signals to others.
constexpr uint32_t kFileRequests[] = {F_DUPFD, F_GETFD, F_SETFD,  F_GETFL,        F_SETFL,
                                      F_GETLK, F_SETLK, F_SETLKW, F_DUPFD_CLOEXEC};
constexpr uint32_t kSetVmaName = 0x53564d41;
constexpr uint32_t kProcessRequests[] = {PR_SET_NAME, PR_GET_NAME, PR_GET_DUMPABLE, PR_GET_NO_NEW_PRIVS, kSetVmaName};
constexpr uint32_t kOwnProcess[] = {0};
constexpr uint32_t kNewerCalls = 424;  // pidfd_send_signal; clone3 and io_uring are behind it

// Its own number may be known only at run time.
std::array<uint32_t, 1>& own_number() {
  static std::array<uint32_t, 1> number{static_cast<uint32_t>(getpid())};
  return number;
}

// By how often they are called.
constexpr int kPlain[] = {
    // waiting
    SYS_futex,
    SYS_epoll_pwait2,
#if defined(__x86_64__)
    SYS_epoll_wait,
    SYS_poll,
#endif
    SYS_epoll_pwait,
    SYS_epoll_ctl,
    SYS_epoll_create1,
    SYS_eventfd2,
    SYS_ppoll,
    SYS_timerfd_create,
    SYS_timerfd_settime,
    SYS_nanosleep,
    SYS_clock_nanosleep,
    SYS_restart_syscall,
    SYS_sched_yield,
    // reading and writing
    SYS_read,
    SYS_write,
    SYS_readv,
    SYS_writev,
    SYS_pread64,
    SYS_pwrite64,
    SYS_preadv,
    SYS_pwritev,
    SYS_preadv2,
    SYS_pwritev2,
    SYS_lseek,
    SYS_close,
    SYS_dup,
    SYS_dup3,
    SYS_pipe2,
    SYS_fstat,
    SYS_fstatfs,
    SYS_fsync,
    SYS_fdatasync,
    SYS_ftruncate,
    SYS_fallocate,
    SYS_getdents64,
    // names of files, which Landlock guards
    SYS_openat,
    SYS_newfstatat,
    SYS_statx,
    SYS_readlinkat,
    SYS_faccessat,
    SYS_mkdirat,
    SYS_unlinkat,
    SYS_renameat,
    SYS_renameat2,
    SYS_getcwd,
#if defined(__x86_64__)
    SYS_stat,
    SYS_lstat,
    SYS_access,
    SYS_readlink,
    SYS_mkdir,
    SYS_rmdir,
    SYS_unlink,
    SYS_rename,
#endif
    // the network
    SYS_connect,
    SYS_recvfrom,
    SYS_recvmsg,
    SYS_recvmmsg,
    SYS_shutdown,
    SYS_getsockname,
    SYS_getpeername,
    SYS_getsockopt,
    // memory
    SYS_mmap,
    SYS_munmap,
    SYS_mprotect,
    SYS_mremap,
    SYS_madvise,
    SYS_brk,
    SYS_mincore,
    SYS_membarrier,
    // threads and signals of its own
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_rt_sigsuspend,
    SYS_rt_sigtimedwait,
    SYS_sigaltstack,
    SYS_set_robust_list,
    SYS_rseq,
    SYS_exit,
    SYS_exit_group,
    SYS_sched_getaffinity,
    SYS_sched_getparam,
    SYS_sched_getscheduler,
    SYS_getcpu,
    // facts
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_gettimeofday,
    SYS_getpid,
    SYS_gettid,
    SYS_getppid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_getrandom,
    SYS_getrusage,
    SYS_sysinfo,
    SYS_uname,
    SYS_times,
};

std::vector<CallRule> make_rules() {
  std::vector<CallRule> rules;
  for (const int number : kPlain) rules.push_back({.number = number});
  const std::span<const uint32_t> own = own_number();
  const CallRule tested[] = {
      {SYS_ioctl, one_of(1, kDeviceRequests)},
      {SYS_fcntl, one_of(1, kFileRequests)},
      {SYS_socket, one_of(0, kFamilies), one_of(1, kTypes, kTypeMask), one_of(2, kProtocols)},
      {SYS_setsockopt, one_of(1, kLevels), one_of(2, kSocketOptions)},
      // Fast open would send before connect() is asked.
      {SYS_sendto, without(3, MSG_FASTOPEN)},
      {SYS_sendmsg, without(2, MSG_FASTOPEN)},
      {SYS_sendmmsg, without(3, MSG_FASTOPEN)},
      // Threads, no processes. The flags of clone3 lie in memory: it is not there, and the C library uses clone.
      {SYS_clone, with(0, CLONE_THREAD | CLONE_VM)},
      {SYS_tgkill, one_of(0, own)},
      {SYS_prctl, one_of(0, kProcessRequests)},
      {SYS_prlimit64, one_of(0, kOwnProcess)},
  };
  rules.insert(rules.end(), std::begin(tested), std::end(tested));
  return rules;
}

}  // namespace

CallPolicy page_calls() {
  static const std::vector<CallRule> rules = make_rules();
  return {.rules = rules, .error_of_others = EPERM, .newer_from = kNewerCalls};
}

}  // namespace rondo::fence
