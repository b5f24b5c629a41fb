// The kernel's side of a Udp handle: readiness in both directions, the queue of messages that wait.
#pragma once

#include <sys/socket.h>

#include <memory>
#include <vector>

#include "loop/net/io_core.h"
#include "rondo/udp.h"

namespace rondo {

class UdpCore final : public IoCore {
 public:
  using OnDone = Function<Udp::OnDone>;

  UdpCore();
  ~UdpCore() override;
  void open(int fd);
  void start();
  void stop();
  Result<Progress> send(Bytes data, const Address* to, OnDone done);
  std::vector<OnDone> take_functions();
  int fd() const { return fd_; }

  std::size_t queued_bytes = 0;
  std::size_t queued_messages = 0;
  Address failed_destination;
  bool is_shared = false;
  bool wants_packet_info = false;
  bool has_receive_offload = false;

 protected:
  void cancel_all() override;
  bool has_in_flight() const override { return read_.is_in_flight() || write_.is_in_flight(); }

 private:
  struct Queued;
  struct Batch;

  static std::unique_ptr<Batch>& idle_batch();
  static void on_readable(Operation& operation, const Completion& completion);
  static void on_writable(Operation& operation, const Completion& completion);
  void receive();
  void receive_errors();
  bool receive_batch(Batch& batch, std::size_t& left);
  int receive_messages(Batch& batch, std::size_t most);
  bool deliver(const msghdr& header, Bytes data);
  void flush();
  void arm_read();
  void arm_write();
  Udp& udp() const { return *static_cast<Udp*>(owner_); }

  Operation read_;
  Operation write_;
  bool receiving_ = false;
  List<Queued> queue_;
};

}  // namespace rondo
