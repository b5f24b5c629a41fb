// Simulated system calls on streams and files.
#include <fcntl.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>

#include "loop/sim/sim_poller.h"

namespace rondo {
namespace {

// The buffers of a transfer, whatever its kind.
std::vector<iovec> parts_of(const Operation& op) {
  switch (op.kind) {
    case OpKind::ReadV:
    case OpKind::WriteV: {
      const auto* parts = static_cast<const iovec*>(op.data);
      return {parts, parts + op.length};
    }
    case OpKind::RecvMsg:
    case OpKind::SendMsg: {
      const auto* message = static_cast<const msghdr*>(op.data);
      return {message->msg_iov, message->msg_iov + message->msg_iovlen};
    }
    default:
      return {{op.data, op.length}};
  }
}

std::size_t size_of(const std::vector<iovec>& parts) {
  std::size_t total = 0;
  for (const iovec& part : parts) total += part.iov_len;
  return total;
}

std::string gather(const std::vector<iovec>& parts, std::size_t size) {
  std::string out;
  for (const iovec& part : parts)
    out.append(static_cast<const char*>(part.iov_base), std::min(part.iov_len, size - out.size()));
  return out;
}

void scatter(const std::vector<iovec>& parts, const char* data, std::size_t size) {
  for (const iovec& part : parts) {
    const std::size_t count = std::min(part.iov_len, size);
    std::memcpy(part.iov_base, data, count);
    data += count;
    size -= count;
  }
}

}  // namespace

int SimWorld::perform(const Operation& op) {
  switch (op.kind) {
    case OpKind::Nop:
      return 0;
    case OpKind::Close:
      return close(op.fd);
    case OpKind::OpenAt:
      return open(op);
    case OpKind::UnlinkAt:
    case OpKind::MkdirAt:
    case OpKind::RenameAt:
    case OpKind::LinkAt:
    case OpKind::ReadFile:
      return on_path(op);
    case OpKind::Statx:
      if (op.path && *op.path) return on_path(op);
      break;
    default:
      break;
  }
  const auto found = objects_.find(op.fd);
  if (found == objects_.end()) return -EBADF;
  return on_descriptor(found->second, op);
}

int SimWorld::on_descriptor(const std::shared_ptr<Object>& object, const Operation& op) {
  const bool is_file = object->kind == Object::Kind::File;
  switch (op.kind) {
    case OpKind::Poll:
      if (!object->connecting_to.empty() && go_on_connecting(object) == -EAGAIN) return -EAGAIN;
      return poll(*object, op.flags);
    case OpKind::Accept:
      return object->kind == Object::Kind::Listener ? accept(*object) : -EINVAL;
    case OpKind::Connect:
      return connect(object, static_cast<const sockaddr_un*>(op.data)->sun_path);
    case OpKind::Recv:
    case OpKind::RecvMsg:
      return is_file ? -ENOTSOCK : receive(*object, op);
    case OpKind::Send:
    case OpKind::SendMsg:
      return is_file ? -ENOTSOCK : send(*object, op);
    case OpKind::Read:
    case OpKind::ReadV:
      return is_file ? read_file(*object, op) : receive(*object, op);
    case OpKind::Write:
    case OpKind::WriteV:
      return is_file ? write_file(*object, op) : send(*object, op);
    case OpKind::Fsync:
      return is_file ? 0 : -EINVAL;
    case OpKind::Ftruncate:
      if (!is_file) return -EINVAL;
      object->inode->content.resize(static_cast<std::size_t>(op.offset));
      return 0;
    case OpKind::Statx: {
      auto& out = *static_cast<struct ::statx*>(op.data);
      out = {};
      out.stx_mode = is_file ? S_IFREG | 0644 : S_IFSOCK;
      out.stx_size = is_file ? object->inode->content.size() : 0;
      return 0;
    }
    default:
      return -EINVAL;
  }
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
  const auto found = std::find_if(objects_.begin(), objects_.end(), [&](const auto& entry) {
    return entry.second->kind == Object::Kind::Listener && entry.second->address == name;
  });
  if (found == objects_.end()) return -ECONNREFUSED;
  Object& listener = *found->second;
  if (listener.backlog.size() >= limits_.backlog) return -EAGAIN;
  auto other = std::make_shared<Object>();
  other->peer = stream;
  stream->peer = other;
  stream->is_connected = other->is_connected = true;
  listener.backlog.push_back(std::move(other));
  unblock();
  return 0;
}

// What a poll for POLLOUT finds. -EAGAIN: the backlog is full.
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
  if (stream.inbox.empty()) {
    const auto peer = stream.peer.lock();
    if (peer && !peer->has_finished) return -EAGAIN;
    if (message) message->msg_controllen = 0;
    return 0;
  }
  const bool is_ours = op.kind == OpKind::Recv && !op.data;
  const std::vector<iovec> parts = is_ours ? std::vector<iovec>() : parts_of(op);
  const std::size_t room = is_ours ? stream.inbox.size() : std::min(size_of(parts), stream.inbox.size());
  if (room == 0) return 0;
  deliver_parcel(stream, message);
  const std::size_t until = stream.parcels.empty() ? room : std::min(room, stream.parcels.front().at);
  const std::size_t size = 1 + decider_.choose(Choice::TransferSize, static_cast<std::uint32_t>(until));
  for (Parcel& parcel : stream.parcels) parcel.at -= size;
  if (is_ours) {
    scratch_ = stream.inbox.substr(0, size);
  } else {
    scatter(parts, stream.inbox.data(), size);
  }
  stream.inbox.erase(0, size);
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
  if (op.kind == OpKind::SendMsg) return take_message(stream, *static_cast<const msghdr*>(op.data));
  return take(stream, parts_of(op));
}

int SimWorld::take_message(Object& stream, const msghdr& message) {
  std::shared_ptr<Object> parcel;
  if (const cmsghdr* header = CMSG_FIRSTHDR(&message); header && header->cmsg_type == SCM_RIGHTS) {
    int fd;
    std::memcpy(&fd, CMSG_DATA(header), sizeof fd);
    parcel = object(fd);
    if (!parcel) return -EBADF;
  }
  return take(stream, {message.msg_iov, message.msg_iov + message.msg_iovlen}, parcel);
}

int SimWorld::take(Object& stream, const std::vector<iovec>& parts, const std::shared_ptr<Object>& parcel) {
  if (stream.is_reset) return -ECONNRESET;
  if (!stream.is_connected) return -ENOTCONN;
  const auto peer = stream.peer.lock();
  if (!peer || stream.has_finished) return -EPIPE;
  const std::size_t wanted = size_of(parts);
  if (wanted == 0) return 0;
  const std::size_t room = std::min(wanted, limits_.stream_bytes - std::min(peer->inbox.size(), limits_.stream_bytes));
  if (room == 0) return -EAGAIN;
  const std::size_t size = 1 + decider_.choose(Choice::TransferSize, static_cast<std::uint32_t>(room));
  if (parcel) peer->parcels.push_back({peer->inbox.size(), parcel});
  peer->inbox += gather(parts, size);
  unblock();
  return static_cast<int>(size);
}

int SimWorld::poll(const Object& object, std::uint32_t wanted) const {
  std::uint32_t ready = 0;
  const auto peer = object.peer.lock();
  if (object.kind == Object::Kind::File) ready = POLLIN | POLLOUT;
  if (!object.backlog.empty() || !object.inbox.empty()) ready |= POLLIN;
  if (object.is_connected && !peer) ready |= POLLIN | POLLHUP;
  if (peer && peer->has_finished) ready |= POLLIN;
  if (object.connect_error) ready |= POLLOUT | POLLERR;
  if (object.is_reset) ready |= POLLIN | POLLOUT | POLLERR;
  if (peer && peer->inbox.size() < limits_.stream_bytes) ready |= POLLOUT;
  ready &= wanted | POLLERR | POLLHUP;
  return ready ? static_cast<int>(ready) : -EAGAIN;
}

int SimWorld::open(const Operation& op) {
  const std::string path = op.path;
  const int flags = static_cast<int>(op.flags);
  auto found = files_.find(path);
  if (directories_.contains(path)) return -EISDIR;
  if (found == files_.end()) {
    if (!(flags & O_CREAT)) return -ENOENT;
    if (objects_.size() >= limits_.descriptors) return -EMFILE;
    found = files_.emplace(path, std::make_shared<Inode>()).first;
  } else if ((flags & O_CREAT) && (flags & O_EXCL)) {
    return -EEXIST;
  }
  auto object = std::make_shared<Object>();
  object->kind = Object::Kind::File;
  object->inode = found->second;
  const int fd = add(std::move(object));
  if (fd >= 0 && (flags & O_TRUNC)) found->second->content.clear();
  return fd;
}

int SimWorld::read_file(Object& file, const Operation& op) {
  const std::vector<iovec> parts = parts_of(op);
  const std::string& content = file.inode->content;
  const std::size_t at = op.offset >= 0 ? static_cast<std::size_t>(op.offset) : file.position;
  if (at >= content.size()) return 0;
  const std::size_t room = std::min(size_of(parts), content.size() - at);
  if (room == 0) return 0;
  const std::size_t size = 1 + decider_.choose(Choice::TransferSize, static_cast<std::uint32_t>(room));
  scatter(parts, content.data() + at, size);
  if (op.offset < 0) file.position += size;
  return static_cast<int>(size);
}

int SimWorld::write_file(Object& file, const Operation& op) {
  const std::vector<iovec> parts = parts_of(op);
  const std::size_t wanted = size_of(parts);
  if (wanted == 0) return 0;
  std::size_t used = 0;
  for (const auto& [path, inode] : files_) used += inode->content.size();
  if (used + wanted > limits_.disk_bytes) return -ENOSPC;
  const std::size_t size = 1 + decider_.choose(Choice::TransferSize, static_cast<std::uint32_t>(wanted));
  std::string& content = file.inode->content;
  const std::size_t at = op.offset >= 0 ? static_cast<std::size_t>(op.offset) : file.position;
  if (content.size() < at + size) content.resize(at + size);
  content.replace(at, size, gather(parts, size));
  if (op.offset < 0) file.position += size;
  return static_cast<int>(size);
}

int SimWorld::on_path(const Operation& op) {
  const std::string path = op.path;
  if (op.kind == OpKind::MkdirAt) return !files_.contains(path) && directories_.insert(path).second ? 0 : -EEXIST;
  if (op.kind == OpKind::UnlinkAt && (op.flags & AT_REMOVEDIR)) return directories_.erase(path) ? 0 : -ENOENT;
  const auto found = files_.find(path);
  if (found == files_.end()) return -ENOENT;
  switch (op.kind) {
    case OpKind::UnlinkAt:
      files_.erase(found);
      return 0;
    case OpKind::RenameAt:
      files_[op.path2] = found->second;
      if (path != op.path2) files_.erase(path);
      return 0;
    case OpKind::LinkAt:
      return files_.emplace(op.path2, found->second).second ? 0 : -EEXIST;
    case OpKind::ReadFile: {
      const std::string& content = found->second->content;
      const std::size_t size = std::min<std::size_t>(content.size(), op.length);
      std::memcpy(op.data, content.data(), size);
      return static_cast<int>(size);
    }
    default: {
      auto& out = *static_cast<struct ::statx*>(op.data);
      out = {};
      out.stx_mode = S_IFREG | 0644;
      out.stx_size = found->second->content.size();
      return 0;
    }
  }
}

}  // namespace rondo
