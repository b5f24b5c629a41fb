// See permission_options.h.
#include "cli/permission_options.h"

#include "fence/program_fence.h"
#include "runtime/process.h"

#include <cstdio>
#include <cstdlib>

namespace rondo::cli {

namespace {

using runtime::PathRights;
using runtime::Permission;
using runtime::Scope;

bool is_on(const CommandLine& line, const char* name) {
  const auto option = line.options.find(name);
  return option != line.options.end() && std::get<bool>(option->second);
}

std::vector<std::string> list_of(const CommandLine& line, const char* name) {
  const auto option = line.options.find(name);
  return option == line.options.end() ? std::vector<std::string>{} : std::get<std::vector<std::string>>(option->second);
}

constexpr Scope kFlags[] = {Scope::ChildProcess, Scope::WorkerThreads, Scope::Inspector,   Scope::Wasi,
                            Scope::Addon,        Scope::Net,           Scope::OpenSslStore};

std::vector<fence::ProgramRights::Path> paths_of(const PathRights& rights, std::vector<std::string>& own) {
  std::vector<fence::ProgramRights::Path> paths;
  for (const auto& grant : rights.grants()) {
    if (grant.origin == PathRights::Origin::Program)
      own.push_back(grant.name);
    else
      paths.push_back({grant.name, grant.is_prefix});
  }
  return paths;
}

}  // namespace

std::optional<Permission> permission_of(const CommandLine& line, Action action) {
  const bool is_enforced = is_on(line, "--permission");
  if (!is_enforced && !is_on(line, "--permission-audit")) return std::nullopt;
  Permission permission(is_enforced ? Permission::Mode::Enforce : Permission::Mode::Audit,
                        is_on(line, "--permission-kernel") ? Permission::By::Kernel : Permission::By::Checks);
  for (const auto& path : list_of(line, "--allow-fs-read")) permission.reads().grant(path);
  for (const auto& path : list_of(line, "--allow-fs-write")) permission.writes().grant(path);
  for (const Scope scope : kFlags)
    if (is_on(line, runtime::names_of(scope).option)) permission.grant(scope);
  for (const auto& path : list_of(line, "--require")) permission.reads().grant(path, PathRights::Origin::Program);
  if (action == Action::File || action == Action::Check) {
    // A program is often started by a link (node_modules/.bin) and runs where that leads.
    permission.reads().grant(line.text, PathRights::Origin::Program);
    permission.reads().grant(runtime::without_links(line.text, runtime::LastLink::Follow), PathRights::Origin::Program);
  }
  return permission;
}

namespace {

// As a shell takes it.
std::string quoted(const std::string& word) {
  const bool is_plain =
      word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./,:@%+") ==
      std::string::npos;
  if (is_plain) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

Permission recorded_permission(const CommandLine& line) {
  auto used = std::make_shared<runtime::RightsUsed>();
  runtime::Process::get().at_exit([used, program = line.text](int) {
    std::string text;
    for (const auto& option : used->as_options(program)) text += (text.empty() ? "" : " ") + quoted(option);
    fprintf(stderr, "%s\n", text.c_str());
  });
  return Permission(std::move(used));
}

bool hold_by_kernel(const Permission& permission, const CommandLine& line) {
  fence::ProgramRights rights;
  rights.reads_all = permission.reads().allows_all();
  rights.writes_all = permission.writes().allows_all();
  rights.readable = paths_of(permission.reads(), rights.own);
  rights.writable = paths_of(permission.writes(), rights.own);
  rights.uses_network = permission.allows(Scope::Net);
  rights.starts_processes = permission.allows(Scope::ChildProcess);
  if (rights.starts_processes) rights.own.push_back(line.exec_path);  // execve(2) reads what it executes
  for (const auto& file : list_of(line, "--env-file")) rights.own.push_back(file);
  for (const auto& file : list_of(line, "--env-file-if-exists")) rights.own.push_back(file);
  for (const char* variable : {"SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"})
    if (const char* path = getenv(variable)) rights.own.emplace_back(path);
#if RONDO_DEV
  if (const char* library = getenv("RONDO_LIB")) rights.own.emplace_back(library);
#endif
  auto wrong = fence::unholdable(rights);
  if (!wrong) wrong = fence::fence_program(rights);
  if (wrong) fprintf(stderr, "%s: --permission=kernel cannot be held: %s\n", line.exec_path.c_str(), wrong->c_str());
  return !wrong;
}

}  // namespace rondo::cli
