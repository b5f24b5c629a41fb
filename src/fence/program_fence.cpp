// See program_fence.h.
#include "fence/program_fence.h"

#include "fence/landlock.h"
#include "fence/privileges.h"
#include "fence/system_calls.h"

#include <linux/fs.h>
#include <linux/fscrypt.h>
#include <linux/fsverity.h>
#include <linux/sched.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstring>

namespace rondo::fence {

namespace {

constexpr int kWithTruncate = 3, kWithPorts = 4, kWithOutside = 6;

// Files of the machine that the runtime reads: times, certificates, names, figures of process.memoryUsage() and os.cpus().
constexpr const char* kReadable[] = {
    "/etc/localtime",
    "/usr/share/zoneinfo",
    "/usr/share/zoneinfo-icu",
    "/sys/fs/cgroup",
    "/sys/devices/system",
    "/proc/self/cgroup",
    "/proc/self/maps",
    "/proc/self/statm",
    "/proc/self/stat",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/loadavg",
    "/proc/stat",
    "/proc/uptime",
    "/proc/version",
    "/dev/urandom",
    "/etc/ssl/certs",
    "/etc/pki/tls/certs",
    "/usr/share/ca-certificates",
    "/etc/pki/ca-trust/extracted",
    "/etc/ld.so.cache",
    "/lib/x86_64-linux-gnu",
    "/usr/lib/x86_64-linux-gnu",
    "/lib/aarch64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/lib64",
};
constexpr const char* kForNetwork[] = {
    "/etc/hosts",    "/etc/host.conf", "/etc/nsswitch.conf",   "/etc/resolv.conf",
    "/etc/gai.conf", "/etc/services",  "/run/systemd/resolve",
};
// A child is a program with libraries.
constexpr const char* kForProcesses[] = {"/usr", "/bin", "/sbin", "/lib", "/opt"};

constexpr FileRights kDeviceRights = bits(FileRight::ReadFile, FileRight::WriteFile);

// Files that may be changed without being opened, or as they are open to be read: no rule of Landlock is about these.
constexpr int kOfFiles[] = {
    SYS_fchmodat,
    SYS_fchownat,
    SYS_utimensat,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_fchmod,
    SYS_fchown,
    SYS_fsetxattr,
    SYS_fremovexattr,
    452 /* fchmodat2 */,
    463 /* setxattrat */,
    466 /* removexattrat */,
    469 /* file_setattr */,
#if defined(__x86_64__)
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
    SYS_utime,
    SYS_utimes,
    SYS_futimesat,
#endif
};
// Text typed into the terminal is run by the shell that waits there. Behind it: flags, projects, seals and keys of files that are open to be read.
constexpr size_t kOfTerminals = 2;
constexpr uint32_t kRequests[] = {TIOCSTI,
                                  TIOCLINUX,
                                  FS_IOC_SETFLAGS,
                                  FS_IOC_SETVERSION,
                                  FS_IOC_FSSETXATTR,
                                  FS_IOC_ENABLE_VERITY,
                                  FS_IOC_SET_ENCRYPTION_POLICY};
// Ways around the rules, whatever the rights: other processes' memory, rings (which no filter sees), mounts, names of files that are
// no paths, keys, kernel programs.
constexpr int kAlways[] = {
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_open_by_handle_at,
    SYS_name_to_handle_at,
    SYS_unshare,
    SYS_setns,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_kexec_load,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_personality,
    SYS_kcmp,
    SYS_syslog,
    SYS_acct,
    SYS_swapon,
    SYS_swapoff,
    SYS_reboot,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_quotactl,
    SYS_mknodat,
    SYS_fanotify_init,
    438 /* pidfd_getfd */,
    428 /* open_tree */,
    429 /* move_mount */,
    430 /* fsopen */,
    431 /* fsconfig */,
    432 /* fsmount */,
    433 /* fspick */,
    442 /* mount_setattr */,
    467 /* open_tree_attr */,
};
constexpr int kRings[] = {425, 426, 427};

std::vector<CallRule> rules_for(const ProgramRights& rights) {
  std::vector<CallRule> rules;
  const auto forbid = [&](std::span<const int> numbers, int error = EPERM) {
    for (const int number : numbers) rules.push_back(never(number, error));
  };
  forbid(kAlways);
  forbid(kRings, ENOSYS);  // the loop takes epoll
  if (!rights.writes_all) forbid(kOfFiles);
  const std::span<const uint32_t> all = kRequests;
  rules.push_back({SYS_ioctl, none_of(1, rights.writes_all ? all.first(kOfTerminals) : all)});
  if (!rights.reads_all) rules.push_back(never(SYS_inotify_add_watch));
  if (!rights.starts_processes) {
    rules.push_back(never(SYS_execve));
    rules.push_back(never(SYS_execveat));
#if defined(__x86_64__)
    rules.push_back(never(SYS_fork));
    rules.push_back(never(SYS_vfork));
#endif
    rules.push_back({SYS_clone, with(0, CLONE_THREAD | CLONE_VM)});
    rules.push_back(never(435, ENOSYS));  // clone3: its flags lie in memory; the C library uses clone then
  }
  if (!rights.uses_network) rules.push_back(never(SYS_socket));
  return rules;
}

bool exists(const std::string& path) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0;
}

FileRights handled_rights(const ProgramRights& rights) {
  FileRights handled = kAllRights;
  if (rights.reads_all) handled &= ~kReadRights;
  if (rights.writes_all) handled &= ~kWriteRights;
  if (rights.starts_processes) handled &= ~bits(FileRight::Execute);
  return handled & ~bits(FileRight::DeviceControl);  // terminals that are inherited are opened anew by their names
}

void add_rules(Landlock& landlock, const ProgramRights& rights) {
  for (const char* path : kReadable) landlock.allow(path, kReadRights);
  landlock.allow("/dev/null", kDeviceRights);
  if (rights.uses_network)
    for (const char* path : kForNetwork) landlock.allow(path, kReadRights);
  if (rights.starts_processes)
    for (const char* path : kForProcesses) landlock.allow(path, kReadRights);
  for (const auto& path : rights.own) landlock.allow(path, kReadRights);
  for (const auto& path : rights.readable) landlock.allow(path.name, kReadRights);
  for (const auto& path : rights.writable) landlock.allow(path.name, kWriteRights);
}

}  // namespace

std::optional<std::string> unholdable(const ProgramRights& rights) {
  for (const auto* paths : {&rights.readable, &rights.writable}) {
    for (const auto& path : *paths) {
      if (path.is_prefix && !path.name.ends_with('/'))
        return "the kernel has no rule for a beginning of names (" + path.name + "*): name the folder, or the files";
      if (!exists(path.name)) return "the kernel has no rule for what does not exist yet (" + path.name + ")";
    }
  }
  return std::nullopt;
}

std::optional<std::string> fence_program(const ProgramRights& rights) {
  if (!is_possible()) return "this is a build with a sanitizer, which needs more than the rules allow";
  const int abi = Landlock::abi();
  if (abi < kWithTruncate) return "the kernel has no Landlock of version 3 or newer";
  if (!give_up_new_privileges() || !give_up_capabilities()) return std::string("privileges: ") + strerror(errno);
  Landlock::Handled handled{.files = handled_rights(rights)};
  if (abi >= kWithPorts && !rights.uses_network)
    handled.ports = static_cast<uint64_t>(PortRight::Bind) | static_cast<uint64_t>(PortRight::Connect);
  if (abi >= kWithOutside) {
    handled.outside = static_cast<uint64_t>(Outside::Signals);
    if (!rights.uses_network) handled.outside |= static_cast<uint64_t>(Outside::AbstractSockets);
  }
  Landlock landlock(handled);
  if (!landlock.is_open()) return std::string("Landlock: ") + strerror(errno);
  add_rules(landlock, rights);
  if (!landlock.restrict_self()) return std::string("Landlock: ") + strerror(errno);
  const auto rules = rules_for(rights);
  if (!install({.rules = rules})) return std::string("seccomp: ") + strerror(errno);
  return std::nullopt;
}

}  // namespace rondo::fence
