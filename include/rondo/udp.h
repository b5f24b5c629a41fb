// Datagrams. Messages that arrive together are taken from the kernel in batches; a message that the kernel
// does not take at once is copied and waits. Rules ST1 to ST4 of stream.h hold here too, those of
// owner and thread are handle.h's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "rondo/address.h"
#include "rondo/base/unique_fd.h"
#include "rondo/bytes.h"
#include "rondo/detail/io_handle.h"
#include "rondo/stream.h"

namespace [[gnu::visibility("default")]] rondo {

class UdpCore;

struct Datagram {
  Bytes data;               // valid during the call only
  const Address* from;      // valid during the call only
  bool is_truncated = false;
  const Address* to =
      nullptr;  // after set_packet_info(true): our address that it was sent to, with our port; valid during the call only
  unsigned interface = 0;  // the same: the number of the interface that it came by
};

// One message of a batch to send. `to` null: to the connected peer. `from`: one of our addresses (its port does not count), such as
// Datagram::to of what it answers; null: the kernel chooses.
struct OutgoingDatagram {
  Bytes data;
  const Address* to = nullptr;
  const Address* from = nullptr;
};

enum class UdpBind : std::uint8_t {
  Default = 0,
  ReuseAddress = 1,  // several sockets on one port, each gets every multicast message
  Ipv6Only = 2,
  ReusePort = 4,  // several sockets share the port, the kernel spreads messages
  // Errors that the network answers with (nobody there, no way) come to on_message, without connect() too (IP_RECVERR). The
  // kernel may also let a later send fail with it.
  ReceiveErrors = 8,
};
constexpr UdpBind operator|(UdpBind a, UdpBind b) {
  return static_cast<UdpBind>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

class Udp final : public IoHandle {
 public:
  using OnMessage = void(Result<Datagram>);
  using OnDone = void(Result<void>);

  explicit Udp(Loop& loop);

  // Takes a datagram socket. EBUSY when there is one already, ENOTSOCK or EINVAL when it is something else.
  [[nodiscard]] Result<void> open(UniqueFd socket);
  // Creates the socket. Port 0: the kernel chooses; see local_address().
  [[nodiscard]] Result<void> bind(const Address& address, UdpBind how = UdpBind::Default);
  // Only this peer from now on, and ICMP errors of it. Creates the socket if there is none.
  [[nodiscard]] Result<void> connect(const Address& address);
  [[nodiscard]] Result<void> disconnect();

  // Errors (ECONNREFUSED of a connected peer, or those of UdpBind::ReceiveErrors) do not end receiving. Messages of a batch that are left when
  // receiving is stopped are dropped, as datagrams may be.
  // Keeps the loop alive until receive_stop() or close(). EBADF before open(), bind() or connect().
  [[nodiscard]] Result<void> receive_start(Function<OnMessage> on_message);
  void receive_stop();
  // Others receive from this socket too (it was handed to another process): one message at a time is taken, so that none is lost
  // to them when receiving is stopped.
  void set_shared();

  // Without `to`: to the connected peer. Queued messages are copied; `done` as Stream's.
  [[nodiscard]] Result<Progress> send(Bytes data, const Address& to, Function<OnDone> done = {});
  [[nodiscard]] Result<Progress> send(Bytes data, Function<OnDone> done = {});
  // One system call for many messages. Returns how many the kernel took; nothing is queued.
  [[nodiscard]] Result<std::size_t> try_send(std::span<const OutgoingDatagram> messages);
  // The bytes as messages of `segment` bytes each, the last one maybe shorter: the kernel or the network card cuts them (UDP_SEGMENT), which
  // is one trip through the stack for up to 64 messages or 64 KB. Where it cannot, as try_send. Returns how many bytes the kernel
  // took, always whole messages; nothing is queued. EINVAL: a segment of 0 bytes. EMSGSIZE: one that fits no packet.
  [[nodiscard]] Result<std::size_t> try_send_segments(Bytes data, std::uint16_t segment, const Address* to = nullptr);
  std::size_t queued_bytes() const;
  std::size_t queued_messages() const;
  // While on_message is told of an error that UdpBind::ReceiveErrors brought: whom the message was for. Else no address.
  const Address& failed_destination() const;

  // Messages tell where they were sent to (IP_PKTINFO): on a socket bound to any address a server answers from the address that it was
  // asked at. EBADF before there is a socket.
  [[nodiscard]] Result<void> set_packet_info(bool on);
  // The kernel joins messages of one sender that arrive together (UDP_GRO); they are taken apart again before on_message sees them.
  [[nodiscard]] Result<void> set_receive_offload(bool on);
  [[nodiscard]] Result<void> set_broadcast(bool on);
  [[nodiscard]] Result<void> set_ttl(int hops);
  [[nodiscard]] Result<void> set_multicast_ttl(int hops);
  [[nodiscard]] Result<void> set_multicast_loopback(bool on);
  // Numeric address of the interface to send from; for IPv6 also "::%eth0".
  [[nodiscard]] Result<void> set_multicast_interface(std::string_view address);
  // `interface` empty: the kernel chooses.
  [[nodiscard]] Result<void> join_group(std::string_view group, std::string_view interface = {});
  [[nodiscard]] Result<void> leave_group(std::string_view group, std::string_view interface = {});
  [[nodiscard]] Result<void> join_source_group(std::string_view source, std::string_view group,
                                               std::string_view interface = {});
  [[nodiscard]] Result<void> leave_source_group(std::string_view source, std::string_view group,
                                                std::string_view interface = {});

  Result<Address> local_address() const { return Address::local_of(fd()); }
  Result<Address> remote_address() const { return Address::remote_of(fd()); }

 private:
  friend class UdpCore;
  void drop_functions() override;
  UdpCore& core() const;
  [[nodiscard]] Result<void> ensure_socket(int family);

  Callback<void(Result<Datagram>)> on_message_;
};

}  // namespace rondo
