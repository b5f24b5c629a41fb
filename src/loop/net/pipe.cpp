// Unix sockets, pipes and the descriptors that travel over them.
#include "rondo/pipe.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "loop/net/listener_core.h"
#include "loop/net/socket.h"
#include "loop/net/stream_core.h"

namespace rondo {
Result<void> Pipe::open(UniqueFd descriptor) {
  if (is_closing() || !descriptor) return failure(EBADF, "open");
  if (core().is_open()) return failure(EBUSY, "open");
  const bool has_socket = loop().poller().is_socket(descriptor.get());
  if (!has_socket && descriptor.get() < kFirstSimulatedFd && fcntl(descriptor.get(), F_GETFL) < 0) {
    const int error = errno;
    descriptor.release();  // there is nothing to close
    return failure(error, "open");
  }
  if (mode_ == PipeMode::Descriptors && !has_socket) return failure(EINVAL, "open");
  adopt_mode(loop(), descriptor.get());
  using Transport = StreamCore::Transport;
  const Transport transport = mode_ == PipeMode::Descriptors ? Transport::Messages
                              : has_socket                   ? Transport::Socket
                                                             : Transport::File;
  core().open(descriptor.release(), transport);
  return {};
}

Result<void> Pipe::connect(std::string_view path, Function<OnDone> done) {
  if (is_closing()) return failure(EBADF, "connect");
  if (core().is_connecting()) return failure(EALREADY, "connect");
  if (core().is_open()) return failure(EISCONN, "connect");
  const auto address = Address::unix_socket(path);
  if (!address) return failure(address.error().number, "connect");
  auto socket = make_socket(loop(), AF_UNIX, SOCK_STREAM);
  if (!socket) return std::unexpected(socket.error());
  if (const int error = begin_connect(loop(), socket->get(), *address); error != 0 && error != EINPROGRESS) {
    core().fail_connect(Error{error, "connect"}, std::move(done));
    return {};
  }
  const auto transport =
      mode_ == PipeMode::Descriptors ? StreamCore::Transport::Messages : StreamCore::Transport::Socket;
  core().open_connecting(socket->release(), std::move(done), transport);
  return {};
}

Result<Progress> Pipe::write_descriptor(Bytes data, int descriptor, Function<OnDone> done) {
  if (is_closing()) return failure(EBADF, "write");
  if (mode_ != PipeMode::Descriptors || data.empty() || descriptor < 0) return failure(EINVAL, "write");
  const iovec piece{const_cast<std::byte*>(data.data()), data.size()};
  return core().write({&piece, 1}, done, false, descriptor);
}

UniqueFd Pipe::take_descriptor() { return core().take_received(); }

std::size_t Pipe::pending_descriptors() const { return core().received_count(); }

Result<std::pair<UniqueFd, UniqueFd>> make_socket_pair() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) return last_failure("socketpair");
  return std::pair(UniqueFd(ends[0]), UniqueFd(ends[1]));
}

Result<std::pair<UniqueFd, UniqueFd>> make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) return last_failure("pipe");
  return std::pair(UniqueFd(ends[0]), UniqueFd(ends[1]));
}

PipeServer::~PipeServer() { remove_path(); }

Result<void> PipeServer::bind(std::string_view path) {
  if (is_closing()) return failure(EBADF, "bind");
  if (fd() >= 0) return failure(EINVAL, "bind");
  const auto address = Address::unix_socket(path);
  if (!address) return failure(address.error().number, "bind");
  auto socket = make_socket(loop(), AF_UNIX, SOCK_STREAM);
  if (!socket) return std::unexpected(socket.error());
  const auto bound = [&] { return bind_descriptor(socket->get(), *address); };
  Recording* recording = Recording::current();
  if (const long error = recording ? recording->result('b', bound) : bound()) {
    // A missing directory: EACCES, as Node reports it.
    return failure(error == ENOENT ? EACCES : static_cast<int>(error), "bind");
  }
  const bool is_file =
      path.front() != '\0' && !(recording && recording->is_replay()) && loop().poller().has_kernel_descriptors();
  if (is_file) path_ = path;
  core().open(socket->release());
  return {};
}

Result<void> PipeServer::set_permissions(std::uint32_t mode) {
  if (is_closing() || fd() < 0) return failure(EBADF, "chmod");
  if (path_.empty()) return failure(EINVAL, "chmod");
  if (::chmod(path_.c_str(), mode & 0777) < 0) return last_failure("chmod");
  return {};
}

void PipeServer::begin_close() {
  remove_path();
  Listener::begin_close();
}

void PipeServer::remove_path() {
  if (!path_.empty()) ::unlink(path_.c_str());
  path_.clear();
}

}  // namespace rondo
