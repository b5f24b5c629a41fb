// The blocking halves of FileRequest, by file: plain calls, directories, whole files. Called on pool threads
// and by FileRequest::run. Each returns >= 0 or -errno and touches nothing but its request.
#pragma once

#include "loop/fs/file_system.h"
#include "rondo/fs.h"

namespace rondo {

struct FilePerformer {
  static FileSystem& files(const FileRequest& request);
  static std::int64_t call(FileRequest& request);        // one system call
  static std::int64_t simulated_call(FileRequest& request);
  static std::int64_t transfer_many(FileRequest& request);

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
