// Copies a file and shows how far it is: reads and writes overlap (two buffers), a timer prints, Ctrl-C stops and removes
// the half copy. For copying without progress one FileRequest::copy does it all, in the kernel.
//
//   example_file_copy FROM TO
#include <fcntl.h>
#include <signal.h>

#include <cstdio>
#include <string>
#include <vector>

#include "rondo/rondo.h"

namespace {

using namespace std::chrono_literals;
using rondo::FileRequest;

constexpr std::size_t kChunk = 256 * 1024;

class Copy {
 public:
  Copy(rondo::Loop& loop, std::string from, std::string to)
      : loop_(loop), from_(std::move(from)), to_(std::move(to)), progress_(loop), interrupt_(loop) {}

  int run() {
    request_.open(from_, O_RDONLY).start(loop_, [this](FileRequest& opened) {
      if (failed("open", from_, opened)) return;
      source_ = static_cast<int>(opened.result());
      opened.fstat(source_).start(loop_, [this](FileRequest& done) { have_size(done); });
    });
    loop_.run();
    if (target_ >= 0) request_.close(target_).run();
    if (source_ >= 0) request_.close(source_).run();
    if (exit_code_ != 0 && target_ >= 0) request_.unlink(to_).run();
    return exit_code_;
  }

 private:
  // The two halves of the pipeline: while one buffer is written, the other is read.
  struct Buffer {
    FileRequest request;
    std::vector<char> bytes = std::vector<char>(kChunk);
    std::size_t filled = 0;
    std::size_t written = 0;
    std::int64_t offset = 0;
  };

  void have_size(FileRequest& done) {
    if (failed("stat", from_, done)) return;
    size_ = static_cast<std::int64_t>(done.status().stx_size);
    done.open(to_, O_WRONLY | O_CREAT | O_TRUNC, done.status().stx_mode & 0777)
        .start(loop_, [this](FileRequest& opened) {
          if (failed("open", to_, opened)) return;
          target_ = static_cast<int>(opened.result());
          progress_.start(100ms, [this] { print(); }, 100ms);
          progress_.unref();
          interrupt_.unref();
          if (!interrupt_.start(SIGINT, [this](int) { exit_code_ = 130; }))
            std::fprintf(stderr, "cannot watch SIGINT\n");
          for (Buffer& buffer : buffers_) read(buffer);
        });
  }

  void read(Buffer& buffer) {
    if (exit_code_ != 0 || next_ >= size_) return;
    buffer.offset = next_;
    next_ += kChunk;
    buffer.request.read(source_, buffer.bytes.data(), kChunk, buffer.offset);
    buffer.request.start(loop_, [this, &buffer](FileRequest& done) {
      if (failed("read", from_, done)) return;
      buffer.filled = static_cast<std::size_t>(done.result());
      buffer.written = 0;
      write(buffer);
    });
  }

  // Writes may be short; the rest goes again.
  void write(Buffer& buffer) {
    const auto at = buffer.offset + static_cast<std::int64_t>(buffer.written);
    buffer.request.write(target_, buffer.bytes.data() + buffer.written, buffer.filled - buffer.written, at);
    buffer.request.start(loop_, [this, &buffer](FileRequest& done) {
      if (failed("write", to_, done)) return;
      buffer.written += static_cast<std::size_t>(done.result());
      copied_ += done.result();
      if (buffer.written < buffer.filled) return write(buffer);
      if (copied_ == size_) print();
      read(buffer);
    });
  }

  void print() {
    const double part = size_ > 0 ? 100.0 * static_cast<double>(copied_) / static_cast<double>(size_) : 100.0;
    std::fprintf(stderr, "\r%5.1f %%  %lld of %lld bytes%s", part, static_cast<long long>(copied_),
                 static_cast<long long>(size_), copied_ == size_ ? "\n" : "");
  }

  bool failed(const char* what, const std::string& path, const FileRequest& done) {
    if (done.result() >= 0) return exit_code_ != 0;
    const rondo::Error error = done.outcome().error();
    std::fprintf(stderr, "%s: %s, %s '%s'\n", error.name(), error.message(), what, path.c_str());
    exit_code_ = 1;
    return true;
  }

  rondo::Loop& loop_;
  std::string from_, to_;
  FileRequest request_;
  Buffer buffers_[2];
  rondo::Timer progress_;
  rondo::Signal interrupt_;
  int source_ = -1, target_ = -1;
  std::int64_t size_ = 0, next_ = 0, copied_ = 0;
  int exit_code_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s FROM TO\n", argv[0]);
    return 2;
  }
  rondo::Loop loop;
  return Copy(loop, argv[1], argv[2]).run();
}
