// See page_fence.h.
#include "fence/page_fence.h"

#include "fence/landlock.h"
#include "fence/page_calls.h"
#include "fence/privileges.h"

#include <cstdlib>
#include <filesystem>

namespace rondo::fence {

namespace {

// Names of machines, certificates, libraries that the C library loads to look names up, the time zone, and the control group's limit of memory.
constexpr const char* kReadable[] = {
    "/etc/hosts",
    "/etc/host.conf",
    "/etc/nsswitch.conf",
    "/etc/resolv.conf",
    "/etc/gai.conf",
    "/etc/services",
    "/etc/ssl/certs",
    "/etc/ssl/openssl.cnf",
    "/etc/pki/tls/certs",
    "/etc/pki/ca-trust/extracted",
    "/usr/share/ca-certificates",
    "/usr/local/share/ca-certificates",
    "/etc/ld.so.cache",
    "/lib/x86_64-linux-gnu",
    "/usr/lib/x86_64-linux-gnu",
    "/lib/aarch64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/lib64",
    "/etc/localtime",
    "/usr/share/zoneinfo",
    "/usr/share/zoneinfo-icu",
    "/sys/fs/cgroup",
    "/sys/devices/system/cpu/online",
    "/proc/self/cgroup",
    "/proc/self/maps",
    "/proc/self/statm",
    "/dev/null",
    "/dev/urandom",
};
constexpr const char* kVariables[] = {"SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"};

constexpr FileRights kStorageRights = kReadRights | bits(FileRight::WriteFile, FileRight::Truncate, FileRight::MakeFile,
                                                         FileRight::MakeFolder, FileRight::RemoveFile);

// A daemon renames a new resolv.conf over the old one: its folder is what stays.
std::string folder_of_resolver() {
  std::error_code failed;
  const auto real = std::filesystem::canonical("/etc/resolv.conf", failed);
  return failed || real.parent_path() == "/etc" ? std::string() : real.parent_path().string();
}

void add_rules(Landlock& landlock, const PageNeeds& needs) {
  for (const char* path : kReadable) landlock.allow(path, kReadRights);
  for (const char* name : kVariables)
    if (const char* path = getenv(name)) landlock.allow(path, kReadRights);
  if (const auto folder = folder_of_resolver(); !folder.empty()) landlock.allow(folder, kReadRights);
  for (const auto& path : needs.readable) landlock.allow(path, kReadRights);
  for (const auto& path : needs.writable) landlock.allow(path, kStorageRights);
}

constexpr int kWithTruncate = 3, kWithPorts = 4, kWithDevices = 5, kWithOutside = 6;

void restrict_files(const PageNeeds& needs, Report& report) {
  const int abi = Landlock::abi();
  const auto note = [&](bool holds, const char* what) {
    (holds ? report.enforced : report.missing).emplace_back(what);
  };
  Landlock::Handled handled;
  if (abi >= kWithPorts) handled.ports = static_cast<uint64_t>(PortRight::Bind);
  if (abi >= kWithOutside)
    handled.outside = static_cast<uint64_t>(Outside::AbstractSockets) | static_cast<uint64_t>(Outside::Signals);
  bool holds = false;
  if (abi > 0) {
    Landlock landlock(handled);
    if (landlock.is_open()) {
      add_rules(landlock, needs);
      holds = landlock.restrict_self();
    }
  }
  note(holds, "files");
  note(holds && abi >= kWithTruncate, "truncation of files");
  note(holds && abi >= kWithDevices, "control of devices");
  note(holds && abi >= kWithPorts, "listening on ports");
  note(holds && abi >= kWithOutside, "signals and abstract sockets of others");
}

std::string joined(const std::vector<std::string>& items) {
  std::string text;
  for (const auto& item : items) text += (text.empty() ? "" : ", ") + item;
  return text.empty() ? "nothing" : text;
}

}  // namespace

bool is_possible() {
#if defined(RONDO_NO_FENCE)
  return false;
#else
  return true;
#endif
}

Report fence_page(const PageNeeds& needs) {
  Report report;
  if (!is_possible()) {
    report.missing.emplace_back("all of it: this is a build with a sanitizer");
    return report;
  }
  const bool is_unprivileged = give_up_new_privileges();
  (is_unprivileged ? report.enforced : report.missing).emplace_back("no new privileges");
  (give_up_capabilities() ? report.enforced : report.missing).emplace_back("no capabilities");
  restrict_files(needs, report);
  (install(page_calls()) ? report.enforced : report.missing).emplace_back("system calls");
  return report;
}

std::string sentence(const Report& report) {
  return "enforced: " + joined(report.enforced) + "; not enforced: " + joined(report.missing);
}

}  // namespace rondo::fence
