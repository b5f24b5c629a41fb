// See explore_files.h.
#include "cli/explore_files.h"

#include "fence/landlock.h"

#include "rondo/base/unique_fd.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <vector>

namespace rondo::cli {

namespace {

bool write_text(const char* path, const std::string& text) {
  const UniqueFd file(open(path, O_WRONLY | O_CLOEXEC));
  return file && write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

// In a namespace of its own a user may mount; the user stays who it is.
bool enter_user_namespace() {
  const std::string user = std::to_string(geteuid()), group = std::to_string(getegid());
  if (unshare(CLONE_NEWUSER) < 0) return false;
  return write_text("/proc/self/setgroups", "deny") && write_text("/proc/self/uid_map", user + " " + user + " 1") &&
         write_text("/proc/self/gid_map", group + " " + group + " 1");
}

std::string real(const std::string& path) {
  char resolved[PATH_MAX];
  return realpath(path.c_str(), resolved) ? resolved : "";
}

// Folders that a run may write to, none inside another.
std::vector<std::string> writable_folders(const std::string& script) {
  std::vector<std::string> folders;
  const auto add = [&](const std::string& folder) {
    if (!folder.empty() && folder != "/") folders.push_back(folder);
  };
  const char* temporary = getenv("TMPDIR");
  add(real(temporary && *temporary ? temporary : "/tmp"));
  add(real("."));
  if (const std::string file = real(script); !file.empty()) add(file.substr(0, file.rfind('/')));
  const auto is_inside = [&](const std::string& folder) {
    return std::any_of(folders.begin(), folders.end(),
                       [&](const std::string& other) { return folder.starts_with(other + "/"); });
  };
  std::vector<std::string> outermost;
  for (const auto& folder : folders) {
    const bool is_known = std::find(outermost.begin(), outermost.end(), folder) != outermost.end();
    if (!is_known && !is_inside(folder)) outermost.push_back(folder);
  }
  return outermost;
}

// A place that every system has and no program misses: the layers are mounted over it, for this run alone.
const char* place_for_layers() {
  struct stat status;
  for (const char* folder : {"/dev/shm", "/run", "/mnt"}) {
    if (stat(folder, &status) == 0 && S_ISDIR(status.st_mode)) return folder;
  }
  return nullptr;
}

bool make_read_only(const char* root) {
  struct mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_RDONLY;
  return syscall(SYS_mount_setattr, AT_FDCWD, root, AT_RECURSIVE, &attributes, sizeof attributes) == 0;
}

bool isolate_files(const std::string& script) {
  const auto folders = writable_folders(script);
  const std::string here = real(".");
  if (unshare(CLONE_NEWNS) < 0 || mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) < 0) return false;
  const std::string layers = place_for_layers();
  if (!make_read_only("/") || mount("tmpfs", layers.c_str(), "tmpfs", 0, nullptr) < 0) return false;
  for (size_t i = 0; i < folders.size(); i++) {
    const std::string upper = layers + "/" + std::to_string(i), work = upper + "w";
    if (mkdir(upper.c_str(), 0777) < 0 || mkdir(work.c_str(), 0777) < 0) return false;
    if (folders[i].find_first_of(",:\\") != std::string::npos) return false;  // characters of overlayfs's own
    const std::string options = "lowerdir=" + folders[i] + ",upperdir=" + upper + ",workdir=" + work;
    if (mount("overlay", folders[i].c_str(), "overlay", 0, options.c_str()) < 0) return false;
  }
  return here.empty() || chdir(here.c_str()) == 0;
}

bool can_isolate_files() {
  const pid_t child = fork();
  if (child == 0) _exit(place_for_layers() && isolate_files("") ? 0 : 1);
  int status = 1;
  waitpid(child, &status, 0);
  return child > 0 && status == 0;
}

bool forbid_writing() {
  fence::Landlock rules({.files = fence::kWriteRights});
  return rules.allow("/dev", fence::bits(fence::FileRight::WriteFile)) && rules.restrict_self();
}

}  // namespace

RunFiles best_run_files() {
  if (can_isolate_files()) return RunFiles::Private;
  return enter_user_namespace() && can_isolate_files() ? RunFiles::Private : RunFiles::ReadOnly;
}

bool set_up_files(RunFiles how, const std::string& script) {
  if (how == RunFiles::Private) return isolate_files(script);
  return how == RunFiles::Real || forbid_writing();
}

}  // namespace rondo::cli
