// Thin over the system calls; no state, no loop.
#include "rondo/system.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "rondo/address.h"
#include "rondo/base/fatal.h"
#include "rondo/explore.h"
#include "rondo/fs.h"
#include "rondo/recording.h"

namespace rondo {
namespace {

bool is_whole(std::string_view path) { return path.find('\0') == std::string_view::npos; }

// The option that holds it depends on the socket's family.
struct ServiceOption {
  int level;
  int name;
};
Result<ServiceOption> service_option(int socket) {
  int family = 0;
  socklen_t size = sizeof family;
  if (getsockopt(socket, SOL_SOCKET, SO_DOMAIN, &family, &size) < 0) return last_failure("getsockopt");
  if (family == AF_INET6) return ServiceOption{IPPROTO_IPV6, IPV6_TCLASS};
  return ServiceOption{IPPROTO_IP, IP_TOS};
}

}  // namespace

bool path_exists(std::string_view path) { return is_whole(path) && ::access(std::string(path).c_str(), F_OK) == 0; }

Result<bool> is_directory(std::string_view path) {
  if (!is_whole(path)) return failure(EINVAL, "stat");
  struct stat status;
  if (::stat(std::string(path).c_str(), &status) < 0) return last_failure("stat");
  return S_ISDIR(status.st_mode);
}

Result<std::string> real_path(std::string_view path) {
  if (!is_whole(path)) return failure(EINVAL, "lstat");
  char resolved[PATH_MAX];
  if (!::realpath(std::string(path).c_str(), resolved)) return last_failure("lstat");
  return std::string(resolved);
}

Result<std::string> read_whole_file(std::string_view path, std::uint64_t limit) {
  FileRequest request;
  request.read_file(path, O_RDONLY, limit).run();
  if (const auto outcome = request.outcome(); !outcome) return std::unexpected(outcome.error());
  return std::move(request.text());
}

namespace {

DescriptorKind kind_of_descriptor(int fd) {
  struct stat status;
  if (fstat(fd, &status) < 0) return DescriptorKind::None;
  switch (status.st_mode & S_IFMT) {
    case S_IFCHR:
      return isatty(fd) ? DescriptorKind::Tty : DescriptorKind::File;
    case S_IFREG:
    case S_IFBLK:
      return DescriptorKind::File;
    case S_IFDIR:
      return DescriptorKind::Directory;
    case S_IFIFO:
      return DescriptorKind::Pipe;
    case S_IFSOCK:
      return DescriptorKind::Socket;
    default:
      return DescriptorKind::None;
  }
}

}  // namespace

DescriptorKind descriptor_kind_of(int fd) {
  const Recording* const recording = Recording::current();
  // Standard output and error of a recorded run are written in the call, whatever they are when it is replayed.
  const bool is_output = fd == STDOUT_FILENO || fd == STDERR_FILENO;
  return recording && is_output ? DescriptorKind::File : kind_of_descriptor(fd);
}

Result<void> write_fully(int fd, Bytes data) {
  while (!data.empty()) {
    const ssize_t written = ::write(fd, data.data(), data.size());
    if (written >= 0) {
      data = data.subspan(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      pollfd query{fd, POLLOUT, 0};
      if (::poll(&query, 1, -1) < 0 && errno != EINTR) return last_failure("write");
    } else if (errno != EINTR) {
      return last_failure("write");
    }
  }
  return {};
}

Result<std::size_t> write_available(int fd, Bytes data) {
  iovec part{const_cast<std::byte*>(data.data()), data.size()};
  ssize_t written = ::pwritev2(fd, &part, 1, -1, RWF_NOWAIT);
  if (written < 0 && (errno == EOPNOTSUPP || errno == ENOSYS || errno == EINVAL)) {
    // A write that the kernel cannot take at once on this descriptor: a ready pipe has room for PIPE_BUF bytes.
    pollfd query{fd, POLLOUT, 0};
    if (fd >= 0 && ::poll(&query, 1, 0) <= 0) return failure(EAGAIN, "write");  // poll() overlooks negative numbers
    written = ::write(fd, data.data(), std::min<std::size_t>(data.size(), PIPE_BUF));
  }
  if (written < 0) return last_failure("write");
  return static_cast<std::size_t>(written);
}

Result<UniqueFd> bind_unix_socket(std::string_view path) {
  const auto address = Address::unix_socket(path);
  if (!address) return failure(address.error().number, "bind");
  UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket) return last_failure("socket");
  if (::bind(socket.get(), address->data(), address->size()) < 0) return last_failure("bind");
  return socket;
}

Result<void> connect_unix_socket(int fd, std::string_view path) {
  const auto address = Address::unix_socket(path);
  if (!address) return failure(address.error().number, "connect");
  if (::connect(fd, address->data(), address->size()) < 0) return last_failure("connect");
  return {};
}

Result<void> set_type_of_service(int socket, int value) {
  const auto option = service_option(socket);
  if (!option) return std::unexpected(option.error());
  if (setsockopt(socket, option->level, option->name, &value, sizeof value) < 0) return last_failure("setsockopt");
  return {};
}

Result<int> type_of_service(int socket) {
  const auto option = service_option(socket);
  if (!option) return std::unexpected(option.error());
  int value = 0;
  socklen_t size = sizeof value;
  if (getsockopt(socket, option->level, option->name, &value, &size) < 0) return last_failure("getsockopt");
  return value;
}

Result<void> send_signal(pid_t pid, int signal) {
  if (::kill(pid, signal) < 0) return last_failure("kill");
  return {};
}

namespace {

// 0: the kernel's generator.
std::atomic<std::uint64_t> random_state{0};

// splitmix64
std::uint64_t next_seeded() {
  constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15;
  std::uint64_t z = random_state.fetch_add(kStep, std::memory_order_relaxed) + kStep;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace

void seed_random(std::uint64_t seed) { random_state.store(seed * 2 + 1, std::memory_order_relaxed); }

void fill_random(std::span<std::byte> bytes) {
  while (random_state.load(std::memory_order_relaxed) != 0 && !bytes.empty()) {
    const std::uint64_t word = next_seeded();
    const std::size_t size = std::min(bytes.size(), sizeof word);
    std::memcpy(bytes.data(), &word, size);
    bytes = bytes.subspan(size);
  }
  while (!bytes.empty()) {
    const ssize_t got = getrandom(bytes.data(), bytes.size(), 0);
    if (got > 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(got));
    } else if (errno != EINTR) {
      fatal("the kernel gives no random bytes", errno);
    }
  }
}

}  // namespace rondo
