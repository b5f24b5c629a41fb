// Landlock: the kernel's own list of files and ports a process may use, from which nothing can be taken back. System calls 444–446 and
// the constants are written here, since the C library's header of Debian 12 ends at ABI 2.
//
//     Landlock rules;
//     rules.allow("/srv/page", kReadRights);
//     rules.restrict_self();          // binds the calling thread and those it starts: call it before the first thread
//
// A kernel that knows less enforces less (abi()); what is missing is the caller's to tell. Rules bind to the file that a path names
// now: a file that is renamed over it later is another, a folder's rule holds for all that comes into it.
#pragma once

#include "rondo/base/unique_fd.h"

#include <cstdint>
#include <string>

namespace rondo::fence {

// Rights on files, as bits of the kernel's.
enum class FileRight : uint64_t {
  Execute = 1 << 0,
  WriteFile = 1 << 1,
  ReadFile = 1 << 2,
  ReadFolder = 1 << 3,
  RemoveFolder = 1 << 4,
  RemoveFile = 1 << 5,
  MakeCharacterDevice = 1 << 6,
  MakeFolder = 1 << 7,
  MakeFile = 1 << 8,
  MakeSocket = 1 << 9,
  MakeFifo = 1 << 10,
  MakeBlockDevice = 1 << 11,
  MakeLink = 1 << 12,
  Refer = 1 << 13,  // ABI 2: rename and link between folders
  Truncate = 1 << 14,  // ABI 3
  DeviceControl = 1 << 15,  // ABI 5: ioctl of devices
};

using FileRights = uint64_t;
constexpr FileRights bits(FileRight right) { return static_cast<FileRights>(right); }
template <class... Rights>
constexpr FileRights bits(FileRight first, Rights... others) {
  return bits(first) | bits(others...);
}

inline constexpr FileRights kReadRights = bits(FileRight::ReadFile, FileRight::ReadFolder);
inline constexpr FileRights kWriteRights = bits(
    FileRight::WriteFile, FileRight::RemoveFolder, FileRight::RemoveFile, FileRight::MakeFolder, FileRight::MakeFile,
    FileRight::MakeSocket, FileRight::MakeFifo, FileRight::MakeLink, FileRight::Refer, FileRight::Truncate);
inline constexpr FileRights kAllRights = (FileRights{1} << 16) - 1;

enum class PortRight : uint64_t { Bind = 1 << 0, Connect = 1 << 1 };  // ABI 4
enum class Outside : uint64_t { AbstractSockets = 1 << 0, Signals = 1 << 1 };  // ABI 6

class Landlock {
 public:
  // Rights that are forbidden unless a rule allows them.
  struct Handled {
    FileRights files = kAllRights;
    uint64_t ports = 0;
    uint64_t outside = 0;
  };

  // 0: the kernel has none, or it is switched off.
  static int abi();

  explicit Landlock(const Handled& handled);
  bool is_open() const { return static_cast<bool>(ruleset_); }

  // Adds a rule; false when the path is not there (nothing is forbidden by that, nothing allowed either).
  bool allow(const std::string& path, FileRights rights);
  // Makes the rules hold, for good. False with errno.
  bool restrict_self();

 private:
  FileRights files_;
  UniqueFd ruleset_;
};

}  // namespace rondo::fence
