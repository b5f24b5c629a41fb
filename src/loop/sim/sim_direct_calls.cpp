// The simulated world's answers to the calls that handles make at once; see Poller.
#include <sys/socket.h>

#include <cerrno>

#include "loop/sim/sim_file_system.h"
#include "loop/sim/sim_network.h"
#include "loop/sim/sim_poller.h"

namespace rondo {

int SimPoller::open_socket(int family, int type) { return world_.network_->open(family, type); }

int SimPoller::listen(int fd, int) {
  const auto object = world_.object(fd);
  return object ? world_.network_->listen(object) : -EBADF;
}

int SimPoller::begin_connect(int fd, const sockaddr* address, socklen_t size) {
  const auto stream = world_.object(fd);
  if (!stream) return -EBADF;
  if (stream->is_connected) return -EISCONN;
  const Address target(address, size);
  if (target.family() != AF_UNIX) return world_.network_->begin_connect(stream, target);
  stream->connecting_to = target.path();
  return -EINPROGRESS;
}

int SimPoller::connect_result(int fd) {
  const auto stream = world_.object(fd);
  if (!stream) return -EBADF;
  return stream->is_reset ? -ECONNRESET : stream->connect_error;
}

bool SimPoller::is_socket(int fd) {
  const auto object = world_.object(fd);
  return object && object->kind != SimWorld::Object::Kind::File && !object->is_pipe;
}

// As often as not the buffer is full, and the write has to wait. 0: go on.
int SimPoller::begin_transfer(int fd, OpKind kind) {
  if (!world_.object(fd)) return -EBADF;
  if (world_.decider_.choose(Choice::TransferSize, 2) == 0) return -EAGAIN;
  Operation operation;
  operation.kind = kind;
  operation.fd = fd;
  const int fault = world_.inject_fault(operation);
  return fault == -EINTR ? -EAGAIN : fault;
}

long SimPoller::send_now(int fd, const iovec* pieces, std::size_t count) {
  if (const int error = begin_transfer(fd, OpKind::SendMsg)) return error;
  return world_.give(*world_.object(fd), {pieces, pieces + count});
}

long SimPoller::send_message_now(int fd, const msghdr& message) {
  if (const int error = begin_transfer(fd, OpKind::SendMsg)) return error;
  return world_.give_message(*world_.object(fd), message);
}

long SimPoller::write_now(int fd, const iovec* pieces, std::size_t count) {
  if (const int error = begin_transfer(fd, OpKind::WriteV)) return error;
  return world_.give(*world_.object(fd), {pieces, pieces + count});
}

int SimPoller::shut_down(int fd, int how) {
  const auto object = world_.object(fd);
  if (!object) return -EBADF;
  if (object->is_pipe || object->kind == SimWorld::Object::Kind::File) return -ENOTSOCK;
  if (object->kind == SimWorld::Object::Kind::Listener) return 0;
  if (!object->is_connected || object->is_reset) return -ENOTCONN;
  if (how != SHUT_RD) object->has_finished = true;
  if (how != SHUT_WR) object->is_deaf = true;
  world_.note(*object);
  if (const auto peer = object->peer.lock()) world_.note(*peer);
  world_.unblock();
  return 0;
}

bool SimPoller::turn_away(int fd) {
  const auto listener = world_.object(fd);
  if (!listener || listener->backlog.empty()) return false;
  const auto stranger = listener->backlog.front();
  listener->backlog.pop_front();
  world_.break_connection(*stranger);
  return true;
}

FileSystem& SimPoller::files() { return *world_.file_system_; }

}  // namespace rondo
