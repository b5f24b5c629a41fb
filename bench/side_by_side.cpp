// Servers compared side by side: all are up, each has CONNECTIONS connections, and they are loaded in turn for a tenth of a second, in an
// order shuffled anew in each round. What counts is the server's CPU time for each message, as the ratio to the others in the same round:
// slow changes of a shared machine touch all of them alike. The memory of a connection is what the server's resident set grew by while
// CONNECTIONS of them were opened, before the first message. The servers are those of the benchmark kit, loop_bench and asio_echo.
//
//   side_by_side http 64 60 rondo="build/release/loop_bench http" epoll="…/epoll http" uring="…/uring http"
//   side_by_side 64 1 60 rondo="RONDO_POLLER=epoll build/release/loop_bench echo" …      echoes of 64 bytes
//
// A server is a shell command that prints "LISTEN <port>". Pin both sides with taskset for steadier figures.
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr auto kSlice = std::chrono::milliseconds(100);
constexpr int kStallMilliseconds = 5000;

[[noreturn]] void die(const std::string& what) {
  std::fprintf(stderr, "side_by_side: %s\n", what.c_str());
  std::exit(1);
}

struct Connection {
  int fd;
  std::size_t received = 0;
};

struct Server {
  std::string name;
  pid_t pid = -1;
  int epoll = -1;
  std::size_t answer_bytes = 0;
  std::vector<Connection> connections;
  double connection_bytes = 0;
  std::vector<double> microseconds;  // of CPU for each message, one a round
};

// `exec`, so that the process we measure is the server and no shell.
int start(Server& server, const std::string& command) {
  int output[2];
  if (pipe(output) < 0) die("no pipe");
  server.pid = fork();
  if (server.pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // however we end
    dup2(output[1], STDOUT_FILENO);
    close(output[0]);
    execl("/bin/sh", "sh", "-c", ("exec env " + command).c_str(), nullptr);
    _exit(127);
  }
  close(output[1]);
  std::string text;
  char byte;
  while (read(output[0], &byte, 1) == 1 && byte != '\n') text += byte;
  int port = 0;
  if (std::sscanf(text.c_str(), "LISTEN %d", &port) != 1) die(server.name + " does not say where it listens");
  return port;  // the pipe stays open: a server must not find it closed
}

int connect_to(int port) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) < 0) die(std::strerror(errno));
  const int one = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  return fd;
}

void ask(const Connection& connection, const std::string& request) {
  if (send(connection.fd, request.data(), request.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(request.size()))
    die("a server is gone");
}

void open_connections(Server& server, int port, int count) {
  server.epoll = epoll_create1(EPOLL_CLOEXEC);
  for (int i = 0; i < count; i++) {
    server.connections.push_back({connect_to(port)});
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u32 = static_cast<std::uint32_t>(i);
    epoll_ctl(server.epoll, EPOLL_CTL_ADD, server.connections.back().fd, &event);
  }
}

// How long an answer is: what has come when a moment passes without more.
std::size_t measure_answer(const Server& server, const std::string& request) {
  ask(server.connections[0], request);
  char buffer[65536];
  std::size_t size = 0;
  epoll_event event;
  while (epoll_wait(server.epoll, &event, 1, size == 0 ? kStallMilliseconds : 100) == 1) {
    const ssize_t got = recv(server.connections[0].fd, buffer, sizeof buffer, 0);
    if (got <= 0) die(server.name + " hung up");
    size += static_cast<std::size_t>(got);
  }
  if (size == 0) die(server.name + " does not answer");
  return size;
}

// Of the main thread: these servers have one.
double cpu_microseconds(pid_t pid) {
  const std::string path = "/proc/" + std::to_string(pid) + "/schedstat";
  std::FILE* file = std::fopen(path.c_str(), "r");
  double nanoseconds = 0;
  if (!file || std::fscanf(file, "%lf", &nanoseconds) != 1) die("no " + path);
  std::fclose(file);
  return nanoseconds / 1000;
}

double resident_bytes(pid_t pid) {
  const std::string path = "/proc/" + std::to_string(pid) + "/statm";
  std::FILE* file = std::fopen(path.c_str(), "r");
  double pages = 0;
  if (!file || std::fscanf(file, "%*f %lf", &pages) != 1) die("no " + path);
  std::fclose(file);
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

// The resident set while `count` connections are open and silent; it is read until it has stopped growing.
double memory_of_connections(Server& server, int port, int count) {
  const double before = resident_bytes(server.pid);
  open_connections(server, port, count);
  double now = resident_bytes(server.pid), last = -1;
  while (now != last) {
    last = now;
    usleep(200'000);
    now = resident_bytes(server.pid);
  }
  return (now - before) / count;
}

// Every connection asks, and asks again when it has its answer, until the time is over and all have theirs. CPU for each message.
double load(Server& server, const std::string& request) {
  static char buffer[65536];
  const double before = cpu_microseconds(server.pid);
  const auto end = std::chrono::steady_clock::now() + kSlice;
  for (const Connection& connection : server.connections) ask(connection, request);
  std::size_t waiting = server.connections.size();
  long messages = 0;
  epoll_event events[64];
  while (waiting > 0) {
    const int count = epoll_wait(server.epoll, events, 64, kStallMilliseconds);
    if (count <= 0) die(server.name + " has stopped answering");
    const bool is_over = std::chrono::steady_clock::now() >= end;
    for (int i = 0; i < count; i++) {
      Connection& connection = server.connections[events[i].data.u32];
      const ssize_t got = recv(connection.fd, buffer, sizeof buffer, 0);
      if (got <= 0) die(server.name + " hung up");
      connection.received += static_cast<std::size_t>(got);
      if (connection.received < server.answer_bytes) continue;
      connection.received = 0;
      messages++;
      if (is_over) {
        waiting--;
      } else {
        ask(connection, request);
      }
    }
  }
  usleep(2000);  // the server goes to sleep, and its time is accounted for
  return (cpu_microseconds(server.pid) - before) / static_cast<double>(messages);
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void report(const std::vector<Server>& servers) {
  for (const Server& server : servers) {
    std::printf("%-10s %7.2f us a message, %5.0f bytes a connection; messages a CPU second to", server.name.c_str(),
                median(server.microseconds), server.connection_bytes);
    for (const Server& other : servers) {
      if (&other == &server) continue;
      std::vector<double> ratios;
      for (std::size_t i = 0; i < server.microseconds.size(); i++)
        ratios.push_back(other.microseconds[i] / server.microseconds[i]);
      std::printf("  %s %.3f", other.name.c_str(), median(ratios));
    }
    std::printf("\n");
  }
}

// For ten thousand connections to each of several servers, which inherit it.
void raise_descriptor_limit() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

int main(int argc, char** argv) {
  const int connections = argc > 4 ? std::atoi(argv[2]) : 0;
  const int rounds = argc > 4 ? std::atoi(argv[3]) : 0;
  const bool is_http = argc > 1 && std::strcmp(argv[1], "http") == 0;
  const int bytes = argc > 1 ? std::atoi(argv[1]) : 0;
  if (connections < 1 || rounds < 1 || (!is_http && bytes < 1)) {
    std::fprintf(stderr, "usage: side_by_side http|BYTES CONNECTIONS ROUNDS NAME=COMMAND...\n");
    return 2;
  }
  raise_descriptor_limit();
  const std::string request =
      is_http ? "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" : std::string(static_cast<std::size_t>(bytes), 'x');
  std::vector<Server> servers;
  for (int i = 4; i < argc; i++) {
    const std::string argument = argv[i];
    const std::size_t equals = argument.find('=');
    if (equals == std::string::npos) die(argument + " is not NAME=COMMAND");
    Server server;
    server.name = argument.substr(0, equals);
    const int port = start(server, argument.substr(equals + 1));
    server.connection_bytes = memory_of_connections(server, port, connections);
    server.answer_bytes = measure_answer(server, request);
    servers.push_back(std::move(server));
  }
  for (Server& server : servers) load(server, request);  // warm
  std::vector<std::size_t> order(servers.size());
  std::iota(order.begin(), order.end(), 0);
  std::mt19937 random(1);
  for (int round = 0; round < rounds; round++) {
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t i : order) servers[i].microseconds.push_back(load(servers[i], request));
  }
  report(servers);
  for (const Server& server : servers) {
    kill(server.pid, SIGTERM);
    waitpid(server.pid, nullptr, 0);
  }
}
