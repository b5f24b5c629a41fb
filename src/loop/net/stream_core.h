// The kernel's side of a Stream: one read operation, one write operation, the queue between. Reading is in
// stream_read.cpp, writing in stream_write.cpp; Stream, Tcp, Pipe and Tty call it.
//
//  R1  at most one read operation is in flight; it is re-armed when it ends and reading is still wanted.
//  R2  data that arrives while no one wants it goes to Rare::held, and is delivered first when someone does.
//  W1  the write operation is in flight if and only if the queue is not empty or a connection is being
//      made; it then refers to the queue's head.
//  W2  after a queued write has failed nothing more is written: what came later would follow a gap.
#pragma once

#include <sys/socket.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "loop/net/io_core.h"
#include "rondo/base/unique_fd.h"
#include "rondo/stream.h"

namespace rondo {

class StreamCore final : public IoCore {
 public:
  enum class Transport : std::uint8_t {
    Socket,    // recv and send
    Messages,  // a Unix socket that carries descriptors: recvmsg and sendmsg
    File,      // pipe or terminal: read and write
  };
  using OnDone = Function<Stream::OnDone>;

  StreamCore();
  ~StreamCore() override;

  // The descriptor becomes the core's. It should be in the mode that Loop::socket_flags() asks for.
  void open(int fd, Transport transport);
  // A socket on which connect(2) has returned EINPROGRESS: writes wait until it is through.
  void open_connecting(int fd, OnDone done, Transport transport = Transport::Socket);
  // Reports from the pending phase that a connection failed before it began.
  void fail_connect(Error error, OnDone done);
  // Makes writes wait until the connection exists; a Connector ends this with one of
  // the next two.
  void expect_connection(OnDone done);
  void connection_made(int fd);
  void connection_failed(Error error);
  bool is_connecting() const { return connecting_; }
  bool is_connected() const { return connected_; }
  bool is_readable() const;
  bool is_writable() const;

  Result<void> start_reading(bool once);
  void stop_reading();
  std::optional<Result<Bytes>> take_held();
  bool has_held() const { return has_held_bytes() || end_ != kNoEnd; }

  // `done` is taken only if something is queued.
  Result<Progress> write(std::span<const iovec> pieces, OnDone& done, bool copy, int descriptor = -1);
  Result<std::size_t> try_write(const iovec* pieces, std::size_t count, int descriptor = -1);
  Result<std::size_t> try_send_file(int file, std::int64_t offset, std::size_t size);
  Result<Progress> shutdown(OnDone done);

  // When all is over: the functions that never ran. Those of writes in flight own what the kernel may still read: they go when
  // it has let go.
  std::vector<OnDone> take_functions();

  std::size_t queued_bytes = 0;
  std::size_t queue_limit = SIZE_MAX;
  std::uint64_t bytes_read = 0;
  std::uint64_t bytes_written = 0;
  bool blocking_writes = false;
  bool batched_writes = false;
  // Descriptors received and not yet taken, oldest first.
  std::size_t received_count() const;
  UniqueFd take_received();

  Stream& stream() const { return *static_cast<Stream*>(owner_); }
  int fd() const { return fd_; }

 protected:
  void cancel_all() override;
  bool has_in_flight() const override { return read_.is_in_flight() || is_writing(); }

 private:
  static constexpr std::size_t kReadBytes = 64 * 1024;
  static constexpr std::size_t kHoldBytes = 64 * 1024;
  static constexpr std::size_t kGather = 64;
  static constexpr std::size_t kMaxDescriptors = 253;  // in one message: the kernel's SCM_MAX_FD

  enum class Reading : std::uint8_t {
    Stopped,  // nothing in flight, or being cancelled
    Flowing,  // every piece goes to on_read
    Once,  // the next piece goes to on_read
    Waiting,  // armed, but pieces are held until asked for
  };

  struct QueuedWrite;
  struct Inbox;  // buffers of a read that brings its own
  struct Outbox;  // what the write in flight points to
  struct Rare;  // members that an accepted connection seldom needs

  static void on_read_complete(Operation& operation, const Completion& completion);
  static void on_write_complete(Operation& operation, const Completion& completion);
  static void on_connect_complete(Operation& operation, const Completion& completion);

  Rare& rare();
  bool has_held_bytes() const;
  bool is_writing() const { return write_ && write_->is_in_flight(); }
  Operation& write_operation();
  OnDone take_on_connected();
  OnDone take_on_shut_down();
  bool has_on_shut_down() const;

  void arm_read();
  void take_read(const Completion& completion);
  void take_descriptors();
  void deliver(Result<Bytes> piece);
  void hand_over(Result<Bytes> piece);
  void deliver_held();

  int write_refusal() const;
  void enqueue(std::span<const iovec> pieces, std::size_t skip, OnDone done, bool copy, int descriptor);
  void arm_write();
  const iovec* lone_piece() const;
  void take_written(std::size_t count);
  void fail_writes(Error error);
  void after_drain();
  void drop_writes();
  int finish_sending();
  ssize_t write_now(const iovec* pieces, std::size_t count, int descriptor);
  Result<std::size_t> write_blocking(std::span<const iovec> pieces);
  void finish_connecting(Result<void> result);
  void call_done(OnDone done, Result<void> result);

  // Together, and before the operations: what every piece and every write looks at.
  Transport transport_ = Transport::Socket;
  Reading reading_ = Reading::Stopped;
  bool connecting_ = false;
  bool connected_ = false;  // by connect(); what open() was given may be anything
  bool delivery_deferred_ = false;
  bool shutting_down_ = false;
  bool taking_ = false;  // inside take_written
  bool drops_writes_ = false;  // take_functions has come and gone
  bool blocks_ = false;  // File: O_NONBLOCK is not set
  bool has_read_side_ = true;
  bool has_write_side_ = true;
  bool can_write_ = true;  // no write has failed for good
  bool read_over_ = false;  // the end or an error was delivered
  static constexpr int kNoEnd = -1;
  int write_error_ = 0;  // W2: a queued write has failed; what came after it would follow a gap
  int end_ = kNoEnd;  // 0: the peer has finished; above: errno of the read that failed
  List<QueuedWrite> queue_;
  Operation read_;
  // Made at first use, so that an idle connection is small.
  std::unique_ptr<Operation> write_;
  std::unique_ptr<Inbox> inbox_;
  std::unique_ptr<Outbox> outbox_;
  std::unique_ptr<Rare> rare_;
};

}  // namespace rondo
