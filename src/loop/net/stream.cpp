// The face of streams, and how they come to have a descriptor. Work is in stream_read.cpp and stream_write.cpp.
#include "rondo/stream.h"

#include <fcntl.h>
#include <poll.h>

#include <cerrno>
#include <utility>

#include "loop/net/stream_boxes.h"

namespace rondo {

StreamCore::StreamCore() { read_.then(on_read_complete, this); }

StreamCore::~StreamCore() {
  while (!queue_.is_empty()) delete &queue_.pop_front();
}

StreamCore::Rare& StreamCore::rare() {
  if (!rare_) rare_ = std::make_unique<Rare>();
  return *rare_;
}

Operation& StreamCore::write_operation() {
  if (!write_) {
    write_ = std::make_unique<Operation>();
    sign(*write_, true);
  }
  return *write_;
}

StreamCore::OnDone StreamCore::take_on_connected() { return rare_ ? std::move(rare_->on_connected) : OnDone(); }
StreamCore::OnDone StreamCore::take_on_shut_down() { return rare_ ? std::move(rare_->on_shut_down) : OnDone(); }
bool StreamCore::has_on_shut_down() const { return rare_ && rare_->on_shut_down; }

std::size_t StreamCore::received_count() const { return rare_ ? rare_->received.size() : 0; }

UniqueFd StreamCore::take_received() {
  if (received_count() == 0) return UniqueFd();
  UniqueFd first = std::move(rare_->received.front());
  rare_->received.erase(rare_->received.begin());
  return first;
}

void StreamCore::open(int fd, Transport transport) {
  fd_ = fd;
  transport_ = transport;
  can_write_ = true;
  sign(read_, false);  // reading counts as the handle's being active
  if (write_) sign(*write_, true);
  if (transport != Transport::File) return;
  const int flags = fcntl(fd, F_GETFL);
  blocks_ = (flags & O_NONBLOCK) == 0;
  has_read_side_ = (flags & O_ACCMODE) != O_WRONLY;
  has_write_side_ = (flags & O_ACCMODE) != O_RDONLY;
}

bool StreamCore::is_readable() const { return is_open() && !connecting_ && has_read_side_ && !read_over_; }

bool StreamCore::is_writable() const {
  return is_open() && !connecting_ && has_write_side_ && can_write_ && !shutting_down_ && write_error_ == 0;
}

void StreamCore::cancel_all() {
  reading_ = Reading::Stopped;
  if (rare_) rare_->received.clear();
  drop(read_);
  if (write_) drop(*write_);
}

void StreamCore::open_connecting(int fd, OnDone done, Transport transport) {
  open(fd, transport);
  connecting_ = true;
  rare().on_connected = std::move(done);
  Operation& write = write_operation();
  write.poll(fd, POLLOUT).then(on_connect_complete, this);
  loop_->submit(write);
}

void StreamCore::on_connect_complete(Operation& operation, const Completion& completion) {
  StreamCore& core = *static_cast<StreamCore*>(operation.owner);
  Guard guard(core);
  if (!core.usable()) return core.drop_writes();
  int error = completion.result < 0 ? -completion.result : 0;
  if (error == 0) error = -core.loop_->poller().connect_result(core.fd_);
  core.finish_connecting(error == 0 ? Result<void>() : failure(error, "connect"));
}

void StreamCore::fail_connect(Error error, OnDone done) {
  connecting_ = true;
  rare().connect_error = error;
  rare().on_connected = std::move(done);
  defer([](IoCore& core) {
    auto& self = static_cast<StreamCore&>(core);
    self.finish_connecting(std::unexpected(self.rare().connect_error));
  });
}

void StreamCore::expect_connection(OnDone done) {
  connecting_ = true;
  rare().on_connected = std::move(done);
}

void StreamCore::connection_made(int fd) {
  Guard guard(*this);
  open(fd, Transport::Socket);
  finish_connecting({});
}

void StreamCore::connection_failed(Error error) {
  Guard guard(*this);
  finish_connecting(std::unexpected(error));
}

// The user hears first; then what waited for the connection starts, or fails with it.
void StreamCore::finish_connecting(Result<void> result) {
  connecting_ = false;
  connected_ = bool(result);
  call_done(take_on_connected(), result);
  if (!usable()) return;
  if (!result) {
    reading_ = Reading::Stopped;
    stream().deactivate();
    return fail_writes(result.error());
  }
  if (reading_ != Reading::Stopped) arm_read();
  if (queue_.is_empty()) {
    if (shutting_down_) after_drain();
  } else {
    arm_write();
  }
}

Stream::Stream(Loop& loop, HandleKind kind) : IoHandle(loop, kind, new StreamCore) {}

// Callbacks destroyed at the end of this function may destroy the stream.
void Stream::drop_functions() {
  const auto read = on_read_.take();
  const auto drain = on_drain_.take();
  const auto rest = core().take_functions();
}

std::vector<StreamCore::OnDone> StreamCore::take_functions() {
  std::vector<OnDone> functions;
  functions.push_back(take_on_connected());
  functions.push_back(take_on_shut_down());
  drops_writes_ = true;
  while (!is_writing() && !queue_.is_empty()) {
    const std::unique_ptr<QueuedWrite> entry(&queue_.pop_front());
    functions.push_back(std::move(entry->done));
  }
  return functions;
}

// The write in flight when the handle was closed has ended.
void StreamCore::drop_writes() {
  if (drops_writes_) const auto functions = take_functions();
}

StreamCore& Stream::core() const { return *static_cast<StreamCore*>(core_); }

Result<void> Stream::read_start(Function<OnRead> on_read) {
  if (is_closing()) return failure(EBADF, "read");
  on_read_.set(std::move(on_read));
  auto result = core().start_reading(false);
  if (result) activate();
  return result;
}

void Stream::read_stop() {
  if (is_closing()) return;
  core().stop_reading();
  deactivate();
}

Result<void> Stream::read_once(Function<OnRead> on_read) {
  if (is_closing()) return failure(EBADF, "read");
  on_read_.set(std::move(on_read));
  auto result = core().start_reading(true);
  if (result) activate();
  return result;
}

OwnedMemory Stream::take_memory(Bytes piece) { return loop().poller().take_buffer(piece.data()); }

std::optional<Result<Bytes>> Stream::read_held() {
  if (is_closing()) return failure(EBADF, "read");
  return core().take_held();
}

bool Stream::has_held() const { return is_closing() || core().has_held(); }

Result<Progress> Stream::write(Bytes data, Function<OnDone> done) {
  const iovec piece{const_cast<std::byte*>(data.data()), data.size()};
  if (is_closing()) [[unlikely]]
    return failure(EBADF, "write");
  return core().write({&piece, 1}, done, false);
}

Result<Progress> Stream::write(std::span<const iovec> pieces, Function<OnDone> done) {
  if (is_closing()) return failure(EBADF, "write");
  return core().write(pieces, done, false);
}

Result<Progress> Stream::write_copy(Bytes data, Function<OnDone> done) {
  const iovec piece{const_cast<std::byte*>(data.data()), data.size()};
  if (is_closing()) [[unlikely]]
    return failure(EBADF, "write");
  return core().write({&piece, 1}, done, true);
}

Result<std::size_t> Stream::try_write(Bytes data) {
  const iovec piece{const_cast<std::byte*>(data.data()), data.size()};
  return try_write(std::span(&piece, 1));
}

Result<std::size_t> Stream::try_write(std::span<const iovec> pieces) {
  if (is_closing()) return failure(EBADF, "write");
  return core().try_write(pieces.data(), pieces.size());
}

Result<std::size_t> Stream::try_send_file(int file, std::int64_t offset, std::size_t size) {
  if (is_closing()) return failure(EBADF, "sendfile");
  return core().try_send_file(file, offset, size);
}

Result<Progress> Stream::shutdown(Function<OnDone> done) {
  if (is_closing()) return failure(ENOTCONN, "shutdown");
  return core().shutdown(std::move(done));
}

void Stream::on_drain(Function<void()> function) { on_drain_.set(std::move(function)); }

std::size_t Stream::queued_bytes() const { return core().queued_bytes; }

void Stream::set_queue_limit(std::size_t bytes) { core().queue_limit = bytes; }

void Stream::set_blocking_writes(bool blocking) { core().blocking_writes = blocking; }

void Stream::set_batched_writes(bool batched) { core().batched_writes = batched; }

bool Stream::is_readable() const { return !is_closing() && core().is_readable(); }

bool Stream::is_writable() const { return !is_closing() && core().is_writable(); }

std::uint64_t Stream::bytes_read() const { return core().bytes_read; }

std::uint64_t Stream::bytes_written() const { return core().bytes_written; }

}  // namespace rondo
