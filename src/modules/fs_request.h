// One file operation of node:fs: what is asked, and what came of it. perform() does it with plain system calls and touches
// no JavaScript, so it may run on any thread; fs.cpp fills requests in, fs_answer.cpp turns results into values,
// fs_submit.cpp decides where a request runs.
#pragma once

#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/uio.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace rondo::modules {

enum class FsKind : uint8_t {
  Access,
  Open,
  Close,
  Read,
  Write,
  Rename,
  Link,
  Symlink,
  Unlink,
  Rmdir,
  Mkdir,
  Mkdtemp,
  Readdir,
  Readlink,
  Realpath,
  Stat,
  Lstat,
  Fstat,
  Statfs,
  Chmod,
  Fchmod,
  Chown,
  Lchown,
  Fchown,
  Utimes,
  Lutimes,
  Futimes,
  Ftruncate,
  Fsync,
  Fdatasync,
  CopyFile,
  ReadFile,
  WriteFile,
};

// What the caller gets.
enum class FsAnswer : uint8_t { Nothing, Number, Text, Names, Stats, StatFs, Data };

struct FsRequest {
  FsKind kind = FsKind::Access;
  FsAnswer answer = FsAnswer::Nothing;

  // The question.
  std::string path;
  std::string dest;
  int fd = -1;  // in place of `path`, where both are possible
  int flags = 0;
  uint32_t mode = 0;
  uint32_t uid = 0, gid = 0;
  int64_t offset = -1;  // position in the file, -1: its own; length for Ftruncate
  double atime = 0, mtime = 0;
  iovec part{};  // one buffer, or
  std::vector<iovec> parts;  // several
  std::string text;  // WriteFile: encoded here when data came as a string
  bool recursive = false;
  bool as_bytes = false;  // names as bytes, not text
  bool with_types = false;
  bool as_text = false;  // ReadFile: decoded as UTF-8
  bool bigint = false;
  bool missing_is_error = true;
  bool sync_after = false;  // WriteFile: fsync before close

  // The answer.
  int error = 0;
  const char* syscall = "";
  bool error_has_path = true;
  int64_t value = 0;
  std::string result;  // name, or the path shown in an error where it differs from `path`
  uint8_t* data = nullptr;  // malloc'ed; taken by whoever answers
  size_t size = 0;
  union {
    struct statx info;
    struct statfs fs_info;
  };
  std::vector<std::string> names;
  std::vector<uint8_t> types;

  FsRequest() : info{} {}
  FsRequest(const FsRequest&) = delete;
  FsRequest& operator=(const FsRequest&) = delete;
  ~FsRequest() { free(data); }

  void perform();
};

}  // namespace rondo::modules
