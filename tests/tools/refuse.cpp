// Runs a command with system calls refused, as seccomp profiles of containers and old kernels refuse them:
//
//   refuse ERRNO CALL,CALL… COMMAND [ARGUMENT…]      (ERRNO: EPERM or ENOSYS)
//
// Exit code 99: this machine allows no filter, or a name is unknown.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr int kCannot = 99;

constexpr std::pair<const char*, long> kCalls[] = {
    {"io_uring_setup", SYS_io_uring_setup},
    {"io_uring_enter", SYS_io_uring_enter},
    {"io_uring_register", SYS_io_uring_register},
    {"pidfd_open", SYS_pidfd_open},
    {"pidfd_send_signal", SYS_pidfd_send_signal},
    {"close_range", SYS_close_range},
    {"copy_file_range", SYS_copy_file_range},
    {"renameat2", SYS_renameat2},
    {"inotify_init1", SYS_inotify_init1},
    {"membarrier", SYS_membarrier},
    {"statx", SYS_statx},
    {"prctl", SYS_prctl},
};

long number_of(const std::string& name) {
  for (const auto& [known, number] : kCalls)
    if (name == known) return number;
  std::fprintf(stderr, "refuse: unknown call %s\n", name.c_str());
  _exit(kCannot);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return kCannot;
  const unsigned error = std::strcmp(argv[1], "ENOSYS") == 0 ? ENOSYS : EPERM;
  std::vector<sock_filter> program{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  std::string names = argv[2];
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    const auto number = static_cast<unsigned>(number_of(names.substr(begin, end - begin)));
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1));
    program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error));
    begin = end + 1;
  }
  program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) < 0) {
    std::perror("refuse: seccomp");
    return kCannot;
  }
  execvp(argv[3], argv + 3);
  std::perror("refuse: exec");
  return 127;
}
