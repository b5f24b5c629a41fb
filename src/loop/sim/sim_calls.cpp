// Simulated calls on sockets and pipes. Those on files are in sim_file_calls.cpp.
#include <fcntl.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "loop/sim/sim_network.h"
#include "loop/sim/sim_parts.h"
#include "loop/sim/sim_poller.h"

namespace rondo {

int SimWorld::perform(const Operation& op) {
  switch (op.kind) {
    case OpKind::Nop:
      return 0;
    case OpKind::Close:
      return close(op.fd);
    case OpKind::OpenAt:
    case OpKind::UnlinkAt:
    case OpKind::MkdirAt:
    case OpKind::RenameAt:
    case OpKind::LinkAt:
    case OpKind::SymlinkAt:
    case OpKind::ReadFile:
    case OpKind::Statx:
      return on_path(op);
    default:
      break;
  }
  const auto found = object(op.fd);
  if (!found) return -EBADF;
  if (op.kind == OpKind::Poll) {
    if (!found->connecting_to.empty() && go_on_connecting(found) == -EAGAIN) return -EAGAIN;
    return poll(*found, op.flags);
  }
  if (found->kind == Object::Kind::Datagrams) {
    if (op.kind == OpKind::SendMsg)
      return static_cast<int>(network_->send_message(op.fd, *static_cast<const msghdr*>(op.data)));
    if (op.kind == OpKind::RecvMsg)
      return static_cast<int>(network_->receive_message(op.fd, *static_cast<msghdr*>(op.data)));
    return -EINVAL;
  }
  return found->kind == Object::Kind::File ? on_file(*found, op) : on_stream(found, op);
}

int SimWorld::on_stream(const std::shared_ptr<Object>& object, const Operation& op) {
  const bool is_listener = object->kind == Object::Kind::Listener;
  switch (op.kind) {
    case OpKind::Accept:
      if (object->is_pipe) return -ENOTSOCK;
      return is_listener ? accept(*object) : -EINVAL;
    case OpKind::Connect: {
      if (object->is_pipe) return -ENOTSOCK;
      if (is_listener || object->is_connected) return -EISCONN;
      const Address address(static_cast<const sockaddr*>(op.data), op.length);
      if (address.family() == AF_UNIX) return connect(object, address.path());
      if (const int error = network_->begin_connect(object, address); error != -EINPROGRESS) return error;
      return connect(object, std::exchange(object->connecting_to, {}));
    }
    case OpKind::Recv:
    case OpKind::RecvMsg:
      return object->is_pipe ? -ENOTSOCK : receive(*object, op);
    case OpKind::Send:
    case OpKind::SendMsg:
      return object->is_pipe ? -ENOTSOCK : send(*object, op);
    case OpKind::Read:
    case OpKind::ReadV:
      if (!object->can_read) return -EBADF;
      return size_of(parts_of(op)) == 0 ? 0 : receive(*object, op);
    case OpKind::Write:
    case OpKind::WriteV:
      return object->can_write ? send(*object, op) : -EBADF;
    case OpKind::Fallocate:
      if (op.offset < 0 || op.length2 == 0) return -EINVAL;
      return !object->can_write ? -EBADF : object->is_pipe ? -ESPIPE : -ENODEV;
    default:
      return -EINVAL;
  }
}

// A poll that repeats tells of this.
void SimWorld::note(Object& object) { object.news++; }

std::uint32_t SimWorld::transfer_size(std::size_t most) {
  return 1 + decider_.choose(Choice::TransferSize, static_cast<std::uint32_t>(most));
}

int SimWorld::accept(Object& listener) {
  if (listener.backlog.empty()) return -EAGAIN;
  const int fd = add(listener.backlog.front());
  if (fd < 0) return fd;  // it stays in the backlog
  listener.backlog.pop_front();
  unblock();
  return fd;
}

int SimWorld::connect(const std::shared_ptr<Object>& stream, const std::string& name) {
  if (stream->is_connected) return -EISCONN;
  std::shared_ptr<Object> found;
  const bool is_by_address = SimNetwork::is_by_address(name);
  int fault = -ECONNREFUSED;
  if (is_by_address) {
    found = network_->listener_for(*stream, fault);
  } else {
    for (const auto& [fd, object] : objects_) {
      if (!found && object->kind == Object::Kind::Listener && object->address == name) found = object;
    }
  }
  if (!found) return fault;
  Object& listener = *found;
  if (listener.backlog.size() >= limits_.backlog) return -EAGAIN;
  auto other = std::make_shared<Object>();
  other->peer = stream;
  stream->peer = other;
  stream->is_connected = other->is_connected = true;
  if (is_by_address) network_->name_connection(*stream, *other, listener);
  listener.backlog.push_back(std::move(other));
  note(listener);
  unblock();
  return 0;
}

// The result of a poll for POLLOUT. -EAGAIN: the backlog is full.
int SimWorld::go_on_connecting(const std::shared_ptr<Object>& stream) {
  const int result = connect(stream, stream->connecting_to);
  if (result == -EAGAIN) return result;
  stream->connecting_to.clear();
  stream->connect_error = result;
  return result;
}

int SimWorld::receive(Object& stream, const Operation& op) {
  if (stream.is_reset) return -ECONNRESET;
  if (!stream.is_connected) return -ENOTCONN;
  msghdr* message = op.kind == OpKind::RecvMsg ? static_cast<msghdr*>(op.data) : nullptr;
  const auto peer = stream.peer.lock();
  if (stream.inbox.empty() && peer && !peer->has_finished && !stream.is_deaf) return -EAGAIN;
  if (message) message->msg_flags = 0, message->msg_namelen = 0;
  if (stream.inbox.empty()) {
    if (message) message->msg_controllen = 0;
    return 0;
  }
  const bool is_ours = op.kind == OpKind::Recv && !op.data;
  const std::vector<iovec> parts = is_ours ? std::vector<iovec>() : parts_of(op);
  const std::size_t room = is_ours ? stream.inbox.size() : std::min(size_of(parts), stream.inbox.size());
  if (room == 0) return 0;
  deliver_parcel(stream, message);
  const std::size_t until = stream.parcels.empty() ? room : std::min(room, stream.parcels.front().at);
  const std::size_t size = transfer_size(until);
  if (is_ours) {
    scratch_ = stream.inbox.substr(0, size);
  } else {
    scatter(parts, stream.inbox.data(), size);
  }
  const bool is_socket_call = op.kind == OpKind::Recv || op.kind == OpKind::RecvMsg;
  if (is_socket_call && (op.flags & MSG_PEEK)) return static_cast<int>(size);
  for (Parcel& parcel : stream.parcels) parcel.at -= size;
  stream.inbox.erase(0, size);
  if (peer) note(*peer);
  unblock();
  return static_cast<int>(size);
}

// A receive gets the descriptor that came with its first byte, and ends before the byte of the next one.
void SimWorld::deliver_parcel(Object& stream, msghdr* message) {
  const std::size_t room = message ? message->msg_controllen : 0;
  if (message) message->msg_controllen = 0;
  if (stream.parcels.empty() || stream.parcels.front().at > 0) return;
  const Parcel parcel = std::move(stream.parcels.front());
  stream.parcels.pop_front();
  if (room < CMSG_SPACE(sizeof(int))) return;
  const int fd = add(parcel.object);
  if (fd < 0) {
    message->msg_flags |= MSG_CTRUNC;  // as the kernel does it: the descriptor is lost
    return;
  }
  message->msg_controllen = CMSG_SPACE(sizeof(int));
  cmsghdr* header = CMSG_FIRSTHDR(message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(header), &fd, sizeof fd);
}

int SimWorld::send(Object& stream, const Operation& op) {
  if (op.kind == OpKind::SendMsg) return give_message(stream, *static_cast<const msghdr*>(op.data));
  return give(stream, parts_of(op));
}

int SimWorld::give_message(Object& stream, const msghdr& message) {
  std::shared_ptr<Object> parcel;
  if (const cmsghdr* header = CMSG_FIRSTHDR(&message); header && header->cmsg_type == SCM_RIGHTS) {
    int fd;
    std::memcpy(&fd, CMSG_DATA(header), sizeof fd);
    parcel = object(fd);
    if (!parcel) return -EBADF;
  }
  return give(stream, {message.msg_iov, message.msg_iov + message.msg_iovlen}, parcel);
}

int SimWorld::give(Object& stream, const std::vector<iovec>& parts, const std::shared_ptr<Object>& parcel) {
  if (stream.is_reset) return -ECONNRESET;
  const auto peer = stream.peer.lock();
  if (!peer || stream.has_finished || peer->is_deaf) return -EPIPE;
  const std::size_t wanted = size_of(parts);
  if (wanted == 0) return 0;
  const std::size_t room = std::min(wanted, limits_.stream_bytes - std::min(peer->inbox.size(), limits_.stream_bytes));
  if (room == 0) return -EAGAIN;
  const std::size_t size = transfer_size(room);
  if (parcel) peer->parcels.push_back({peer->inbox.size(), parcel});
  peer->inbox += gather(parts, size);
  note(*peer);
  unblock();
  return static_cast<int>(size);
}

int SimWorld::poll(const Object& object, std::uint32_t wanted) const {
  std::uint32_t ready = 0;
  const auto peer = object.peer.lock();
  const bool has_room = peer && peer->inbox.size() < limits_.stream_bytes;
  if (object.kind == Object::Kind::File) ready = POLLIN | POLLOUT;
  if (object.kind == Object::Kind::Datagrams) {
    ready = POLLOUT;
    if (!object.socket->inbox.empty() || object.socket->error) ready |= POLLIN;
    if (object.socket->error) ready |= POLLERR;
  }
  if (!object.backlog.empty() || !object.inbox.empty()) ready |= POLLIN;
  if (has_room && object.can_write) ready |= POLLOUT;
  if (object.is_pipe) {
    if (!peer) ready |= object.can_read ? POLLHUP : POLLOUT | POLLERR;
  } else if (object.is_connected) {
    if (!peer) ready |= POLLIN | POLLOUT | POLLRDHUP | POLLHUP;
    if (object.is_deaf || (peer && peer->has_finished)) ready |= POLLIN | POLLRDHUP;
  } else if (object.kind == Object::Kind::Stream && object.connecting_to.empty()) {
    ready |= POLLOUT | POLLHUP;
  }
  if (object.connect_error) ready |= POLLOUT | POLLERR;
  if (object.is_reset) ready |= POLLIN | POLLOUT | POLLERR;
  ready &= wanted | POLLERR | POLLHUP;
  if (!ready && object.kind == Object::Kind::File) return -EINVAL;  // and never will be
  return ready ? static_cast<int>(ready) : -EAGAIN;
}

// Calls of the test itself: whole, and neither late nor failing.
long SimWorld::put(int fd, std::string_view bytes) {
  const auto stream = object(fd);
  if (!stream || !stream->can_write) return -EBADF;
  const auto peer = stream->peer.lock();
  if (stream->is_reset) return -ECONNRESET;
  if (!peer || stream->has_finished || peer->is_deaf) return -EPIPE;
  const std::size_t room = limits_.stream_bytes - std::min(peer->inbox.size(), limits_.stream_bytes);
  if (room == 0 && !bytes.empty()) return -EAGAIN;
  bytes = bytes.substr(0, room);
  peer->inbox += bytes;
  note(*peer);
  unblock();
  return static_cast<long>(bytes.size());
}

long SimWorld::take(int fd, std::span<char> buffer) {
  const auto stream = object(fd);
  if (!stream || !stream->can_read) return -EBADF;
  const auto peer = stream->peer.lock();
  if (stream->is_reset) return -ECONNRESET;
  if (stream->inbox.empty()) return peer && !peer->has_finished && !stream->is_deaf ? -EAGAIN : 0;
  const std::size_t size = stream->inbox.copy(buffer.data(), buffer.size());
  stream->inbox.erase(0, size);
  for (Parcel& parcel : stream->parcels) parcel.at -= std::min(parcel.at, size);
  if (peer) note(*peer);
  unblock();
  return static_cast<long>(size);
}

}  // namespace rondo
