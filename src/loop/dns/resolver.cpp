// The Resolver: a c-ares channel whose sockets are polled by the loop and whose clock is a loop timer.
//
// c-ares calls back from inside its own functions, where its channel must not be destroyed. So answers are
// collected there and given to the user afterwards, one by one; any of those calls may destroy the Resolver.
// Sockets are opened and closed by us: a closed one lives on until its poll operation has ended.
#include <ares.h>
#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <sstream>
#include <utility>

#include "loop/dns/dns_message.h"
#include "loop/net/simulated_host.h"
#include "rondo/address.h"
#include "rondo/detail/loop_access.h"
#include "rondo/loop.h"

namespace rondo {

struct Resolver::Query {
  Resolver* owner;
  DnsType type;
  Done done;
  DnsAnswer answer;
};

struct Resolver::Channel {
  struct Socket final : Lingering {
    Socket(int descriptor, Channel& owner) : fd(descriptor), loop(&owner.loop), channel(&owner) {}
    ~Socket() override { ::close(fd); }

    Operation operation;
    int fd;
    Loop* loop;
    Channel* channel;  // null: closed, waits for its operation
    std::uint32_t wanted = 0;

    void want(std::uint32_t events);
    void poll();
    void completed(int result);
    void destroy();
  };

  Channel(Resolver& owner, const ResolverOptions& options);
  ~Channel();
  Socket* find(int fd);
  int open(int family, int type, int protocol);
  void close(int fd);

  Resolver& resolver;
  Loop& loop;
  ares_channel handle = nullptr;
  std::vector<Socket*> sockets;
  in_addr local4{};
  in6_addr local6{};
};

namespace {

int connect_socket(ares_socket_t fd, const sockaddr* address, ares_socklen_t size, void*) {
  return connect(fd, address, size);
}
ares_ssize_t receive(ares_socket_t fd, void* data, size_t size, int flags, sockaddr* from, ares_socklen_t* length,
                     void*) {
  return recvfrom(fd, data, size, flags, from, length);
}
ares_ssize_t send_parts(ares_socket_t fd, const iovec* parts, int count, void*) {
  msghdr message{};
  message.msg_iov = const_cast<iovec*>(parts);
  message.msg_iovlen = static_cast<std::size_t>(count);
  return sendmsg(fd, &message, MSG_NOSIGNAL);
}

}  // namespace

void Resolver::Channel::Socket::want(std::uint32_t events) {
  if (wanted == events) return;
  wanted = events;
  if (operation.is_in_flight()) {
    loop->cancel(operation);  // its completion asks anew
  } else {
    poll();
  }
}

void Resolver::Channel::Socket::poll() {
  if (wanted == 0) return;
  operation.poll(fd, wanted)
      .then([](Operation& done,
               const Completion& completion) { static_cast<Socket*>(done.owner)->completed(completion.result); },
            this);
  operation.keeps_loop_alive = false;
  operation.source = HandleKind::Dns;
  operation.source_id = channel->resolver.id();
  loop->submit(operation);
}

void Resolver::Channel::Socket::completed(int result) {
  if (!channel) return destroy();
  if (result == -ECANCELED) return poll();
  Channel& owner = *channel;
  const int number = fd;
  const bool is_error = result < 0 || (result & (POLLERR | POLLHUP));
  ares_process_fd(owner.handle, is_error || (result & POLLIN) ? number : ARES_SOCKET_BAD,
                  is_error || (result & POLLOUT) ? number : ARES_SOCKET_BAD);
  // This socket may be gone, and another may have its number.
  if (Socket* socket = owner.find(number); socket && !socket->operation.is_in_flight()) socket->poll();
  owner.resolver.deliver();
}

void Resolver::Channel::Socket::destroy() {
  loop->forget(fd);
  delete this;
}

Resolver::Channel::Channel(Resolver& owner, const ResolverOptions& settings) : resolver(owner), loop(owner.loop()) {
  static std::once_flag once;
  std::call_once(once, [] { ares_library_init(ARES_LIB_INIT_ALL); });
  ares_options options{};
  int mask = ARES_OPT_FLAGS | ARES_OPT_SOCK_STATE_CB | ARES_OPT_TRIES;
  options.flags = ARES_FLAG_NOCHECKRESP;
  options.tries = settings.tries;
  if (settings.timeout_ms >= 0) {
    options.timeout = settings.timeout_ms;
    mask |= ARES_OPT_TIMEOUTMS;
  }
  options.sock_state_cb_data = this;
  options.sock_state_cb = [](void* data, ares_socket_t fd, int readable, int writable) {
    auto& self = *static_cast<Channel*>(data);
    Socket* socket = self.find(fd);
    if (!socket) {
      if (!readable && !writable) return;
      socket = new Socket(fd, self);
      self.sockets.push_back(socket);
    }
    socket->want((readable ? POLLIN : 0u) | (writable ? POLLOUT : 0u));
  };
  if (ares_init_options(&handle, &options, mask) != ARES_SUCCESS) {
    handle = nullptr;
    return;
  }
  static const ares_socket_functions kFunctions = {[](int family, int type, int protocol, void* data) {
                                                     return static_cast<Channel*>(data)->open(family, type, protocol);
                                                   },
                                                   [](ares_socket_t fd, void* data) {
                                                     static_cast<Channel*>(data)->close(fd);
                                                     return 0;
                                                   },
                                                   connect_socket, receive, send_parts};
  ares_set_socket_functions(handle, &kFunctions, this);
}

Resolver::Channel::~Channel() {
  if (handle) ares_destroy(handle);  // closes the sockets through close()
}

Resolver::Channel::Socket* Resolver::Channel::find(int fd) {
  const auto found =
      std::find_if(sockets.begin(), sockets.end(), [fd](const Socket* socket) { return socket->fd == fd; });
  return found == sockets.end() ? nullptr : *found;
}

int Resolver::Channel::open(int family, int type, int protocol) {
  const int fd = socket(family, type | SOCK_NONBLOCK | SOCK_CLOEXEC, protocol);
  if (fd < 0) return fd;
  int bound = 0;
  if (family == AF_INET && local4.s_addr != INADDR_ANY) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr = local4;
    bound = bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  } else if (family == AF_INET6 && !IN6_IS_ADDR_UNSPECIFIED(&local6)) {
    sockaddr_in6 address{};
    address.sin6_family = AF_INET6;
    address.sin6_addr = local6;
    bound = bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  }
  if (bound == 0) return fd;
  ::close(fd);
  return -1;
}

void Resolver::Channel::close(int fd) {
  Socket* socket = find(fd);
  if (!socket) {
    ::close(fd);
    return;
  }
  std::erase(sockets, socket);
  if (!socket->operation.is_in_flight()) return socket->destroy();
  socket->channel = nullptr;
  detail::LoopAccess::linger(loop, *socket);
  loop.cancel(socket->operation);
}

Resolver::Resolver(Loop& loop, ResolverOptions options)
    : Handle(loop, HandleKind::Dns), options_(options), timeout_(loop), delivery_(loop) {
  timeout_.unref();
  delivery_.unref();
}

Resolver::~Resolver() {
  begin_close();
  if (destroyed_) *destroyed_ = true;
}

void Resolver::begin_close() {
  outstanding_ = 0;
  channel_.reset();  // ends what is under way; see finished()
  finished_.clear();
  timeout_.stop();
  delivery_.stop();
  deactivate();
}

Resolver::Channel* Resolver::channel() {
  if (!channel_) channel_ = std::make_unique<Channel>(*this, options_);
  return channel_->handle ? channel_.get() : nullptr;
}

void Resolver::resolve(std::string_view name, DnsType type, Done done) {
  if (is_closing()) return;
  auto query = std::unique_ptr<Query>(new Query{this, type, std::move(done), {}});
  outstanding_++;
  if (SimulatedHost* const host = simulated_host(*loop_)) [[unlikely]] {
    query->answer = host->resolve(std::string(name), type);
    finished(std::move(query));
    return update();
  }
  if (Channel* open = channel()) {
    ares_query(
        open->handle, std::string(name).c_str(), ns_c_in, static_cast<int>(type),
        [](void* data, int status, int, unsigned char* bytes, int size) {
          std::unique_ptr<Query> answered(static_cast<Query*>(data));
          DnsAnswer& answer = answered->answer;
          answer.status = status;
          if (status == ARES_SUCCESS) {
            const bool is_valid =
                parse_dns_message({bytes, static_cast<std::size_t>(size)}, answered->type, answer.records);
            answer.status = !is_valid ? ARES_EBADRESP : answer.records.empty() ? ARES_ENODATA : ARES_SUCCESS;
          }
          answered->owner->finished(std::move(answered));
        },
        query.release());
  } else {
    query->answer.status = ARES_ENOTINITIALIZED;
    finished(std::move(query));
  }
  update();
}

// The system's own list comes before the network's answer.
static std::vector<DnsRecord> names_in_hosts(const std::string& address) {
  std::vector<DnsRecord> names;
  const auto wanted = Address::ip(address, 0);
  if (!wanted) return names;
  std::ifstream file("/etc/hosts");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string word;
    if (!(words >> word)) continue;
    const auto found = Address::ip(word, 0);
    if (!found || found->host() != wanted->host()) continue;
    while (words >> word) {
      DnsRecord record;
      record.type = DnsType::Ptr;
      record.value = word;
      names.push_back(std::move(record));
    }
  }
  return names;
}

void Resolver::reverse(std::string_view address, Done done) {
  const std::string text(address);
  if (simulated_host(*loop_) && Address::ip(text, 0)) return resolve(text, DnsType::Ptr, std::move(done));
  if (auto names = names_in_hosts(text); !names.empty()) {
    if (is_closing()) return;
    outstanding_++;
    finished(std::unique_ptr<Query>(new Query{this, DnsType::Ptr, std::move(done), {ARES_SUCCESS, std::move(names)}}));
    return update();
  }
  char name[80];
  std::uint8_t bytes[16];
  if (inet_pton(AF_INET, text.c_str(), bytes) == 1) {
    std::snprintf(name, sizeof name, "%u.%u.%u.%u.in-addr.arpa", bytes[3], bytes[2], bytes[1], bytes[0]);
  } else if (inet_pton(AF_INET6, text.c_str(), bytes) == 1) {
    char* end = name;
    for (int i = 15; i >= 0; i--) {
      end += std::snprintf(end, 5, "%x.%x.", bytes[i] & 15u, bytes[i] >> 4u);
    }
    std::snprintf(end, 9, "ip6.arpa");
  } else {
    if (is_closing()) return;
    outstanding_++;
    finished(std::unique_ptr<Query>(new Query{this, DnsType::Ptr, std::move(done), {ARES_ENOTIMP, {}}}));
    return update();
  }
  resolve(name, DnsType::Ptr, std::move(done));
}

void Resolver::finished(std::unique_ptr<Query> query) {
  if (outstanding_ > 0) finished_.push_back(std::move(query));  // none counts any more when closing
}

void Resolver::deliver() {
  bool destroyed = false;
  bool* outer = std::exchange(destroyed_, &destroyed);
  Loop& loop = *loop_;
  while (!finished_.empty()) {
    const std::unique_ptr<Query> query = std::move(finished_.front());
    finished_.erase(finished_.begin());
    outstanding_--;
    detail::LoopAccess::observed(loop, HandleKind::Dns, id(), [&] { query->done(query->answer); });
    if (!destroyed) continue;
    if (outer) *outer = true;
    return;
  }
  destroyed_ = outer;
  update();
}

// After anything that may have changed c-ares's mind: deadline, answers that are there, being alive.
void Resolver::update() {
  if (outstanding_ == 0) {
    timeout_.stop();
    return deactivate();
  }
  activate();
  if (!finished_.empty()) delivery_.start(Duration::zero(), [this] { deliver(); });
  timeval time;
  if (channel_ && channel_->handle && ares_timeout(channel_->handle, nullptr, &time)) {
    const Duration delay = std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
    timeout_.start(delay, [this] {
      ares_process_fd(channel_->handle, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
      deliver();
    });
  }
}

void Resolver::cancel() {
  if (!channel_ || !channel_->handle) return;
  ares_cancel(channel_->handle);
  update();
}

// "1.1.1.1", "1.1.1.1:53", "::1", "[::1]", "[::1]:53". The library's own reader takes no IPv6 address without a port.
static bool parse_server(const std::string& text, ares_addr_port_node& server) {
  server = {};
  std::string host = text, port;
  const std::size_t bracket = text.find(']'), colon = text.rfind(':');
  if (!text.empty() && text[0] == '[' && bracket != std::string::npos) {
    host = text.substr(1, bracket - 1);
    if (bracket + 1 < text.size() && text[bracket + 1] == ':') port = text.substr(bracket + 2);
  } else if (colon != std::string::npos && text.find(':') == colon) {
    host = text.substr(0, colon);
    port = text.substr(colon + 1);
  }
  server.udp_port = server.tcp_port = port.empty() ? 0 : std::atoi(port.c_str());
  server.family = inet_pton(AF_INET, host.c_str(), &server.addr) == 1 ? AF_INET : AF_INET6;
  return server.family == AF_INET || inet_pton(AF_INET6, host.c_str(), &server.addr) == 1;
}

int Resolver::set_servers(const std::vector<std::string>& servers) {
  Channel* open = channel();
  if (!open) return ARES_ENOTINITIALIZED;
  std::vector<ares_addr_port_node> list(servers.size());
  for (std::size_t i = 0; i < list.size(); i++) {
    if (!parse_server(servers[i], list[i])) return ARES_EBADSTR;
    if (i > 0) list[i - 1].next = &list[i];
  }
  return ares_set_servers_ports(open->handle, list.empty() ? nullptr : list.data());
}

std::vector<std::string> Resolver::servers() {
  std::vector<std::string> result;
  Channel* open = channel();
  ares_addr_port_node* list = nullptr;
  if (!open || ares_get_servers_ports(open->handle, &list) != ARES_SUCCESS) return result;
  for (const ares_addr_port_node* server = list; server; server = server->next) {
    char text[INET6_ADDRSTRLEN] = {};
    inet_ntop(server->family, &server->addr, text, sizeof text);
    std::string entry = text;
    if (server->udp_port != 0 && server->udp_port != 53) {
      if (server->family == AF_INET6) entry.insert(0, 1, '[').push_back(']');
      entry.append(":").append(std::to_string(server->udp_port));
    }
    result.push_back(std::move(entry));
  }
  ares_free_data(list);
  return result;
}

bool Resolver::set_local_address(const std::string& ipv4, const std::string& ipv6) {
  in_addr four{};
  in6_addr six{};
  if (!ipv4.empty() && inet_pton(AF_INET, ipv4.c_str(), &four) != 1) return false;
  if (!ipv6.empty() && inet_pton(AF_INET6, ipv6.c_str(), &six) != 1) return false;
  Channel* open = channel();
  if (!open) return false;
  open->local4 = four;
  open->local6 = six;
  return true;
}

const char* dns_error_name(int status) {
  static constexpr const char* kNames[] = {
      "",          "ENODATA",   "EFORMERR",  "ESERVFAIL",       "ENOTFOUND",     "ENOTIMP",
      "EREFUSED",  "EBADQUERY", "EBADNAME",  "EBADFAMILY",      "EBADRESP",      "ECONNREFUSED",
      "ETIMEOUT",  "EOF",       "EFILE",     "ENOMEM",          "EDESTRUCTION",  "EBADSTR",
      "EBADFLAGS", "ENONAME",   "EBADHINTS", "ENOTINITIALIZED", "ELOADIPHLPAPI", "EADDRGETNETWORKPARAMS",
      "ECANCELLED"};
  const bool is_known = status >= 0 && status < static_cast<int>(sizeof kNames / sizeof *kNames);
  return is_known ? kNames[status] : "UNKNOWN_ARES_ERROR";
}

}  // namespace rondo
