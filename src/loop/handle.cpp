// State changes every handle shares, and the phase handles. Called by handles on the loop's thread.
#include "rondo/handle.h"

#include <utility>

#include "rondo/loop.h"

namespace rondo {

Handle::Handle(Loop& loop, HandleKind kind) : loop_(&loop), id_(loop.next_id()), kind_(kind) {}

Handle::~Handle() {
  if (is_active()) clear_active();
}

// Timers and phase handles are in lists of the loop of their own while they are active.
bool Handle::is_in_active_list() const {
  return kind_ != HandleKind::Timer && kind_ != HandleKind::Idle && kind_ != HandleKind::Prepare &&
         kind_ != HandleKind::Check;
}

void Handle::set_active() {
  flags_ |= kActive;
  if (is_in_active_list()) loop_->active_.push_back(*this);
  if (has_ref()) loop_->active_handles_++;
  if (loop_->observer()) [[unlikely]]
    loop_->observer_->handle_start(kind_, id_);
}

void Handle::clear_active() {
  flags_ = static_cast<std::uint8_t>(flags_ & ~kActive);
  if (is_in_active_list()) unlink();
  if (has_ref()) loop_->active_handles_--;
  if (loop_->observer()) [[unlikely]]
    loop_->observer_->handle_stop(kind_, id_);
}

void Handle::ref() {
  if (has_ref()) return;
  flags_ |= kRef;
  if (is_active()) loop_->active_handles_++;
}

void Handle::unref() {
  if (!has_ref()) return;
  flags_ = static_cast<std::uint8_t>(flags_ & ~kRef);
  if (is_active()) loop_->active_handles_--;
}

void Handle::close(Function<void()> on_closed) {
  if (is_closing()) return;
  if (loop_->observer()) [[unlikely]]
    loop_->observer_->handle_close(kind_, id_);
  begin_close();
  deactivate();
  flags_ |= kClosing;
  callback_.set(std::move(on_closed));
  unlink();
  loop_->closing_.push_back(*this);
}

void Handle::run_callback() {
  if (loop_->observer()) [[unlikely]] {
    Loop& loop = *loop_;
    const HandleKind kind = kind_;
    const std::uint32_t id = id_;
    loop.observed(kind, id, [this] { callback_(); });
  } else {
    callback_();
  }
}

void PhaseHandle::start(Function<void()> callback) {
  if (is_closing()) return;
  callback_.set(std::move(callback));
  if (is_active()) return;
  loop_->phase_list(kind()).push_back(*this);
  activate();
}

void PhaseHandle::stop() {
  if (!is_active()) return;
  unlink();
  deactivate();
}

void PhaseHandle::begin_close() { stop(); }

List<PhaseHandle>& Loop::phase_list(HandleKind kind) {
  if (kind == HandleKind::Idle) return idle_;
  return kind == HandleKind::Prepare ? prepare_ : check_;
}

}  // namespace rondo
