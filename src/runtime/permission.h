// The rights of a program under --permission: what it may read, write, connect to and start. Node's permission model: the same
// options, scopes and names. This class only answers; modules ask through modules/support/permission_check.h before each request.
//
// A path is looked at twice: by its name, as Node does, and by what the name leads to once symbolic links are followed (also those
// of /proc/self/root and /proc/self/fd), so a link in a granted folder does not lead out of it. Between the check and its use another
// thread may still change a link: --permission=kernel closes that gap (fence/program_fence.h).
//
// Owner: a Runtime; a worker has a copy of its owner's. Thread: the Runtime's.
#pragma once

#include "runtime/rights_used.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::runtime {

enum class Scope : uint8_t {
  FileSystem,
  FileSystemRead,
  FileSystemWrite,
  ChildProcess,
  WorkerThreads,
  Inspector,
  Wasi,
  Addon,
  Net,
  Ffi,
  OpenSslStore,
  Count,
};

// Names of one scope: as errors, programs, diagnostics channels and the command line say it.
struct ScopeNames {
  const char* permission;
  const char* label;
  const char* channel;
  const char* option;
};
const ScopeNames& names_of(Scope scope);
std::optional<Scope> scope_named(std::string_view label);

// Whether a request follows the last name of its path when that is a symbolic link.
enum class LastLink : uint8_t { Follow, Keep };

// An absolute path without ".", ".." and double slashes; symbolic links stay.
std::string absolute_path(std::string_view path);
// The same with every symbolic link followed. Names that do not exist are kept as they are.
std::string without_links(std::string_view path, LastLink last);

// Paths that may be read, or written.
class PathRights {
 public:
  // A path, a folder with everything in it, a beginning of names that ends in '*', or '*'.
  // Origin::Program: the file that runs, which the options of a child do not name again.
  enum class Origin : uint8_t { Option, Program };
  void grant(std::string_view given, Origin origin = Origin::Option);
  // Takes back what was granted by the same words; nothing when everything was granted.
  void drop(std::string_view given);
  void drop_all();
  bool allows_all() const { return allows_all_; }
  bool allows(std::string_view path, LastLink last) const;

  struct Grant {
    std::string name;  // absolute; without the '*'
    std::string real;  // the same without links
    std::string kept;  // the same when the last name is a link, which stays
    bool is_prefix;
    Origin origin;
  };
  const std::vector<Grant>& grants() const { return grants_; }

 private:
  std::vector<Grant> grants_;
  bool allows_all_ = false;
};

class Permission {
 public:
  enum class Mode : uint8_t {
    Enforce,
    Audit,  // what would be refused is told, and done
    Record,  // everything is allowed and noted (rondo why --permission)
  };

  enum class By : uint8_t { Checks, Kernel };  // --permission=kernel

  explicit Permission(Mode mode, By by = By::Checks) : mode_(mode), by_(by) {}
  explicit Permission(std::shared_ptr<RightsUsed> used)
      : mode_(Mode::Record), by_(By::Checks), used_(std::move(used)) {}

  Mode mode() const { return mode_; }
  By by() const { return by_; }
  PathRights& reads() { return reads_; }
  PathRights& writes() { return writes_; }
  const PathRights& reads() const { return reads_; }
  const PathRights& writes() const { return writes_; }
  void grant(Scope scope) { granted_ |= bit(scope); }

  // As process.permission.has(): without a reference, whether the whole scope is granted.
  bool allows(Scope scope, std::string_view reference = {}, LastLink last = LastLink::Follow) const;
  bool is_enforced() const { return mode_ == Mode::Enforce; }
  // The command line that gives these rights.
  std::vector<std::string> as_options() const;
  // As process.permission.drop().
  void drop(Scope scope, std::string_view reference = {});

 private:
  static uint32_t bit(Scope scope) { return uint32_t{1} << static_cast<unsigned>(scope); }

  Mode mode_;
  By by_;
  std::shared_ptr<RightsUsed> used_;  // of Mode::Record
  uint32_t granted_ = 0;  // scopes without paths
  PathRights reads_;
  PathRights writes_;
};

}  // namespace rondo::runtime
