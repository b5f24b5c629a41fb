// See rights_used.h.
#include "runtime/rights_used.h"

#include "runtime/permission.h"

#include <sys/stat.h>

#include <map>

namespace rondo::runtime {

namespace {

constexpr size_t kManyFiles = 8;
constexpr std::string_view kTemporary = "XXXXXX";  // mkdtemp puts other letters there
constexpr std::string_view kPackages = "/node_modules/";

bool is_folder(const std::string& path) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

bool is_below(const std::string& path, const std::set<std::string>& folders) {
  for (size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1))
    if (slash + 1 < path.size() && folders.contains(path.substr(0, slash + 1))) return true;
  return false;
}

// The options that grant these paths: folders end in a slash.
std::set<std::string> gathered(const std::set<std::string>& paths) {
  std::set<std::string> folders;
  std::map<std::string, size_t> files_in;
  for (const auto& path : paths) {
    if (const auto at = path.find(kPackages); at != std::string::npos)
      folders.insert(path.substr(0, at + kPackages.size()));
    else if (is_folder(path))
      folders.insert(path == "/" ? path : path + '/');
    else
      files_in[folder_of(path)]++;
  }
  for (const auto& [folder, count] : files_in)
    if (count > kManyFiles) folders.insert(folder);
  std::set<std::string> wanted;
  for (const auto& folder : folders)
    if (!is_below(folder, folders)) wanted.insert(folder);
  for (const auto& path : paths)
    if (!folders.contains(path + '/') && !is_below(path, folders)) wanted.insert(path);
  return wanted;
}

// A file in a folder that mkdtemp made has another name in the next run.
std::set<std::string> without_random_names(const std::set<std::string>& paths, const std::set<std::string>& made) {
  std::set<std::string> result;
  for (const auto& path : paths) {
    std::string name = path;
    for (const auto& pattern : made) {
      const auto beginning = std::string_view(pattern).substr(0, pattern.size() - kTemporary.size());
      if (path.starts_with(beginning) && path.size() >= pattern.size()) name = pattern;
    }
    result.insert(name);
  }
  return result;
}

std::string as_granted(std::string path) {
  if (path.ends_with(kTemporary)) path.replace(path.size() - kTemporary.size(), kTemporary.size(), "*");
  return path;
}

}  // namespace

void RightsUsed::note(Scope scope, std::string_view resource) {
  const std::lock_guard lock(mutex_);
  if (scope == Scope::FileSystem) uses_all_files_ = true;
  if (scope == Scope::FileSystemRead) reads_.insert(absolute_path(resource));
  if (scope == Scope::FileSystemWrite) writes_.insert(absolute_path(resource));
  if (scope > Scope::FileSystemWrite) others_ |= uint32_t{1} << static_cast<unsigned>(scope);
}

std::vector<std::string> RightsUsed::as_options(std::string_view program) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> options{"--permission"};
  std::set<std::string> temporary;
  for (const auto& path : writes_)
    if (path.ends_with(kTemporary)) temporary.insert(path);
  const auto add = [&](Scope scope, const std::set<std::string>& paths) {
    const std::string option = std::string(names_of(scope).option) + "=";
    if (uses_all_files_) return options.push_back(option + "*");
    for (const auto& path : gathered(without_random_names(paths, temporary)))
      options.push_back(option + as_granted(path));
  };
  auto reads = reads_;
  reads.erase(absolute_path(program));
  reads.erase(without_links(program, LastLink::Follow));
  add(Scope::FileSystemRead, reads);
  add(Scope::FileSystemWrite, writes_);
  for (auto scope = Scope::ChildProcess; scope < Scope::Count; scope = Scope(static_cast<uint8_t>(scope) + 1))
    if (others_ & (uint32_t{1} << static_cast<unsigned>(scope))) options.emplace_back(names_of(scope).option);
  return options;
}

}  // namespace rondo::runtime
