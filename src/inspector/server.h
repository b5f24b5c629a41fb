// The inspector's server: HTTP for the list of targets, WebSockets for the protocol's messages, on a thread of its own, so that a program
// that is stopped or busy is still found and its debugger may come and go. It understands no message: it hands text to an EventQueue
// and sends text.
//
// Owner: the runtime that listens. send(), close() and the queries may be called by any thread.
#pragma once

#include "inspector/event_queue.h"

#include "rondo/base/result.h"
#include "rondo/base/unique_fd.h"

#include <map>
#include <memory>
#include <thread>
#include <vector>

namespace rondo::inspector {

struct Target {
  std::string id;  // the path of its WebSocket
  std::string title;
  std::string url;
};

struct ServerOptions {
  std::string host;  // an address or a name
  uint16_t port = 0;  // 0: any free one
  Target target;
  std::string version;  // the text of /json/version
  std::string protocol;  // the text of /json/protocol
};

class Server {
 public:
  static Result<std::unique_ptr<Server>> start(ServerOptions options, std::shared_ptr<EventQueue> events);
  // Ends all connections.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  uint16_t port() const { return port_; }
  const std::string& host() const { return options_.host; }
  void send(uint32_t connection, std::string text);
  // Messages already sent go out first.
  void close(uint32_t connection);
  // Waits until everything sent so far is with the kernel, or half a second has gone.
  void flush();

 private:
  struct Connection;

  Server(ServerOptions options, std::shared_ptr<EventQueue> events);
  Result<void> listen();
  void run();
  void wake() const;
  void accept_connections();
  void take_orders();
  void read_from(Connection& connection);
  void read_frames(Connection& connection);
  void answer(Connection& connection, std::string_view head);
  void upgrade(Connection& connection, std::string_view key);
  std::string target_list(std::string_view host) const;
  void write_to(Connection& connection);
  void remove_ended();

  struct Order {
    uint32_t connection = 0;
    std::string text;
    bool closes = false;
  };

  const ServerOptions options_;
  const std::shared_ptr<EventQueue> events_;
  uint16_t port_ = 0;
  UniqueFd listener_;
  UniqueFd wake_;
  std::map<uint32_t, std::unique_ptr<Connection>> connections_;  // the server's thread alone
  uint32_t last_connection_ = 0;

  std::mutex mutex_;
  std::condition_variable flushed_;
  std::vector<Order> orders_;
  bool has_output_ = false;
  bool is_ending_ = false;
  std::thread thread_;
};

}  // namespace rondo::inspector
