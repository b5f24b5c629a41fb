// Ports and datagrams of a simulated world. Connections themselves are SimWorld's streams; here is who listens where, and how both ends
// are named.
//
//  N1  every IP address is the world's own, and no packet leaves it.
//  N2  a port is taken by a socket that was bound to it, from bind to close; connections that were accepted there take none.
#pragma once

#include <deque>
#include <memory>
#include <string>

#include "loop/net/simulated_sockets.h"
#include "rondo/sim.h"

namespace rondo {

struct SimSocket {
  struct Message {
    Address from, to;
    std::string data;
  };

  int family = AF_INET;
  Address local, remote;  // no address: not bound, not connected
  bool is_bound = false;  // by bind, or by sending
  bool shares_port = false;
  bool is_only_v6 = false;
  bool resets = false;  // SO_LINGER with no time
  bool tells_destination = false;
  int error = 0;  // what the network answered to a datagram
  std::deque<Message> inbox;  // datagrams
  std::size_t inbox_bytes = 0;
};

class SimNetwork final : public SimulatedSockets {
 public:
  using Object = SimWorld::Object;

  explicit SimNetwork(SimWorld& world) : world_(world) {}

  int bind(int fd, const Address& address) override;
  int connect_datagrams(int fd, const Address& peer) override;
  Result<Address> local_of(int fd) override;
  Result<Address> remote_of(int fd) override;
  int set_option(int fd, int level, int name, const void* value, socklen_t size) override;
  int option(int fd, int level, int name) override;
  long send_message(int fd, const msghdr& message) override;
  long receive_message(int fd, msghdr& message) override;

  int open(int family, int type);
  int listen(const std::shared_ptr<Object>& socket);
  // Begins a connection; -EINPROGRESS, or why not.
  int begin_connect(const std::shared_ptr<Object>& stream, const Address& target);
  // Null: no one listens there. -ETIMEDOUT and the like in `fault`.
  std::shared_ptr<Object> listener_for(const Object& stream, int& fault);
  void name_connection(Object& client, Object& accepted, const Object& listener);
  // Marks Object::connecting_to of a connection by address and port.
  static bool is_by_address(const std::string& name) { return name.starts_with('\x01'); }

 private:
  std::shared_ptr<Object> socket_at(int fd) const;
  bool is_taken(const Object& socket, const Address& address) const;
  std::uint16_t free_port(const Object& socket, Address address);
  void bind_to_any(Object& socket, const Address& target);
  std::shared_ptr<Object> receiver_of(const Address& target, const Address& sender);
  void deliver(Object& receiver, SimSocket::Message message, bool overtakes);

  SimWorld& world_;
  std::uint16_t next_port_ = 49152;
};

}  // namespace rondo
