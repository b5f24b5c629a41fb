// Sending and receiving datagrams. Options and groups are in udp_options.cpp.
#include "rondo/udp.h"

#include <time.h>  // errqueue.h needs timespec

#include <linux/errqueue.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <poll.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "loop/net/socket.h"
#include "loop/net/udp_core.h"
#include "loop/net/udp_messages.h"

namespace rondo {
namespace {

constexpr std::size_t kBatch = 16;
constexpr std::size_t kMessageBytes = 64 * 1024;
constexpr std::size_t kMessagesAVisit = 64;  // then other handles have a turn

}  // namespace

struct UdpCore::Queued : ListNode {
  std::vector<std::byte> data;
  Address to;
  bool has_address = false;
  OnDone done;
};

// Receiving memory of one thread; pages are touched only as far as messages reach.
struct UdpCore::Batch {
  std::array<mmsghdr, kBatch> headers;
  std::array<iovec, kBatch> pieces;
  std::array<sockaddr_storage, kBatch> names;
  struct alignas(cmsghdr) Control {
    std::byte bytes[kControlBytes];
  };
  std::array<Control, kBatch> controls;
  std::unique_ptr<std::byte[]> memory = std::make_unique_for_overwrite<std::byte[]>(kBatch * kMessageBytes);

  void prepare(std::size_t count, bool with_controls) {
    for (std::size_t i = 0; i < count; i++) {
      pieces[i] = {memory.get() + i * kMessageBytes, kMessageBytes};
      headers[i] = {};
      headers[i].msg_hdr.msg_name = &names[i];
      headers[i].msg_hdr.msg_namelen = sizeof names[i];
      headers[i].msg_hdr.msg_iov = &pieces[i];
      headers[i].msg_hdr.msg_iovlen = 1;
      if (!with_controls) continue;
      headers[i].msg_hdr.msg_control = &controls[i];
      headers[i].msg_hdr.msg_controllen = sizeof controls[i];
    }
  }
};

// Taken while it is in use: a callback may run another loop, whose sockets receive meanwhile.
std::unique_ptr<UdpCore::Batch>& UdpCore::idle_batch() {
  thread_local std::unique_ptr<Batch> batch;
  return batch;
}

UdpCore::UdpCore() {
  read_.then(on_readable, this);
  write_.then(on_writable, this);
}

UdpCore::~UdpCore() {
  while (!queue_.is_empty()) delete &queue_.pop_front();
}

void UdpCore::open(int fd) {
  fd_ = fd;
  sign(read_, false);
  sign(write_, true);
}

void UdpCore::cancel_all() {
  receiving_ = false;
  drop(read_);
  drop(write_);
}

void UdpCore::start() {
  receiving_ = true;
  arm_read();
}

void UdpCore::stop() {
  receiving_ = false;
  if (read_.is_in_flight()) loop_->cancel(read_);
}

void UdpCore::arm_read() {
  if (!read_.is_in_flight()) loop_->submit(read_.poll(fd_, POLLIN));
}

void UdpCore::arm_write() {
  if (!write_.is_in_flight()) loop_->submit(write_.poll(fd_, POLLOUT));
}

void UdpCore::on_readable(Operation& operation, const Completion& completion) {
  UdpCore& core = *static_cast<UdpCore*>(operation.owner);
  Guard guard(core);
  if (!core.usable() || !core.receiving_) return;
  // A queue of errors that no one empties would be ready for ever.
  if (completion.result > 0 && (completion.result & POLLERR) && !simulated_sockets(core.fd_)) core.receive_errors();
  if (completion.result >= 0 && core.usable() && core.receiving_) core.receive();
  if (core.usable() && core.receiving_) core.arm_read();
}

void UdpCore::receive() {
  std::unique_ptr<Batch> memory = std::move(idle_batch());
  if (!memory) memory = std::make_unique<Batch>();
  std::size_t left = kMessagesAVisit;
  while (left > 0 && receive_batch(*memory, left)) continue;
  idle_batch() = std::move(memory);
}

// Errors that the network answered to earlier messages with (IP_RECVERR); sockets that did not ask for it have none.
void UdpCore::receive_errors() {
  for (std::size_t left = kMessagesAVisit; left > 0 && usable() && receiving_; left--) {
    sockaddr_storage name;
    alignas(cmsghdr) std::byte control[512];
    msghdr message{};
    message.msg_name = &name;
    message.msg_namelen = sizeof name;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    if (recvmsg(fd_, &message, MSG_ERRQUEUE | MSG_DONTWAIT) < 0) return;
    for (cmsghdr* header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
      const bool is_error = (header->cmsg_level == IPPROTO_IP && header->cmsg_type == IP_RECVERR) ||
                            (header->cmsg_level == IPPROTO_IPV6 && header->cmsg_type == IPV6_RECVERR);
      if (!is_error) continue;
      sock_extended_err error;
      std::memcpy(&error, CMSG_DATA(header), sizeof error);
      if (error.ee_errno == 0) continue;
      failed_destination = Address(reinterpret_cast<const sockaddr*>(&name), message.msg_namelen);
      udp().on_message_(failure(static_cast<int>(error.ee_errno), "recvmsg"));
      failed_destination = Address();
      break;
    }
  }
}

// False when the socket is empty, failed, or no one listens any more.
bool UdpCore::receive_batch(Batch& memory, std::size_t& left) {
  const std::size_t most = is_shared ? 1 : kBatch;
  memory.prepare(most, wants_packet_info || has_receive_offload);
  const int count = receive_messages(memory, most);
  if (count < 0) {
    if (count == -EINTR) return true;
    if (count != -EAGAIN && count != -EWOULDBLOCK) udp().on_message_(failure(-count, "recvmmsg"));
    return false;
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); i++) {
    const Bytes data(memory.memory.get() + i * kMessageBytes, memory.headers[i].msg_len);
    if (!deliver(memory.headers[i].msg_hdr, data)) return false;
  }
  left -= std::min(left, static_cast<std::size_t>(count));
  return static_cast<std::size_t>(count) == most;
}

// How many, or -errno.
int UdpCore::receive_messages(Batch& memory, std::size_t most) {
  SimulatedSockets* const sockets = simulated_sockets(fd_);
  if (!sockets) [[likely]] {
    const int count = recvmmsg(fd_, memory.headers.data(), static_cast<unsigned>(most), MSG_DONTWAIT, nullptr);
    return count < 0 ? -errno : count;
  }
  const long size = sockets->receive_message(fd_, memory.headers[0].msg_hdr);  // one at a time: chance may come between
  if (size < 0) return static_cast<int>(size);
  memory.headers[0].msg_len = static_cast<unsigned>(size);
  return 1;
}

// To the program: what the kernel has joined (UDP_GRO) comes apart again. False when no one listens any more.
bool UdpCore::deliver(const msghdr& header, Bytes data) {
  const Address from(static_cast<const sockaddr*>(header.msg_name), header.msg_namelen);
  Datagram message{data, &from, (header.msg_flags & MSG_TRUNC) != 0};
  if (header.msg_controllen == 0) [[likely]] {
    udp().on_message_(message);
    return usable() && receiving_;
  }
  PacketInfo info = packet_info_in(header);
  if (wants_packet_info && info.to.family() != AF_UNSPEC) {
    if (const auto local = Address::local_of(fd_)) info.to.set_port(local->port());
    message.to = &info.to;
    message.interface = info.interface;
  }
  const std::size_t segment = info.segment > 0 ? info.segment : std::max<std::size_t>(data.size(), 1);
  do {
    message.data = data.first(std::min(segment, data.size()));
    data = data.subspan(message.data.size());
    udp().on_message_(message);
    if (!usable() || !receiving_) return false;
  } while (!data.empty());
  return true;
}

Result<Progress> UdpCore::send(Bytes data, const Address* to, OnDone done) {
  if (queue_.is_empty()) {
    const long sent = send_datagram(fd_, data, to);
    if (sent >= 0) return Progress::Done;
    if (!has_to_wait(sent)) return failure(static_cast<int>(-sent), "send");
  }
  auto* entry = new Queued;
  entry->data.assign(data.begin(), data.end());
  if (to) entry->to = *to;
  entry->has_address = to != nullptr;
  entry->done = std::move(done);
  queued_bytes += data.size();
  queued_messages++;
  queue_.push_back(*entry);
  arm_write();
  return Progress::Queued;
}

void UdpCore::on_writable(Operation& operation, const Completion& completion) {
  UdpCore& core = *static_cast<UdpCore*>(operation.owner);
  Guard guard(core);
  if (!core.usable()) return;
  if (completion.result >= 0) core.flush();
  if (core.usable() && !core.queue_.is_empty()) core.arm_write();
}

// A message that cannot be sent fails alone; the next has its own fate.
void UdpCore::flush() {
  for (std::size_t left = kMessagesAVisit; left > 0 && usable() && !queue_.is_empty(); left--) {
    Queued& entry = queue_.front();
    const long sent = send_datagram(fd_, entry.data, entry.has_address ? &entry.to : nullptr);
    if (has_to_wait(sent)) return;
    const Result<void> result = sent < 0 ? failure(static_cast<int>(-sent), "send") : Result<void>();
    entry.unlink();
    const std::unique_ptr<Queued> finished(&entry);
    queued_bytes -= finished->data.size();
    queued_messages--;
    if (OnDone done = std::move(finished->done)) done(result);
  }
}

Udp::Udp(Loop& loop) : IoHandle(loop, HandleKind::Udp, new UdpCore) {}

void Udp::drop_functions() {
  const auto function = on_message_.take();
  const auto rest = core().take_functions();
}

std::vector<UdpCore::OnDone> UdpCore::take_functions() {
  std::vector<OnDone> functions;
  while (!queue_.is_empty()) {
    const std::unique_ptr<Queued> entry(&queue_.pop_front());
    functions.push_back(std::move(entry->done));
  }
  return functions;
}

UdpCore& Udp::core() const { return *static_cast<UdpCore*>(core_); }

Result<void> Udp::receive_start(Function<OnMessage> on_message) {
  if (is_closing() || fd() < 0) return failure(EBADF, "recv");
  on_message_.set(std::move(on_message));
  core().start();
  activate();
  return {};
}

void Udp::receive_stop() {
  if (is_closing()) return;
  core().stop();
  deactivate();
}

void Udp::set_shared() { core().is_shared = true; }

Result<Progress> Udp::send(Bytes data, const Address& to, Function<OnDone> done) {
  if (is_closing()) return failure(EBADF, "send");
  if (auto result = ensure_socket(to.family()); !result) return std::unexpected(result.error());
  return core().send(data, &to, std::move(done));
}

Result<Progress> Udp::send(Bytes data, Function<OnDone> done) {
  if (is_closing() || fd() < 0) return failure(fd() < 0 ? EDESTADDRREQ : EBADF, "send");
  return core().send(data, nullptr, std::move(done));
}

Result<std::size_t> Udp::try_send(std::span<const OutgoingDatagram> messages) {
  if (is_closing() || messages.empty()) return is_closing() ? Result<std::size_t>(failure(EBADF, "sendmmsg")) : 0;
  if (fd() < 0 && !messages[0].to) return failure(EDESTADDRREQ, "sendmmsg");
  if (messages[0].to) {
    if (auto result = ensure_socket(messages[0].to->family()); !result) return std::unexpected(result.error());
  }
  if (core().queued_messages > 0) return 0;
  return send_messages(fd(), messages);
}

Result<std::size_t> Udp::try_send_segments(Bytes data, std::uint16_t segment, const Address* to) {
  if (is_closing()) return failure(EBADF, "sendmsg");
  if (segment == 0) return failure(EINVAL, "sendmsg");
  if (fd() < 0 && !to) return failure(EDESTADDRREQ, "sendmsg");
  if (to) {
    if (auto result = ensure_socket(to->family()); !result) return std::unexpected(result.error());
  }
  if (core().queued_messages > 0) return 0;
  return send_segments(fd(), data, segment, to);
}

std::size_t Udp::queued_bytes() const { return core().queued_bytes; }

const Address& Udp::failed_destination() const { return core().failed_destination; }

std::size_t Udp::queued_messages() const { return core().queued_messages; }

}  // namespace rondo
