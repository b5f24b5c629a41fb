// Life and death of descriptors with operations in flight; the rules are in the header.
#include "loop/net/io_core.h"

#include <utility>

#include "loop/net/socket.h"
#include "rondo/base/unique_fd.h"
#include "rondo/detail/loop_access.h"

namespace rondo {

IoHandle::IoHandle(Loop& loop, HandleKind kind, IoCore* core) : Handle(loop, kind), core_(core) {
  core_->attach(*this);
}

IoHandle::~IoHandle() { core_->detach(); }

int IoHandle::fd() const { return core_->fd_; }

Result<int> IoHandle::receive_buffer_size() const { return get_option(fd(), SOL_SOCKET, SO_RCVBUF); }

Result<int> IoHandle::send_buffer_size() const { return get_option(fd(), SOL_SOCKET, SO_SNDBUF); }

Result<void> IoHandle::set_receive_buffer_size(int bytes) { return set_option(fd(), SOL_SOCKET, SO_RCVBUF, bytes); }

Result<void> IoHandle::set_send_buffer_size(int bytes) { return set_option(fd(), SOL_SOCKET, SO_SNDBUF, bytes); }

void IoHandle::begin_close() { core_->begin_close(); }

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

void IoCore::drop(Operation& operation) {
  operation.source = HandleKind::None;
  if (operation.is_in_flight()) loop_->cancel(operation);
}

// No operation is wanted any more, and if possible no descriptor.
void IoCore::let_go() {
  cancel_all();
  if (fd_ < 0) return;
  if (loop_->forget(fd_)) {
    keep_alive_.reset();
    close_fd(std::exchange(fd_, -1));
  } else if (!keep_alive_) {
    keep_alive_.emplace(*loop_);
  }
}

void IoCore::begin_close() {
  closing_ = true;
  let_go();
}

void IoCore::detach() {
  owner_ = nullptr;
  let_go();
  if (has_in_flight() || busy_ > 0 || deferred_ > 0) {
    detail::LoopAccess::linger(*loop_, *this);
  } else {
    settle();
  }
}

// Called when nothing of the core is on the stack and its handle is closed or gone.
void IoCore::settle() {
  if (has_in_flight()) return;
  let_go();
  if (!owner_ && deferred_ == 0) delete this;
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
