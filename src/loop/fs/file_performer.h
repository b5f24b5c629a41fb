// The blocking part of a FileRequest, by kind: a table (file_kinds.cpp) of plain calls, directories, whole files. Called on pool
// threads and by FileRequest::run. Each returns >= 0 or -errno and touches nothing but its request.
#pragma once

#include "loop/fs/file_system.h"
#include "rondo/fs.h"

namespace rondo {

struct FilePerformer {
  struct Row {
    FileKind kind;
    const char* name;  // of the call, in errors
    std::int64_t (*call)(FileRequest& request) = nullptr;
    std::int64_t (*simulate)(FileRequest& request) = nullptr;  // null: a simulated world has no such thing
  };
  // The kind of a request that was submitted as an operation (its source is HandleKind::File).
  static FileKind kind_of(const Operation& operation) { return static_cast<const FileRequest&>(operation).kind_; }
  static const Row& row_of(FileKind kind);
  static std::int64_t perform(FileRequest& request);
  static FileSystem& files(const FileRequest& request);

  static std::int64_t transfer_parts(FileRequest& request);
  static std::int64_t simulate_truncate(FileRequest& request);
  static std::int64_t simulate_access(FileRequest& request);

  static std::int64_t read_directory(FileRequest& request);
  static std::int64_t make_directories(FileRequest& request);
  static std::int64_t remove_all(FileRequest& request);

  static std::int64_t read_file(FileRequest& request);
  static std::int64_t read_to_end(FileRequest& request, int fd);
  static std::int64_t write_file(FileRequest& request);
  static std::int64_t copy(FileRequest& request);
  static std::int64_t send_file(FileRequest& request);
};

}  // namespace rondo
