// See server.h.
#include "inspector/server.h"

#include "inspector/http_head.h"
#include "inspector/websocket.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstring>

namespace rondo::inspector {

namespace {

constexpr size_t kLargestHead = 16 * 1024;
constexpr size_t kReadSize = 64 * 1024;
constexpr size_t kMostConnections = 64;
constexpr auto kFlushTime = std::chrono::milliseconds(500);
constexpr std::string_view kNotWebSocket = "WebSockets request was expected\r\n";

std::string response(std::string_view status, std::string_view type, std::string_view body) {
  return "HTTP/1.0 " + std::string(status) + "\r\nContent-Type: " + std::string(type) +
         "; charset=UTF-8\r\nCache-Control: no-cache\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         std::string(body);
}

std::string json_string(std::string_view text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) < 0x20) continue;
    quoted += c;
  }
  return quoted + "\"";
}

struct AddressList {
  addrinfo* first = nullptr;
  ~AddressList() {
    if (first) freeaddrinfo(first);
  }
};

Result<uint16_t> port_of(int fd) {
  sockaddr_storage address;
  socklen_t size = sizeof address;
  if (getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) return last_failure("getsockname");
  return ntohs(address.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6*>(&address)->sin6_port
                                             : reinterpret_cast<sockaddr_in*>(&address)->sin_port);
}

}  // namespace

struct Server::Connection {
  uint32_t number = 0;
  UniqueFd fd;
  std::string input;  // of a request
  std::string output;
  FrameReader frames;
  bool is_websocket = false;
  bool closes = false;  // when its output is out
  bool has_ended = false;
};

Server::Server(ServerOptions options, std::shared_ptr<EventQueue> events)
    : options_(std::move(options)), events_(std::move(events)), wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

Result<std::unique_ptr<Server>> Server::start(ServerOptions options, std::shared_ptr<EventQueue> events) {
  std::unique_ptr<Server> server(new Server(std::move(options), std::move(events)));
  if (auto listening = server->listen(); !listening) return std::unexpected(listening.error());
  // Signals are the program's.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  server->thread_ = std::thread([raw = server.get()] { raw->run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return server;
}

Server::~Server() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  wake();
  if (thread_.joinable()) thread_.join();
}

Result<void> Server::listen() {
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICSERV;
  hints.ai_socktype = SOCK_STREAM;
  AddressList addresses;
  if (getaddrinfo(options_.host.c_str(), std::to_string(options_.port).c_str(), &hints, &addresses.first) != 0)
    return failure(EADDRNOTAVAIL, "getaddrinfo");
  Error last{EADDRNOTAVAIL, "bind"};
  for (auto* address = addresses.first; address; address = address->ai_next) {
    UniqueFd fd(socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const int on = 1;
    if (fd.get() < 0) continue;
    setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(fd.get(), address->ai_addr, address->ai_addrlen) != 0 || ::listen(fd.get(), SOMAXCONN) != 0) {
      last = {errno, "bind"};
      continue;
    }
    auto port = port_of(fd.get());
    if (!port) return std::unexpected(port.error());
    port_ = *port;
    listener_ = std::move(fd);
    return {};
  }
  return std::unexpected(last);
}

void Server::wake() const {
  const uint64_t one = 1;
  [[maybe_unused]] auto written = ::write(wake_.get(), &one, sizeof one);
}

void Server::send(uint32_t connection, std::string text) {
  {
    const std::lock_guard lock(mutex_);
    orders_.push_back({connection, std::move(text), false});
    has_output_ = true;
  }
  wake();
}

void Server::close(uint32_t connection) {
  {
    const std::lock_guard lock(mutex_);
    orders_.push_back({connection, {}, true});
  }
  wake();
}

void Server::flush() {
  std::unique_lock lock(mutex_);
  flushed_.wait_for(lock, kFlushTime, [this] { return !has_output_; });
}

void Server::take_orders() {
  uint64_t count = 0;
  [[maybe_unused]] auto read_bytes = ::read(wake_.get(), &count, sizeof count);
  std::vector<Order> orders;
  {
    const std::lock_guard lock(mutex_);
    orders.swap(orders_);
  }
  for (auto& order : orders) {
    const auto found = connections_.find(order.connection);
    if (found == connections_.end()) continue;
    auto& connection = *found->second;
    if (order.closes) {
      connection.output += close_frame(1000);
      connection.closes = true;
    } else {
      connection.output += frame(Opcode::Text, order.text);
    }
  }
}

void Server::run() {
  std::vector<pollfd> polled;
  for (;;) {
    take_orders();
    bool is_all_out = true;
    for (auto& [number, connection] : connections_) {
      if (!connection->has_ended && !connection->output.empty()) write_to(*connection);
      if (connection->closes && connection->output.empty()) connection->has_ended = true;
      is_all_out = is_all_out && (connection->has_ended || connection->output.empty());
    }
    remove_ended();
    {
      const std::lock_guard lock(mutex_);
      if (is_all_out && orders_.empty()) {
        has_output_ = false;
        flushed_.notify_all();
      }
      if (is_ending_ && orders_.empty()) return;
    }
    const bool has_room = connections_.size() < kMostConnections;  // others wait in the kernel's queue
    polled.assign({{wake_.get(), POLLIN, 0}, {listener_.get(), static_cast<short>(has_room ? POLLIN : 0), 0}});
    std::vector<Connection*> order;
    for (auto& [number, connection] : connections_) {
      polled.push_back(
          {connection->fd.get(), static_cast<short>(connection->output.empty() ? POLLIN : POLLIN | POLLOUT), 0});
      order.push_back(connection.get());
    }
    if (::poll(polled.data(), polled.size(), -1) < 0 && errno != EINTR) return;
    if (polled[1].revents) accept_connections();
    for (size_t i = 0; i < order.size(); i++) {
      if (polled[i + 2].revents & ~POLLOUT) read_from(*order[i]);
    }
  }
}

void Server::accept_connections() {
  while (connections_.size() < kMostConnections) {
    UniqueFd fd(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (fd.get() < 0) return;
    const int on = 1;
    setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    auto connection = std::make_unique<Connection>();
    connection->number = ++last_connection_;
    connection->fd = std::move(fd);
    connections_.emplace(connection->number, std::move(connection));
  }
}

void Server::read_from(Connection& connection) {
  char bytes[kReadSize];
  const auto size = ::read(connection.fd.get(), bytes, sizeof bytes);
  if (size < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (size <= 0) {
    connection.has_ended = true;
    return;
  }
  const std::string_view read(bytes, static_cast<size_t>(size));
  if (connection.is_websocket) {
    connection.frames.add(read);
    return read_frames(connection);
  }
  if (connection.closes) return;
  connection.input += read;
  const auto end = connection.input.find("\r\n\r\n");
  if (end == std::string::npos) {
    if (connection.input.size() > kLargestHead) connection.has_ended = true;
    return;
  }
  const std::string input = std::move(connection.input);
  connection.input.clear();
  answer(connection, std::string_view(input).substr(0, end));
  if (!connection.is_websocket) return;
  connection.frames.add(std::string_view(input).substr(end + 4));
  read_frames(connection);
}

void Server::read_frames(Connection& connection) {
  for (;;) {
    switch (connection.frames.next()) {
      case FrameReader::Status::NeedsMore:
        return;
      case FrameReader::Status::Message:
        events_->push({Event::Kind::Message, connection.number, std::move(connection.frames.text())});
        break;
      case FrameReader::Status::Ping:
        connection.output += frame(Opcode::Pong, connection.frames.text());
        break;
      case FrameReader::Status::Close:
        connection.output += frame(Opcode::Close, connection.frames.text());
        connection.closes = true;
        return;
      case FrameReader::Status::Broken:
        connection.output += close_frame(connection.frames.close_code());
        connection.closes = true;
        return;
    }
  }
}

std::string Server::target_list(std::string_view host) const {
  const auto& target = options_.target;
  const auto address = (host.empty() ? "127.0.0.1:" + std::to_string(port_) : std::string(host)) + "/" + target.id;
  const std::string front_end = "devtools://devtools/bundled/";
  auto line = [](const char* name, const std::string& value) {
    return "  \"" + std::string(name) + "\": " + json_string(value) + ",\n";
  };
  std::string text = "[ {\n" + line("description", "node.js instance");
  text += line("devtoolsFrontendUrl", front_end + "js_app.html?experiments=true&v8only=true&ws=" + address);
  text += line("devtoolsFrontendUrlCompat", front_end + "inspector.html?experiments=true&v8only=true&ws=" + address);
  text += line("faviconUrl", "https://nodejs.org/static/images/favicons/favicon.ico");
  text += line("id", target.id) + line("title", target.title) + line("type", "node") + line("url", target.url);
  return text + "  \"webSocketDebuggerUrl\": " + json_string("ws://" + address) + "\n} ]\n\n";
}

void Server::answer(Connection& connection, std::string_view text) {
  const auto head = parse_head(text);
  constexpr std::string_view kJson = "application/json";
  connection.closes = true;
  if (!head || !is_allowed_host(head->field("host"))) {
    connection.output += response("400 Bad Request", "text/html", kNotWebSocket);
    return;
  }
  if (head->is_upgrade()) {
    const auto key = head->field("sec-websocket-key");
    const bool is_target = head->path == "/" + options_.target.id;
    if (head->method == "GET" && is_target && !key.empty() && is_allowed_origin(head->field("origin")))
      return upgrade(connection, key);
  } else if (head->method == "GET") {
    const auto path = head->path.substr(0, head->path.find('?'));
    if (path == "/json" || path == "/json/list") {
      connection.output += response("200 OK", kJson, target_list(head->field("host")));
      return;
    }
    if (path == "/json/version" || path == "/json/protocol") {
      connection.output += response("200 OK", kJson, path == "/json/version" ? options_.version : options_.protocol);
      return;
    }
  }
  connection.output += response("400 Bad Request", "text/html", kNotWebSocket);
}

void Server::upgrade(Connection& connection, std::string_view key) {
  connection.output +=
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " +
      accept_key(key) + "\r\n\r\n";
  connection.is_websocket = true;
  connection.closes = false;
  events_->push({Event::Kind::Connect, connection.number, {}});
}

void Server::write_to(Connection& connection) {
  while (!connection.output.empty()) {
    const auto written = ::send(connection.fd.get(), connection.output.data(), connection.output.size(), MSG_NOSIGNAL);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      if (errno != EAGAIN) connection.has_ended = true;
      return;
    }
    connection.output.erase(0, static_cast<size_t>(written));
  }
}

void Server::remove_ended() {
  std::erase_if(connections_, [this](const auto& entry) {
    const auto& connection = *entry.second;
    if (connection.has_ended && connection.is_websocket)
      events_->push({Event::Kind::Disconnect, connection.number, {}});
    return connection.has_ended;
  });
}

}  // namespace rondo::inspector
