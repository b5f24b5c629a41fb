// Life and death of descriptors with operations in flight; the rules are in the header.
#include "loop/net/io_core.h"

#include <utility>

#include "loop/net/socket.h"
#include "rondo/base/unique_fd.h"
#include "rondo/detail/loop_access.h"

namespace rondo {
namespace {

Result<int> buffer_size(int fd, int name) {
  int size = 0;
  socklen_t length = sizeof size;
  if (getsockopt(fd, SOL_SOCKET, name, &size, &length) < 0) return last_failure("getsockopt");
  return size;
}

}  // namespace

IoHandle::IoHandle(Loop& loop, HandleKind kind, IoCore* core) : Handle(loop, kind), core_(core) {
  core_->attach(*this);
}

IoHandle::~IoHandle() { core_->detach(); }

int IoHandle::fd() const { return core_->fd_; }

Result<int> IoHandle::receive_buffer_size() const { return buffer_size(fd(), SO_RCVBUF); }

Result<int> IoHandle::send_buffer_size() const { return buffer_size(fd(), SO_SNDBUF); }

Result<void> IoHandle::set_receive_buffer_size(int bytes) { return set_option(fd(), SOL_SOCKET, SO_RCVBUF, bytes); }

Result<void> IoHandle::set_send_buffer_size(int bytes) { return set_option(fd(), SOL_SOCKET, SO_SNDBUF, bytes); }

bool IoHandle::begin_close() { return core_->begin_close(); }

IoCore::~IoCore() {
  // With operations still in flight the loop is being destroyed and its poller is gone.
  if (fd_ >= 0) close_fd(fd_);
}

void IoCore::attach(IoHandle& owner) {
  owner_ = &owner;
  loop_ = &owner.loop();
}

void IoCore::sign(Operation& operation, bool keeps_loop_alive) {
  operation.keeps_loop_alive = keeps_loop_alive;
  operation.source = owner_->kind();
  operation.source_id = owner_->id();
}

void IoCore::close_descriptor() {
  if (fd_ < 0) return;
  loop_->forget(fd_);
  close_fd(std::exchange(fd_, -1));
}

bool IoCore::begin_close() {
  closing_ = true;
  cancel_all();
  if (!has_in_flight()) {
    close_descriptor();
    close_reported_ = true;
    return true;
  }
  keep_alive_.emplace(*loop_);
  return false;
}

void IoCore::detach() {
  owner_ = nullptr;
  cancel_all();
  if (has_in_flight() || busy_ > 0 || deferred_ > 0) {
    if (!keep_alive_) keep_alive_.emplace(*loop_);
    detail::LoopAccess::linger(*loop_, *this);
  } else {
    settle();
  }
}

// Called when nothing of the core is on the stack: closes when the last operation is over, then reports,
// or ends, whichever the handle has left to do.
void IoCore::settle() {
  if (has_in_flight()) return;
  close_descriptor();
  if (owner_) {
    if (std::exchange(close_reported_, true)) return;
    keep_alive_.reset();
    owner_->finish_close();
  } else if (deferred_ == 0) {
    delete this;
  }
}

void IoCore::defer(void (*call)(IoCore&)) {
  deferred_++;
  loop_->defer([this, call] {
    Guard guard(*this);
    deferred_--;
    if (usable()) call(*this);
  });
}

}  // namespace rondo
