// Files: one class whose objects are requests. Describe it, then start it on a loop or run it on the spot:
//
//   FileRequest request;
//   request.open("data.txt", O_RDONLY).start(loop, [](FileRequest& done) { use(done.result()); });
//   request.stat("data.txt").run();
//
// A request takes the cheapest way that cannot hold up the loop: what the kernel answers from its caches is done at
// once (its callback still comes in poll), what io_uring knows goes to the ring, the rest to the thread pool, class
// Fs. RONDO_FS=pool sends everything to the pool. Results are the same everywhere: result() is >= 0 or -errno, with
// the name of the call that failed in syscall(). A request may be used again after its end; its strings keep their
// memory, so a reused request allocates nothing.
//
//  F1  From start() until its callback a request, and the buffers it was given, stay where they are.
//  F2  The callback runs in poll, exactly once, also after cancel(); it may restart or destroy the request.
//  F3  Paths are copied; buffers and iovec arrays are not. A path with a zero byte in it: EINVAL.
#pragma once

#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/uio.h>
#include <time.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/base/function.h"
#include "rondo/base/result.h"
#include "rondo/operation.h"

namespace [[gnu::visibility("default")]] rondo {

class Loop;

enum class FileKind : std::uint8_t {
  None,
  Open,
  Close,
  Read,
  ReadV,
  Write,
  WriteV,
  Stat,
  Lstat,
  Fstat,
  Fsync,
  Fdatasync,
  Fallocate,
  Ftruncate,
  Unlink,
  RemoveDirectory,
  MakeDirectory,
  Rename,
  Link,
  Symlink,
  ReadFile,
  // From here on: the pool.
  Truncate,
  ReadDirectory,
  MakeDirectories,
  RemoveAll,
  ReadLink,
  Utimes,
  Futimes,
  Lutimes,
  Chmod,
  Fchmod,
  Lchmod,
  Chown,
  Fchown,
  Lchown,
  Access,
  Copy,
  MakeTemporary,
  RealPath,
  StatFs,
  SendFile,
  WriteFile,
  MakeTemporaryFile,
};

struct DirectoryEntry {
  std::string name;
  unsigned char type;  // DT_REG, DT_DIR, DT_LNK ... as the file system tells; DT_UNKNOWN is possible
};

enum CopyFlags : std::uint32_t {
  kCopyExclusive = 1,   // EEXIST if the target exists
  kCopyTryClone = 2,    // share blocks where the file system can
  kCopyForceClone = 4,  // ... or fail
};

class FileRequest : private Operation {
 public:
  using Done = Function<void(FileRequest&)>;

  FileRequest() = default;
  FileRequest(const FileRequest&) = delete;
  FileRequest& operator=(const FileRequest&) = delete;

  // The kind of the request. Each replaces what was described before; not while busy.
  FileRequest& open(std::string_view path, int flags, std::uint32_t mode = 0666);  // result: descriptor, close-on-exec
  FileRequest& close(int fd);
  // Offset -1: at the current position, which moves.
  FileRequest& read(int fd, void* buffer, std::size_t size, std::int64_t offset = -1);
  FileRequest& write(int fd, const void* buffer, std::size_t size, std::int64_t offset = -1);
  // Any number of parts.
  FileRequest& readv(int fd, const iovec* parts, std::size_t count, std::int64_t offset = -1);
  FileRequest& writev(int fd, const iovec* parts, std::size_t count, std::int64_t offset = -1);
  FileRequest& stat(std::string_view path);  // result in status()
  FileRequest& lstat(std::string_view path);
  FileRequest& fstat(int fd);
  FileRequest& fsync(int fd);
  FileRequest& fdatasync(int fd);
  FileRequest& fallocate(int fd, int mode, std::int64_t offset, std::uint64_t size);
  FileRequest& truncate(std::string_view path, std::int64_t size);
  FileRequest& ftruncate(int fd, std::int64_t size);
  FileRequest& unlink(std::string_view path);
  FileRequest& rmdir(std::string_view path);
  FileRequest& mkdir(std::string_view path, std::uint32_t mode = 0777);
  FileRequest& mkdirs(std::string_view path, std::uint32_t mode = 0777);  // text(): the first one made, or empty
  FileRequest& remove_all(std::string_view path);  // a file or a whole tree; symbolic links are not followed
  FileRequest& readdir(std::string_view path);  // entries(), sorted by name, without . and ..
  FileRequest& rename(std::string_view from, std::string_view to);
  FileRequest& link(std::string_view from, std::string_view to);
  FileRequest& symlink(std::string_view target, std::string_view path);
  FileRequest& readlink(std::string_view path);  // text()
  FileRequest& realpath(std::string_view path);  // text()
  FileRequest& mkdtemp(std::string_view pattern);  // ends in XXXXXX; text()
  FileRequest& mkstemp(std::string_view pattern);  // the same for a file, mode 0600; result: descriptor
  FileRequest& utimes(std::string_view path, timespec accessed, timespec modified);
  FileRequest& lutimes(std::string_view path, timespec accessed, timespec modified);
  FileRequest& futimes(int fd, timespec accessed, timespec modified);
  FileRequest& chmod(std::string_view path, std::uint32_t mode);
  FileRequest& lchmod(std::string_view path, std::uint32_t mode);  // ENOTSUP where the kernel has no such thing
  FileRequest& fchmod(int fd, std::uint32_t mode);
  FileRequest& chown(std::string_view path, std::uint32_t uid, std::uint32_t gid);
  FileRequest& lchown(std::string_view path, std::uint32_t uid, std::uint32_t gid);
  FileRequest& fchown(int fd, std::uint32_t uid, std::uint32_t gid);
  FileRequest& access(std::string_view path, int mode);
  FileRequest& statfs(std::string_view path);  // file_system()
  FileRequest& copy(std::string_view from, std::string_view to, std::uint32_t copy_flags = kCopyTryClone);
  // Result: bytes sent. To files and pipes; a socket in blocking mode is refused (EOPNOTSUPP), as its peer could hold a thread of the
  // pool for ever: co_await send_file() of rondo/send_file.h is for sockets.
  FileRequest& sendfile(int to, int from, std::int64_t offset, std::size_t size);
  // The whole file, in text(); result: its size. More than `limit`, be it a file, a device or a pipe: -EFBIG, and in status() its
  // size or how much was read.
  FileRequest& read_file(std::string_view path, int flags = 0, std::uint64_t limit = UINT64_MAX);
  FileRequest& read_file(int fd, std::uint64_t limit = UINT64_MAX);  // from its position to the end; stays open
  // O_TRUNC cuts a longer file after the new content is written, not before: cheaper by far on ext4.
  FileRequest& write_file(std::string_view path, const void* data, std::size_t size, int flags,
                          std::uint32_t mode = 0666);
  FileRequest& write_file(int fd, const void* data, std::size_t size);  // at its position; stays open

  // How a request is carried out: Immediate (its result is known at once), by the Poller (io_uring) or on the Pool.
  // start() takes Automatic, which follows RONDO_FS, then the cheapest, or Pool.
  enum class Route : std::uint8_t { Automatic, Immediate, Poller, Pool };
  void start(Loop& loop, Done done, Route route = Route::Automatic);
  // Runs it here and now, blocking. Returns result().
  std::int64_t run();
  // Asks for an early end of a started request: -ECANCELED, or the real result if that was first.
  void cancel();

  bool is_busy() const { return loop_ != nullptr; }
  FileKind kind() const { return kind_; }
  int open_flags() const;  // of open, read_file and write_file by path
  const char* syscall() const;  // "open", "scandir", ...; of a whole file the call that failed
  std::int64_t result() const { return result_; }
  Result<std::int64_t> outcome() const { return to_result<std::int64_t>(static_cast<long>(result_), syscall()); }
  const std::string& path() const { return path_; }
  const std::string& path2() const { return path2_; }

  const struct ::statx& status() const { return status_; }
  const struct ::statfs& file_system() const { return file_system_; }
  std::string& text() { return text_; }
  std::vector<DirectoryEntry>& entries() { return entries_; }

  // For perform() of coroutine_requests.h: the description of another request, with `memory` in place of its buffers (filled with
  // what is to be written); and back at the end its results, with what was read.
  void take_description(const FileRequest& other, std::string& memory);
  void take_results(FileRequest& other, const std::string& memory);

 private:
  friend struct FilePerformer;
  FileRequest& describe(FileKind kind, std::string_view path = {}, std::string_view path2 = {});
  FileRequest& describe(FileKind kind, int descriptor);
  FileRequest& in_whole(int open_flags, std::uint32_t create_mode, const void* memory, std::uint64_t size);
  FileRequest& owned_by(std::uint32_t uid, std::uint32_t gid);
  FileRequest& touched(timespec accessed, timespec modified);
  FileRequest& with(const Operation&) { return *this; }

  bool is_transfer() const { return kind_ >= FileKind::Read && kind_ <= FileKind::WriteV; }
  Route choose_route(Loop& loop, std::int64_t& result);
  Route route_of_read_file(Loop& loop, std::int64_t& result);
  Route route_of_transfer(Loop& loop, std::int64_t& result);
  void completed(const Completion& completion);
  void submit_to_pool();
  void finish(std::int64_t result);
  bool is_cancelled() const { return is_unwanted_.load(std::memory_order_relaxed); }

  // The operation's fields say what is wanted: a kind that pollers know, or Nop and the fields that the kind's row in
  // file_kinds.cpp reads. The full size of a transfer is length2.
  FileKind kind_ = FileKind::None;
  std::atomic<bool> is_unwanted_{false};  // cancel() was called; a thread may look
  std::int64_t result_ = 0;
  Loop* loop_ = nullptr;
  std::uint32_t uid_ = 0;
  std::uint32_t gid_ = 0;
  timespec times_[2] = {};
  std::string path_;
  std::string path2_;
  std::string text_;
  std::vector<DirectoryEntry> entries_;
  union {
    struct ::statx status_ = {};
    struct ::statfs file_system_;
  };
  const char* failed_call_ = nullptr;
  Callback<void(FileRequest&)> done_;
};

}  // namespace rondo
