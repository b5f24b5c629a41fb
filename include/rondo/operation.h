// One request to the operating system: one submit, one final completion. Operations are plain
// structures that their submitter owns; the poller only links them.
//
// Rules (numbered, checked in debug builds where cheap):
//  O1  Loop's thread only. Submit through Loop::submit, cancel through Loop::cancel.
//  O2  From submit until its final completion an operation, and every buffer, path and msghdr it points
//      to, must stay where it is. Destroying it earlier is an error. To drop interest: cancel, and
//      keep it until the completion (-ECANCELED, or the real result if that was first) arrives.
//  O3  Every submitted operation gets exactly one final completion (Completion::more false), never
//      from inside submit or cancel: always in the poll phase. Multishot kinds (accept, recv, poll)
//      may deliver any number with `more` true before it, also after cancel was called.
//  O4  on_complete may do anything: resubmit the same operation after its final completion, free
//      it, close descriptors, stop the loop.
//  O5  A descriptor that was ever used in an operation is told to Loop::forget(fd) before it is closed
//      by any other way than OpKind::Close. Operations in flight on it are cancelled first; if forget
//      answers false, it stays open until they have completed.
//  O6  Results are the same on every poller: >= 0 on success, -errno on failure. Short transfers are
//      possible wherever POSIX allows them. EINTR and EAGAIN never reach a completion.
//  O7  A repeated Poll of something that is always ready (a file) tells so once, as its last; what such a thing will
//      never be is EINVAL.
#pragma once

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include <cstddef>
#include <cstdint>

#include "rondo/base/list.h"
#include "rondo/kinds.h"

namespace [[gnu::visibility("default")]] rondo {

enum class OpKind : std::uint8_t {
  Nop,
  Poll,      // readiness of fd: `flags` is the wanted POLLIN|POLLOUT..., result the ready mask
  Accept,    // result: new descriptor, close-on-exec, in the mode Loop::socket_flags() asks for
  Connect,   // data/length: address
  Recv,      // data null: the poller's own buffer, delivered as Completion::data
  RecvMsg,   // message
  Send,      // `flags` are MSG_* flags
  SendMsg,   // message
  Read,      // offset -1: at the current position; with `stream` on pipes and terminals: when readable
  ReadV,     // data: iovec array, length: count
  Write,
  WriteV,
  OpenAt,    // fd: directory or AT_FDCWD; path; flags; mode. result: descriptor (O_CLOEXEC is added)
  Close,
  Statx,     // fd, path, flags (AT_*), mode: mask, data: struct statx*
  Fsync,     // flags 1: data only
  Fallocate, // mode, offset, length2
  Ftruncate, // offset: the new length
  UnlinkAt,  // fd, path, flags (AT_REMOVEDIR)
  MkdirAt,   // fd, path, mode
  RenameAt,  // fd, path, fd2, path2, flags (RENAME_*)
  LinkAt,    // fd, path, fd2, path2, flags
  SymlinkAt, // path: target, fd2 + path2: the new link
  ReadFile,  // a whole file of at most `length` bytes: open path, read into data, close; result: bytes read
};
inline constexpr int kOpKindCount = static_cast<int>(OpKind::ReadFile) + 1;

class Operation;

struct Completion {
  std::int32_t result = 0;
  bool more = false;                 // further completions of the same operation will follow
  const std::byte* data = nullptr;   // Recv without a buffer: `result` bytes, valid during on_complete only
};

class Operation : ListNode {
 public:
  using OnComplete = void (*)(Operation&, const Completion&);
  using Perform = int (*)(Operation&);  // on a pool thread; the completion's result

  OpKind kind = OpKind::Nop;
  bool multishot = false;      // Accept, Recv (data null), Poll
  bool stream = false;         // Read/Write/ReadV/WriteV on something with readiness: pipe, terminal, socket
  bool keeps_loop_alive = true;  // false for operations of a handle, which counts for itself
  int fd = -1;
  int fd2 = -1;
  std::uint32_t flags = 0;
  std::uint32_t mode = 0;
  std::uint32_t length = 0;
  std::uint64_t length2 = 0;
  std::int64_t offset = -1;
  void* data = nullptr;
  const char* path = nullptr;
  const char* path2 = nullptr;
  Perform perform = nullptr;   // set: a thread of the pool does this, whatever the kind

  OnComplete on_complete = nullptr;
  void* owner = nullptr;       // for the submitter; the poller never looks

  // The handle that the observer is told of while on_complete runs; handles put themselves here.
  HandleKind source = HandleKind::Operation;
  std::uint32_t source_id = 0;

  bool is_in_flight() const { return in_flight_; }

  // Fill in one kind; fields not named keep their defaults. Chainable with the setters below.
  Operation& poll(int descriptor, std::uint32_t events) { return fill(OpKind::Poll, descriptor, nullptr, 0, events); }
  Operation& accept(int listener) { return fill(OpKind::Accept, listener, nullptr, 0, 0); }
  Operation& connect(int socket, const sockaddr* address, socklen_t size) {
    return fill(OpKind::Connect, socket, const_cast<sockaddr*>(address), size, 0);
  }
  Operation& recv(int socket, void* buffer, std::uint32_t size, std::uint32_t msg_flags = 0) {
    return fill(OpKind::Recv, socket, buffer, size, msg_flags);
  }
  // Into the poller's own buffers: an idle connection pins no memory.
  Operation& recv(int socket) { return fill(OpKind::Recv, socket, nullptr, 0, 0); }
  Operation& recvmsg(int socket, msghdr* message, std::uint32_t msg_flags = 0) {
    return fill(OpKind::RecvMsg, socket, message, 0, msg_flags);
  }
  Operation& send(int socket, const void* buffer, std::uint32_t size, std::uint32_t msg_flags = 0) {
    return fill(OpKind::Send, socket, const_cast<void*>(buffer), size, msg_flags);
  }
  Operation& sendmsg(int socket, const msghdr* message, std::uint32_t msg_flags = 0) {
    return fill(OpKind::SendMsg, socket, const_cast<msghdr*>(message), 0, msg_flags);
  }
  Operation& read(int descriptor, void* buffer, std::uint32_t size, std::int64_t at = -1) {
    return fill(OpKind::Read, descriptor, buffer, size, 0, at);
  }
  Operation& write(int descriptor, const void* buffer, std::uint32_t size, std::int64_t at = -1) {
    return fill(OpKind::Write, descriptor, const_cast<void*>(buffer), size, 0, at);
  }
  Operation& readv(int descriptor, const iovec* parts, std::uint32_t count, std::int64_t at = -1) {
    return fill(OpKind::ReadV, descriptor, const_cast<iovec*>(parts), count, 0, at);
  }
  Operation& writev(int descriptor, const iovec* parts, std::uint32_t count, std::int64_t at = -1) {
    return fill(OpKind::WriteV, descriptor, const_cast<iovec*>(parts), count, 0, at);
  }
  Operation& openat(int directory, const char* name, int open_flags, std::uint32_t create_mode = 0) {
    return fill(OpKind::OpenAt, directory, nullptr, 0, static_cast<std::uint32_t>(open_flags))
        .at(name)
        .with_mode(create_mode);
  }
  Operation& close(int descriptor) { return fill(OpKind::Close, descriptor, nullptr, 0, 0); }
  Operation& statx(int directory, const char* name, int at_flags, std::uint32_t mask, struct ::statx* out) {
    return fill(OpKind::Statx, directory, out, 0, static_cast<std::uint32_t>(at_flags)).at(name).with_mode(mask);
  }
  Operation& fsync(int descriptor, bool data_only = false) {
    return fill(OpKind::Fsync, descriptor, nullptr, 0, data_only ? 1 : 0);
  }
  Operation& fallocate(int descriptor, int how, std::int64_t at_offset, std::uint64_t size) {
    fill(OpKind::Fallocate, descriptor, nullptr, 0, 0, at_offset).with_mode(static_cast<std::uint32_t>(how));
    length2 = size;
    return *this;
  }
  Operation& ftruncate(int descriptor, std::int64_t size) {
    return fill(OpKind::Ftruncate, descriptor, nullptr, 0, 0, size);
  }
  Operation& unlinkat(int directory, const char* name, int at_flags = 0) {
    return fill(OpKind::UnlinkAt, directory, nullptr, 0, static_cast<std::uint32_t>(at_flags)).at(name);
  }
  Operation& mkdirat(int directory, const char* name, std::uint32_t create_mode) {
    return fill(OpKind::MkdirAt, directory, nullptr, 0, 0).at(name).with_mode(create_mode);
  }
  Operation& renameat(int from, const char* name, int to, const char* new_name, std::uint32_t rename_flags = 0) {
    return fill(OpKind::RenameAt, from, nullptr, 0, rename_flags).at(name).to(to, new_name);
  }
  Operation& linkat(int from, const char* name, int into, const char* new_name, int at_flags = 0) {
    return fill(OpKind::LinkAt, from, nullptr, 0, static_cast<std::uint32_t>(at_flags)).at(name).to(into, new_name);
  }
  Operation& symlinkat(const char* target, int into, const char* new_name) {
    return fill(OpKind::SymlinkAt, -1, nullptr, 0, 0).at(target).to(into, new_name);
  }
  Operation& read_file(int directory, const char* name, void* buffer, std::uint32_t size) {
    return fill(OpKind::ReadFile, directory, buffer, size, 0).at(name);
  }

  Operation& repeatedly() {
    multishot = true;
    return *this;
  }
  Operation& as_stream() {
    stream = true;
    return *this;
  }
  Operation& then(OnComplete callback, void* with = nullptr) {
    on_complete = callback;
    owner = with;
    return *this;
  }

 private:
  friend class EpollPoller;
  friend class FileJobs;
  friend class Loop;
  friend class SimPoller;
  friend class UringPoller;
  template <class T>
  friend class List;

  Operation& fill(OpKind new_kind, int descriptor, void* memory, std::uint32_t size, std::uint32_t new_flags,
                  std::int64_t at_offset = -1) {
    kind = new_kind;
    fd = descriptor;
    data = memory;
    length = size;
    flags = new_flags;
    offset = at_offset;
    multishot = stream = false;
    return *this;
  }
  Operation& at(const char* name) {
    path = name;
    return *this;
  }
  Operation& to(int directory, const char* name) {
    fd2 = directory;
    path2 = name;
    return *this;
  }
  Operation& with_mode(std::uint32_t value) {
    mode = value;
    return *this;
  }

  // The loop's and the poller's part.
  bool in_flight_ = false;
  bool cancelled_ = false;
  std::uint8_t poller_state_ = 0;
  std::uint8_t poller_flags_ = 0;
  std::uint8_t poller_count_ = 0;
  std::int32_t poller_result_ = 0;
  void* poller_data_ = nullptr;
};

}  // namespace rondo
