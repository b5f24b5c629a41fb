// The random program's streams and files. Every connection has a reader and a writer of its own at the same time, and is closed
// when both have ended, as the rules of operation.h ask.
#include <fcntl.h>

#include <cstring>

#include "loop/sim/workload_parts.h"

namespace rondo {

struct Workload::Connection {
  Connection(Workload& owner, int descriptor, bool is_serving)
      : workload(owner), fd(descriptor), is_server(is_serving), patience(owner.loop_) {}

  Workload& workload;
  int fd;
  bool is_server;
  Timer patience;  // of a client whose server is out of descriptors, which the clients hold
  sockaddr_un address{};
  std::string outgoing;  // client: its message; server: what is to be echoed
  std::size_t sent = 0;
  std::string received;
  char buffer[64];
  Op* reading = nullptr;
  Op* writing = nullptr;
  bool is_ending = false;

  ~Connection() {
    if (!is_server) workload.client_ended();
  }

  void read() {
    const bool is_multishot = workload.random(2) == 0;
    const bool into_ours = !is_multishot && workload.random(2) == 0;
    reading = workload.submit(
        [&](Operation& op) {
          if (into_ours)
            op.recv(fd, buffer, sizeof buffer);
          else
            op.recv(fd);
          if (is_multishot) op.repeatedly();
        },
        [this, into_ours](int result, const Completion& completion) {
          if (!completion.more) reading = nullptr;
          if (result > 0) {
            const char* data = into_ours ? buffer : reinterpret_cast<const char*>(completion.data);
            take(data, static_cast<std::size_t>(result));
          }
          if (result <= 0 || is_complete()) return end();
          if (!is_ending && !completion.more) read();
          maybe_gone();
        });
  }

  bool is_complete() const { return !is_server && received.size() == outgoing.size(); }

  void take(const char* data, std::size_t size) {
    if (is_server) {
      outgoing.append(data, size);
      if (!writing && !is_ending) write();
      return;
    }
    received.append(data, size);
    if (outgoing.compare(0, received.size(), received) != 0) workload.breach("an echo differs from its message");
  }

  void write() {
    if (sent == outgoing.size()) return;
    // A copy: `outgoing` of a server grows, and moves, meanwhile.
    auto piece = std::make_shared<std::string>(outgoing.substr(sent, 1 + workload.random(500)));
    writing = workload.submit(
        [&](Operation& op) {
          if (workload.random(2))
            op.send(fd, piece->data(), static_cast<std::uint32_t>(piece->size()));
          else
            op.write(fd, piece->data(), static_cast<std::uint32_t>(piece->size())).as_stream();
        },
        [this, piece](int result, const Completion&) {
          writing = nullptr;
          if (result < 0) return end();
          sent += static_cast<std::size_t>(result);
          if (!is_ending) write();
          maybe_gone();
        });
  }

  void end() {
    is_ending = true;
    if (reading) workload.loop_.cancel(reading->operation);
    if (writing) workload.loop_.cancel(writing->operation);
    maybe_gone();
  }

  void maybe_gone() {
    if (!is_ending || reading || writing) return;
    workload.close_descriptor(fd);
    delete this;
  }
};

void Workload::close_descriptor(int fd) {
  submit([&](Operation& op) { op.close(fd); },
         [this, fd](int result, const Completion&) {
           if (result == -ECANCELED) return close_descriptor(fd);  // chance cancelled it: again
           if (result != 0) breach("close failed");
         });
}

void Workload::start_server() {
  if (listener_ >= 0) return;
  listener_ = world_.listen("echo");
  if (listener_ >= 0) accept_again();
}

void Workload::accept_again() {
  const bool is_multishot = random(2) == 0;
  accepting_ = submit(
      [&](Operation& op) {
        op.accept(listener_);
        if (is_multishot) op.repeatedly();
      },
      [this](int result, const Completion& completion) {
        if (!completion.more) accepting_ = nullptr;
        if (result >= 0) {
          auto* connection = new Connection(*this, result, true);
          connection->read();
        }
        if (accepting_) return;
        if (is_winding_down_ && clients_ == 0) return stop_server();
        // Out of descriptors or memory: wait a little, neither spin nor drop the listener.
        if (result < 0) return accept_retry_.start(Duration(5000), [this] { accept_again(); });
        accept_again();
      });
}

void Workload::stop_server() {
  if (listener_ < 0) return;
  accept_retry_.stop();
  if (accepting_) return loop_.cancel(accepting_->operation);  // its completion comes back here
  close_descriptor(std::exchange(listener_, -1));
}

void Workload::client_ended() {
  clients_--;
  if (clients_ == 0 && is_winding_down_) stop_server();
}

void Workload::start_client() {
  start_server();
  if (listener_ < 0) return;
  const int fd = world_.socket();
  if (fd < 0) return;
  clients_++;
  auto* client = new Connection(*this, fd, false);
  client->address = SimWorld::address("echo");
  client->patience.start(std::chrono::milliseconds(1 + random(20)), [client] { client->end(); });
  client->outgoing.resize(1 + random(1500));
  for (char& byte : client->outgoing) byte = static_cast<char>(random(256));
  client->writing = submit(
      [&](Operation& op) {
        op.connect(fd, reinterpret_cast<const sockaddr*>(&client->address), sizeof client->address);
      },
      [client](int result, const Completion&) {
        client->writing = nullptr;
        // Its patience may have ended meanwhile, and nothing else would end it then.
        if (result < 0 || client->is_ending) return client->end();
        client->read();
        client->write();
      });
}

// open, write all, read all, compare, close, perhaps remove.
struct Workload::FileTask {
  FileTask(Workload& owner, std::string name) : workload(owner), path(std::move(name)) {}

  Workload& workload;
  std::string path;
  std::string content;
  std::string seen;
  int fd = -1;
  char buffer[200];

  void open() {
    workload.submit([&](Operation& op) { op.openat(AT_FDCWD, path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600); },
                    [this](int result, const Completion&) {
                      if (result < 0) return finish();
                      fd = result;
                      write(0);
                    });
  }
  void write(std::size_t at) {
    if (at == content.size()) return sync();
    workload.submit(
        [&](Operation& op) {
          op.write(fd, content.data() + at, static_cast<std::uint32_t>(content.size() - at),
                   static_cast<std::int64_t>(at));
        },
        [this, at](int result, const Completion&) {
          if (result < 0) return finish();
          write(at + static_cast<std::size_t>(result));
        });
  }
  void sync() {
    workload.submit([&](Operation& op) { op.fsync(fd); },
                    [this](int result, const Completion&) {
                      if (result < 0) return finish();
                      read();
                    });
  }
  void read() {
    workload.submit([&](Operation& op) { op.read(fd, buffer, sizeof buffer, static_cast<std::int64_t>(seen.size())); },
                    [this](int result, const Completion&) {
                      if (result < 0) return finish();
                      if (result == 0) {
                        if (seen != content) workload.breach("a file holds something else than was written");
                        return finish();
                      }
                      seen.append(buffer, static_cast<std::size_t>(result));
                      read();
                    });
  }
  void finish() {
    if (fd >= 0) workload.close_descriptor(fd);
    if (workload.random(2)) return remove();
    delete this;
  }
  void remove() {
    workload.submit([&](Operation& op) { op.unlinkat(AT_FDCWD, path.c_str()); },
                    [this](int, const Completion&) { delete this; });
  }
};

void Workload::start_file() {
  auto* task = new FileTask(*this, "/file" + std::to_string(submitted_));
  task->content.resize(random(1200));
  for (char& byte : task->content) byte = static_cast<char>(random(256));
  task->open();
}

}  // namespace rondo
