// See permission.h.
#include "runtime/permission.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>

namespace rondo::runtime {

namespace {

constexpr std::array<ScopeNames, static_cast<size_t>(Scope::Count)> kNames{{
    {"FileSystem", "fs", "fs", "--allow-fs-read"},
    {"FileSystemRead", "fs.read", "fs", "--allow-fs-read"},
    {"FileSystemWrite", "fs.write", "fs", "--allow-fs-write"},
    {"ChildProcess", "child", "child", "--allow-child-process"},
    {"WorkerThreads", "worker", "worker", "--allow-worker"},
    {"Inspector", "inspector", "inspector", "--allow-inspector"},
    {"WASI", "wasi", "wasi", "--allow-wasi"},
    {"Addon", "addon", "addon", "--allow-addons"},
    {"Net", "net", "net", "--allow-net"},
    {"FFI", "ffi", "ffi", "--allow-ffi"},
    {"OpenSSLStore", "openssl.store", "openssl-store", "--allow-openssl-store"},
}};

constexpr int kMostLinks = 40;  // as the kernel's: more are a loop

// The first name of `rest`, which is taken off it. Empty at the end.
std::string_view take_name(std::string_view& rest) {
  while (rest.starts_with('/')) rest.remove_prefix(1);
  const auto name = rest.substr(0, rest.find('/'));
  rest.remove_prefix(name.size());
  return name;
}

void leave_folder(std::string& path) { path.resize(std::max<size_t>(path.rfind('/'), 0)); }

// Where names of `path` begin: "" at the root. Nothing when that cannot be told: the folder is deleted, or its name too long.
std::optional<std::string> beginning_of(std::string_view path) {
  if (path.starts_with('/')) return "";
  char text[PATH_MAX];
  if (!::getcwd(text, sizeof text)) return std::nullopt;
  return std::string_view(text) == "/" ? "" : text;
}

// Empty for what is no link. Nothing when that cannot be told: a request by a shorter name might still follow one (a working folder that is deep, or lies in
// one that cannot be searched).
std::optional<std::string> link_target(const std::string& path) {
  char target[PATH_MAX];
  const auto length = ::readlink(path.c_str(), target, sizeof target);
  if (length >= 0) return std::string(target, static_cast<size_t>(length));
  if (errno == EINVAL || errno == ENOENT || errno == ENOTDIR) return "";
  return std::nullopt;
}

bool is_folder(const std::string& path) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

bool covers(const std::string& granted, bool is_prefix, std::string_view path) {
  if (granted.empty() || path.empty()) return false;  // not known
  if (path == granted) return true;
  if (!is_prefix) return false;
  if (path.starts_with(granted)) return true;
  return granted.ends_with('/') && path == std::string_view(granted).substr(0, granted.size() - 1);
}

// "/a/b*" and "/a/b/": the folder's links are followed, the beginning of a name stays.
std::string real_beginning(const std::string& name) {
  const auto slash = name.rfind('/');
  if (slash == std::string::npos) return "";
  std::string folder = without_links(name.substr(0, slash + 1), LastLink::Follow);
  if (folder.empty()) return "";
  if (folder != "/") folder += '/';
  return folder + name.substr(slash + 1);
}

PathRights::Grant make_grant(std::string_view given, PathRights::Origin origin) {
  const auto star = given.find('*');
  if (star != std::string_view::npos) {
    // The text before the '*' is a folder, or the beginning of a name in one.
    std::string name = absolute_path(given.substr(0, star));
    if (star == 0 || given[star - 1] == '/') {
      if (!name.empty() && name != "/") name += '/';
    }
    const std::string real = real_beginning(name);
    return {name, real, real, true, origin};
  }
  std::string name = absolute_path(given);
  const std::string kept = without_links(name, LastLink::Keep);
  if (!is_folder(name)) return {name, without_links(name, LastLink::Follow), kept, false, origin};
  if (name != "/") name += '/';
  return {name, real_beginning(name), kept, true, origin};
}

}  // namespace

const ScopeNames& names_of(Scope scope) { return kNames[static_cast<size_t>(scope)]; }

std::optional<Scope> scope_named(std::string_view label) {
  for (size_t i = 0; i < kNames.size(); i++)
    if (label == kNames[i].label) return static_cast<Scope>(i);
  return std::nullopt;
}

// Empty when the working folder has no name.
std::string absolute_path(std::string_view path) {
  const auto beginning = beginning_of(path);
  if (!beginning) return "";
  std::string result = *beginning;
  for (auto name = take_name(path); !name.empty(); name = take_name(path)) {
    if (name == ".") continue;
    if (name == "..") {
      if (!result.empty()) leave_folder(result);
      continue;
    }
    result += '/';
    result += name;
  }
  return result.empty() ? "/" : result;
}

// Empty when it cannot be told where the path leads.
std::string without_links(std::string_view path, LastLink last) {
  const auto beginning = beginning_of(path);
  if (!beginning) return "";
  std::string pending(path), result = *beginning;
  std::string_view rest = pending;
  int links = 0;
  for (auto name = take_name(rest); !name.empty(); name = take_name(rest)) {
    if (name == ".") continue;
    if (name == "..") {
      if (!result.empty()) leave_folder(result);
      continue;
    }
    std::string here = result + '/' + std::string(name);
    // A slash behind the last name asks for the folder that a link leads to.
    const bool is_followed = last == LastLink::Follow || !rest.empty();
    const auto target = is_followed && links < kMostLinks ? link_target(here) : "";
    if (!target) return "";
    if (target->empty()) {
      result = std::move(here);
      continue;
    }
    links++;
    if (target->starts_with('/')) result.clear();
    pending = *target + std::string(rest);
    rest = pending;
  }
  return result.empty() ? "/" : result;
}

void PathRights::grant(std::string_view given, Origin origin) {
  if (given == "*") {
    allows_all_ = true;
    return;
  }
  auto made = make_grant(given, origin);
  const bool is_covered = std::ranges::any_of(grants_, [&](const Grant& grant) {
    return covers(grant.name, grant.is_prefix, made.name) && covers(grant.real, grant.is_prefix, made.real);
  });
  if (!is_covered) grants_.push_back(std::move(made));
}

void PathRights::drop(std::string_view given) {
  if (allows_all_) return;
  const auto dropped = make_grant(given, Origin::Option);
  std::erase_if(grants_,
                [&](const Grant& grant) { return grant.name == dropped.name && grant.is_prefix == dropped.is_prefix; });
}

void PathRights::drop_all() {
  allows_all_ = false;
  grants_.clear();
}

bool PathRights::allows(std::string_view path, LastLink last) const {
  if (allows_all_) return true;
  if (grants_.empty()) return false;
  const std::string name = absolute_path(path);
  const auto is_named = [&](const Grant& grant) { return covers(grant.name, grant.is_prefix, name); };
  if (std::ranges::none_of(grants_, is_named)) return false;
  const std::string real = without_links(path, last);
  return std::ranges::any_of(grants_, [&](const Grant& grant) {
    return covers(grant.real, grant.is_prefix, real) || (last == LastLink::Keep && real == grant.kept);
  });
}

bool Permission::allows(Scope scope, std::string_view reference, LastLink last) const {
  if (mode_ == Mode::Record) return used_->note(scope, reference), true;
  switch (scope) {
    case Scope::FileSystem:
      return reads_.allows_all() && writes_.allows_all();
    case Scope::FileSystemRead:
      return reference.empty() ? reads_.allows_all() : reads_.allows(reference, last);
    case Scope::FileSystemWrite:
      return reference.empty() ? writes_.allows_all() : writes_.allows(reference, last);
    default:
      return granted_ & bit(scope);
  }
}

std::vector<std::string> Permission::as_options() const {
  const char* enforced = by_ == By::Kernel ? "--permission=kernel" : "--permission";
  std::vector<std::string> options{mode_ == Mode::Audit ? "--permission-audit" : enforced};
  const auto add_paths = [&](Scope scope, const PathRights& rights) {
    const std::string option = std::string(names_of(scope).option) + "=";
    if (rights.allows_all()) options.push_back(option + "*");
    for (const auto& grant : rights.grants())
      if (grant.origin == PathRights::Origin::Option)
        options.push_back(option + grant.name + (grant.is_prefix ? "*" : ""));
  };
  add_paths(Scope::FileSystemRead, reads_);
  add_paths(Scope::FileSystemWrite, writes_);
  for (auto scope = Scope::ChildProcess; scope < Scope::Count; scope = Scope(static_cast<uint8_t>(scope) + 1))
    if (granted_ & bit(scope)) options.emplace_back(names_of(scope).option);
  return options;
}

void Permission::drop(Scope scope, std::string_view reference) {
  const bool is_read = scope == Scope::FileSystem || scope == Scope::FileSystemRead;
  const bool is_write = scope == Scope::FileSystem || scope == Scope::FileSystemWrite;
  if (!is_read && !is_write) granted_ &= ~bit(scope);
  if (is_read) reference.empty() ? reads_.drop_all() : reads_.drop(reference);
  if (is_write) reference.empty() ? writes_.drop_all() : writes_.drop(reference);
}

}  // namespace rondo::runtime
