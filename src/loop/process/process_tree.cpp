// kill_tree: a picture of /proc, the descendants in it, and the signals.
#include "loop/process/process_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <string>
#include <vector>

#include "rondo/process.h"

namespace rondo {

std::optional<pid_t> parent_in_stat(std::string_view text) {
  // "1234 (any name) S 1 ..."
  const std::size_t end = text.rfind(')');
  if (end == std::string_view::npos || text.size() < end + 5) return std::nullopt;
  pid_t parent = 0;
  const char* first = text.data() + end + 4;
  const auto [stop, error] = std::from_chars(first, text.data() + text.size(), parent);
  if (error != std::errc() || stop == first || parent < 0) return std::nullopt;
  return parent;
}

namespace {

constexpr int kMostLooks = 100;

struct Entry {
  pid_t pid;
  pid_t parent;
};

std::vector<Entry> all_processes() {
  std::vector<Entry> entries;
  DIR* folder = opendir("/proc");
  if (!folder) return entries;
  while (const dirent* item = readdir(folder)) {
    const std::string_view name = item->d_name;
    pid_t pid = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), pid).ptr != name.data() + name.size()) continue;
    const std::string path = "/proc/" + std::string(name) + "/stat";
    const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file) continue;  // it has ended meanwhile
    char text[512];
    const ssize_t size = read(file.get(), text, sizeof text);
    if (size <= 0) continue;
    if (const auto parent = parent_in_stat({text, static_cast<std::size_t>(size)})) entries.push_back({pid, *parent});
  }
  closedir(folder);
  return entries;
}

// Ancestors before descendants.
std::vector<pid_t> tree_of(pid_t root) {
  const std::vector<Entry> entries = all_processes();
  std::vector<pid_t> tree{root};
  for (std::size_t i = 0; i < tree.size(); i++) {
    for (const Entry& entry : entries) {
      const bool is_new = entry.parent == tree[i] && std::find(tree.begin(), tree.end(), entry.pid) == tree.end();
      if (is_new) tree.push_back(entry.pid);
    }
  }
  return tree;
}

// All but ourselves. True: we are one of them.
bool signal_all(const std::vector<pid_t>& tree, int signal) {
  const pid_t own = getpid();
  bool includes_us = false;
  for (const pid_t member : tree) {
    if (member == own) {
      includes_us = true;
    } else {
      ::kill(member, signal);
    }
  }
  return includes_us;
}

}  // namespace

Result<void> kill_tree(pid_t pid, int signal) {
  if (pid <= 1) return failure(EINVAL, "kill");
  if (::kill(pid, 0) < 0) return last_failure("kill");
  std::vector<pid_t> tree = tree_of(pid);
  if (signal == SIGKILL) {
    // A stopped process forks no more; when a look finds the same ones again, the picture is complete. Those that we may not
    // stop can go on for ever, so there is an end to the looking.
    std::vector<pid_t> before;
    for (int looks = 0; before != tree && looks < kMostLooks; looks++) {
      before = std::move(tree);
      signal_all(before, SIGSTOP);
      tree = tree_of(pid);
    }
  }
  // We may be in it, and must not be the first to go.
  const bool includes_us = signal_all(tree, signal);
  if (includes_us) ::kill(getpid(), signal);
  return {};
}

}  // namespace rondo
