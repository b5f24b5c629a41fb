// The ring: opening, submission, cancellation, waiting. Completion entries are read in uring_completions.cpp, submission
// entries written as operation_kinds.cpp says. The invariants are in the header.
#include "loop/poller/uring_poller.h"

#include <sys/syscall.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "loop/poller/operation_kinds.h"
#include "rondo/base/fatal.h"
#include "rondo/loop.h"

namespace rondo {
namespace {

constexpr unsigned kSubmissionEntries = 256;
constexpr unsigned kCompletionEntries = 4096;

}  // namespace

UringPoller::UringPoller(Loop& loop)
    : loop_(loop),
      file_jobs_(
          loop,
          [](void* self, Operation& operation, int result) {
            static_cast<UringPoller*>(self)->finish(operation, result);
          },
          this) {
  const char* files = std::getenv("RONDO_FS");
  files_on_pool_ = files && std::strcmp(files, "pool") == 0;
}

std::unique_ptr<UringPoller> UringPoller::create(Loop& loop) {
  std::unique_ptr<UringPoller> poller(new UringPoller(loop));
  return poller->open_ring() ? std::move(poller) : nullptr;
}

UringPoller::~UringPoller() {
  if (ring_.ring_fd < 0) return;
  if (enabled_) cancel_all();
  io_uring_queue_exit(&ring_);
}

// The kernel ends a closed ring's requests some time later, from a thread of its own; until then they hold their sockets
// (a port stays taken) and may write into memory that is ours no more. So they end before the ring does. Linux 6.0;
// where it is refused, what was said above holds.
void UringPoller::cancel_all() {
  io_uring_sync_cancel_reg request{};
  request.flags = IORING_ASYNC_CANCEL_ANY | IORING_ASYNC_CANCEL_ALL;
  request.fd = -1;
  request.timeout = {1, 0};
  ::syscall(__NR_io_uring_register, ring_.ring_fd, IORING_REGISTER_SYNC_CANCEL, &request, 1);
  io_uring_get_events(&ring_);
}

bool UringPoller::open_ring() {
  io_uring_params parameters{};
  parameters.flags = IORING_SETUP_CQSIZE | IORING_SETUP_SUBMIT_ALL | IORING_SETUP_SINGLE_ISSUER |
                     IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_TASKRUN_FLAG | IORING_SETUP_R_DISABLED;
  parameters.cq_entries = kCompletionEntries;
  if (io_uring_queue_init_params(kSubmissionEntries, &ring_, &parameters) < 0) {
    ring_.ring_fd = -1;
    return false;
  }
  io_uring_ring_dontfork(&ring_);
  fcntl(ring_.ring_fd, F_SETFD, FD_CLOEXEC);
  // A filter may allow the ring and forbid its use; a ring that is not yet enabled answers EBADFD.
  const bool may_enter = ::syscall(__NR_io_uring_enter, ring_.ring_fd, 0, 0, 0, nullptr, 0) == 0 || errno == EBADFD;
  io_uring_probe* probe = may_enter ? io_uring_get_probe_ring(&ring_) : nullptr;
  if (!probe) {
    io_uring_queue_exit(&ring_);
    ring_.ring_fd = -1;
    return false;
  }
  supported_.reset();
  for (int i = 0; i < probe->ops_len; i++)
    supported_[probe->ops[i].op] = (probe->ops[i].flags & IO_URING_OP_SUPPORTED) != 0;
  io_uring_free_probe(probe);
  wake_.reset(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake_) {
    io_uring_queue_exit(&ring_);
    ring_.ring_fd = -1;
    return false;
  }
  enabled_ = false;
  return true;
}

void UringPoller::enable() {
  enabled_ = true;
  // By system call: the shared liburing of Debian 12 does not export io_uring_enable_rings.
  if (::syscall(__NR_io_uring_register, ring_.ring_fd, IORING_REGISTER_ENABLE_RINGS, nullptr, 0) < 0)
    fatal("cannot enable the io_uring", errno);
  arm_wake();
}

// The ring's own descriptor would not do: with deferred task work the kernel wakes no one who polls it (Linux 6.18 still).
// A registered eventfd it signals. Made when first asked for, so that other loops do not pay for it.
int UringPoller::backend_fd() {
  if (!foreign_) {
    if (!enabled_) enable();
    foreign_.reset(eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK));  // readable: something may have come before
    if (!foreign_) fatal("cannot create an eventfd", errno);
    if (const int error = io_uring_register_eventfd(&ring_, foreign_.get()); error < 0)
      fatal("cannot watch the io_uring", -error);
    foreign_fd_.store(foreign_.get(), std::memory_order_release);
  }
  return foreign_.get();
}

void UringPoller::after_fork() {
  // The ring is the parent's and its memory was not inherited. Operations in flight there start again here.
  ::close(ring_.ring_fd);
  ring_ = {};
  buffers_.forget();
  foreign_fd_ = -1;
  foreign_.reset();
  held_buffer_ = -1;
  has_slots_ = false;
  free_slots_.clear();
  if (!open_ring()) fatal("cannot open an io_uring after fork", errno);
  List<Operation> all;
  all.take(in_flight_);
  while (!all.is_empty()) {
    Operation& operation = all.pop_front();
    operation.poller_flags_ &= static_cast<std::uint8_t>(~kWatched);
    if (operation.poller_state_ == kEnding) {
      finish(operation, operation.poller_result_);
    } else if (operation.cancelled_) {
      finish(operation, -ECANCELED);
    } else {
      start(operation);
    }
  }
  due_.take(row_);
  due_.take(again_);
  due_.for_each([](Operation& operation) { operation.poller_flags_ &= static_cast<std::uint8_t>(~kWatched); });
}

io_uring_sqe* UringPoller::entry() {
  if (io_uring_sqe* sqe = io_uring_get_sqe(&ring_)) return sqe;
  if (!enabled_) return nullptr;  // U1: it may be another thread that will wait
  io_uring_submit(&ring_);
  return io_uring_get_sqe(&ring_);
}

// Null: it waits in the backlog.
io_uring_sqe* UringPoller::entry_of(Operation& operation) {
  io_uring_sqe* sqe = entry();
  if (!sqe) {
    operation.unlink();
    operation.poller_state_ = kWaiting;
    backlog_.push_back(operation);
    return nullptr;
  }
  operation.poller_data_ = reinterpret_cast<void*>(static_cast<std::uintptr_t>(ring_.sq.sqe_tail - 1));
  return sqe;
}

bool UringPoller::is_unsent(unsigned place) const {
  const unsigned first = __atomic_load_n(ring_.sq.khead, __ATOMIC_ACQUIRE);
  return place - first < ring_.sq.sqe_tail - first;
}

// The kernel has not seen the operation yet, and never will.
bool UringPoller::withdraw(Operation& operation) {
  const auto place = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(operation.poller_data_));
  if (!is_unsent(place)) return false;
  io_uring_sqe& sqe = ring_.sq.sqes[place & ring_.sq.ring_mask];
  if ((sqe.user_data & ~std::uint64_t{kTagMask}) != reinterpret_cast<std::uintptr_t>(&operation)) return false;
  io_uring_prep_nop(&sqe);
  sqe.user_data = kIgnored;
  operation.poller_flags_ &= static_cast<std::uint8_t>(~kWatched);
  return true;
}

// A request keeps its file open. Once the kernel has heard that it is cancelled, closing the descriptor closes the file.
bool UringPoller::forget(int fd) {
  if (!cancels_.empty()) return false;
  if (enabled_ && is_unsent(last_cancel_)) {
    enter(0, nullptr);
    if (is_unsent(last_cancel_)) return false;
  }
  return !file_jobs_.has_stream(fd);
}

void UringPoller::flush() {
  if (!enabled_) enable();
  if (!backlog_.is_empty() || !cancels_.empty()) submit_backlog();
  if (io_uring_sq_ready(&ring_) > 0) io_uring_submit(&ring_);
}

void UringPoller::submit(Operation& operation) {
  const OperationKind& kind = kind_of(operation);
  const bool is_for_pool = operation.perform || !supported_[static_cast<std::size_t>(kind.opcode)] ||
                           (files_on_pool_ && kind.is_file && !operation.stream);
  if (is_for_pool) {
    operation.poller_state_ = kOnPool;
    return file_jobs_.submit(operation);
  }
  start(operation);
}

void UringPoller::start(Operation& operation) {
  operation.poller_state_ = kInKernel;
  // These register something with the ring, which only its thread may (U1).
  const bool registers = operation.kind == OpKind::ReadFile || (operation.kind == OpKind::Recv && !operation.data);
  if (!enabled_ && registers) [[unlikely]] {
    operation.poller_state_ = kWaiting;
    return backlog_.push_back(operation);
  }
  if (operation.kind == OpKind::ReadFile) return start_read_file(operation);
  if (is_bulk(operation)) {
    in_flight_.push_back(operation);
    return watch(operation);
  }
  if (operation.kind == OpKind::Recv && !operation.data && !buffers_.is_open()) {
    if (const int error = buffers_.open(ring_); error < 0) return finish(operation, error);
  }
  io_uring_sqe* sqe = entry_of(operation);
  if (!sqe) return;
  kind_of(operation).prepare(sqe, operation);
  sqe->user_data = reinterpret_cast<std::uintptr_t>(&operation) | kResult;
  in_flight_.push_back(operation);
}

void UringPoller::submit_backlog() {
  while (!cancels_.empty() && prepare_cancel(*cancels_.back())) cancels_.pop_back();
  List<Operation> waiting;
  waiting.take(backlog_);
  while (!waiting.is_empty()) {
    start(waiting.pop_front());
  }
}

// Open, read and close as one chain on a direct descriptor: no descriptor of the process is used, and one trip does all.
void UringPoller::start_read_file(Operation& operation) {
  if (!has_slots_) {
    has_slots_ = true;
    if (io_uring_register_files_sparse(&ring_, kFileSlots) == 0) {
      for (unsigned slot = 0; slot < kFileSlots; slot++) free_slots_.push_back(static_cast<int>(slot));
    }
  }
  if (io_uring_sq_space_left(&ring_) < 3) io_uring_submit(&ring_);
  if (free_slots_.empty() || io_uring_sq_space_left(&ring_) < 3) {
    operation.poller_state_ = kOnPool;
    return file_jobs_.submit(operation);
  }
  const int slot = free_slots_.back();
  free_slots_.pop_back();
  const auto address = reinterpret_cast<std::uintptr_t>(&operation);
  io_uring_sqe* open = io_uring_get_sqe(&ring_);
  io_uring_prep_openat_direct(open, operation.fd, operation.path, O_RDONLY, 0, static_cast<unsigned>(slot));
  open->flags |= IOSQE_IO_LINK;
  open->user_data = address | kOpened;
  io_uring_sqe* read = io_uring_get_sqe(&ring_);
  io_uring_prep_read(read, slot, operation.data, operation.length, 0);
  read->flags |= IOSQE_FIXED_FILE | IOSQE_IO_HARDLINK;  // a short read must not keep the file open
  read->user_data = address | kResult;
  io_uring_sqe* close = io_uring_get_sqe(&ring_);
  io_uring_prep_close_direct(close, static_cast<unsigned>(slot));
  close->user_data = address | kClosed;
  operation.flags = 0;  // the error of open, if there is one
  operation.fd2 = slot;
  operation.poller_count_ = 3;  // entries still to come back
  in_flight_.push_back(operation);
}

void UringPoller::arm_wake() {
  io_uring_sqe* sqe = entry();
  if (!sqe) fatal("no room to watch the wake-up descriptor", EBUSY);
  io_uring_prep_poll_multishot(sqe, wake_.get(), POLLIN);
  sqe->user_data = kWoken;
}

void UringPoller::wake() {
  const std::uint64_t one = 1;
  // Fails only when the counter is full, and then the loop is awake anyway.
  [[maybe_unused]] ssize_t written = write(wake_.get(), &one, sizeof one);
  // The kernel does not reliably signal one eventfd from within a write to another: a foreign sleeper is rung directly.
  if (const int foreign = foreign_fd_.load(std::memory_order_acquire); foreign >= 0) [[unlikely]]
    written = write(foreign, &one, sizeof one);
}

void UringPoller::finish(Operation& operation, int result) {
  operation.poller_state_ = kDone;
  operation.poller_result_ = result;
  done_.push_back(operation);
}

void UringPoller::cancel(Operation& operation) {
  if (operation.poller_state_ == kDone || operation.poller_state_ == kEnding) return;  // the result stands
  if (operation.poller_state_ == kOnPool) return file_jobs_.cancel(operation);
  if (operation.kind == OpKind::Close) return;  // what is to be closed is closed
  if (operation.poller_state_ != kWaiting && operation.kind == OpKind::ReadFile) return;  // a chain runs through
  if (operation.poller_state_ == kWaiting || withdraw(operation)) {
    operation.unlink();
    return finish(operation, -ECANCELED);
  }
  if (operation.poller_state_ == kReceiving) {
    operation.unlink();
    if (!(operation.poller_flags_ & kWatched)) return finish(operation, -ECANCELED);
    operation.poller_state_ = kPolling;
    in_flight_.push_back(operation);
  }
  ask_for_cancel(operation);
}

void UringPoller::ask_for_cancel(Operation& operation) {
  if (!prepare_cancel(operation)) cancels_.push_back(&operation);
}

bool UringPoller::prepare_cancel(Operation& operation) {
  io_uring_sqe* sqe = entry();
  if (!sqe) return false;
  const auto address = reinterpret_cast<std::uintptr_t>(&operation);
  const bool is_polled = operation.poller_state_ == kPolling || (operation.poller_flags_ & kWatched);
  io_uring_prep_cancel64(sqe, address | (is_polled ? kPolled : kResult), 0);
  sqe->user_data = kIgnored;
  last_cancel_ = ring_.sq.sqe_tail - 1;
  return true;
}

// One trip to the kernel: submits what was prepared, and waits until there are `wait_for` completions or the time is over.
// Returns how many entries were submitted, or -errno. liburing's own call would look for completions before and after.
int UringPoller::enter(unsigned wait_for, const __kernel_timespec* timeout) {
  io_uring_sq& queue = ring_.sq;
  queue.sqe_head = queue.sqe_tail;
  __atomic_store_n(queue.ktail, queue.sqe_tail, __ATOMIC_RELEASE);
  io_uring_getevents_arg argument{};
  argument.ts = reinterpret_cast<std::uintptr_t>(timeout);
  return io_uring_enter2(static_cast<unsigned>(ring_.ring_fd), queue.sqe_tail - *queue.khead, wait_for,
                         IORING_ENTER_GETEVENTS | IORING_ENTER_EXT_ARG, reinterpret_cast<sigset_t*>(&argument),
                         sizeof argument);
}

// Interrupted waits go on: what a signal has to say to the loop comes through a descriptor.
void UringPoller::sleep(Nanoseconds timeout) {
  const Nanoseconds deadline = timeout == kNever ? kNever : steady_now() + timeout;
  for (;;) {
    __kernel_timespec time{timeout / 1'000'000'000, timeout % 1'000'000'000};
    const int result = enter(1, timeout == kNever ? nullptr : &time);
    if (result < 0 && result != -EINTR && result != -ETIME && result != -EAGAIN && result != -EBUSY) {
      fatal("cannot wait for completions", -result);
    }
    if (io_uring_cq_ready(&ring_) > 0 || (result < 0 && result != -EINTR)) return;
    // Once it has submitted something the kernel does not say whether the wait was interrupted or its time was over.
    if (deadline == kNever) continue;
    timeout = deadline - steady_now();
    if (timeout <= 0) return;
  }
}

// Nothing to do, nothing to submit, nothing that has come, no deferred work, no overflow: a look at a few words of memory.
bool UringPoller::is_quiet() const {
  const unsigned kernel_flags = __atomic_load_n(ring_.sq.kflags, __ATOMIC_RELAXED);
  return enabled_ && !foreign_ && held_buffer_ < 0 && backlog_.is_empty() && cancels_.empty() && !has_own_work() &&
         (kernel_flags & (IORING_SQ_TASKRUN | IORING_SQ_CQ_OVERFLOW)) == 0 && io_uring_sq_ready(&ring_) == 0 &&
         io_uring_cq_ready(&ring_) == 0;
}

std::size_t UringPoller::wait(Nanoseconds timeout) {
  if (timeout == 0 && is_quiet()) return 0;
  return wait_or_look(timeout);
}

std::size_t UringPoller::wait_or_look(Nanoseconds timeout) {
  if (!enabled_) [[unlikely]]
    enable();
  if (foreign_) [[unlikely]] {
    std::uint64_t count;  // before looking: what comes later makes it readable again
    [[maybe_unused]] const ssize_t got = read(foreign_.get(), &count, sizeof count);
  }
  if (held_buffer_ >= 0) buffers_.give_back(std::exchange(held_buffer_, -1));
  if (!backlog_.is_empty() || !cancels_.empty()) [[unlikely]]
    submit_backlog();
  due_.take(row_);
  due_.take(again_);
  if (timeout == 0 || has_ready()) {
    // Nothing to submit, no deferred work, no overflow: a look at two words of shared memory is all.
    const unsigned kernel_flags = __atomic_load_n(ring_.sq.kflags, __ATOMIC_RELAXED);
    const bool has_work = (kernel_flags & (IORING_SQ_TASKRUN | IORING_SQ_CQ_OVERFLOW)) != 0;
    if (has_work || io_uring_sq_ready(&ring_) > 0) enter(0, nullptr);
  } else {
    sleep(timeout);
  }
  const std::size_t count = io_uring_cq_ready(&ring_);
  return count > 0 ? count : (has_own_work() ? 1 : 0);
}

}  // namespace rondo
