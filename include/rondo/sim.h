// A simulated world for a loop: a virtual clock, a network, files, names, children and pool, and faults. Everything that
// chance decides elsewhere (latencies, which completion comes first, short transfers, failures) is asked of a Decider,
// so a run is a function of its seed. For tests of programs as they are, without a seam of their own, and of the loop itself.
//
//   SeededDecider decider(42);
//   SimWorld world(decider);
//   Loop loop(world.options());
//   TcpServer server(loop);
//   (void)server.bind(Address::loopback4(6379));
//   ... loop.run();
//
// One world serves one loop, on one thread. Descriptors are the world's own numbers, far above the kernel's; handles work on them like
// on sockets and pipes, and pass them on to each other. Every IP address is the world's own: what is bound to one can be connected
// to, anything else is refused. Connections may also fail with ETIMEDOUT; datagrams are lost, doubled and overtake each other; look-ups
// fail with EAI_AGAIN, children with EAGAIN. Options of sockets are taken and have no effect, except SO_REUSEPORT, IPV6_V6ONLY and
// SO_LINGER. Results of operations are the kernel's (O6 in operation.h); but
// there are no permissions, the working folder is "/", and files have no holes: each takes its whole size from the disk. Whole-file requests
// (read, write, copy, list, make folders) run on virtual threads, each as one step; those that the world has no answer for end with -ENOSYS.
// When nothing can ever happen again although the loop waits, the loop is stopped and is_stuck() says so.
#pragma once

#include <sys/uio.h>
#include <sys/un.h>

#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rondo/address.h"
#include "rondo/base/clock.h"
#include "rondo/base/function.h"
#include "rondo/coroutine_type.h"
#include "rondo/decider.h"
#include "rondo/loop.h"
#include "rondo/process.h"

namespace [[gnu::visibility("default")]] rondo {

class SimFiles;
class SimFileSystem;
class SimHost;
class SimNetwork;
class SimWorld;
struct SimInode;
struct SimSocket;

// Answers from a seed. Faults are rare: `faults_in_1024` of the questions get one.
class SeededDecider final : public Decider {
 public:
  explicit SeededDecider(std::uint64_t seed, std::uint32_t faults_in_1024 = 24);
  std::uint32_t choose(Choice choice, std::uint32_t count) override;
  std::uint32_t random(std::uint32_t count);  // for the test's own choices

 private:
  std::uint64_t state_;
  std::uint32_t faults_in_1024_;
};

struct SimLimits {
  std::size_t descriptors = 64;  // EMFILE beyond
  std::size_t disk_bytes = 1 << 20;  // ENOSPC beyond
  std::size_t stream_bytes = 4096;  // a stream's buffer: writers wait when it is full
  std::size_t backlog = 4;
  std::size_t pool_threads = 4;
};

// A child that ChildProcess::spawn started in a world, as the coroutine sees it that plays its program.
class SimChild {
 public:
  Loop& loop() const { return loop_; }
  pid_t pid() const { return pid_; }
  const ProcessOptions& options() const { return options_; }  // what it was started with
  // The child's end of Stdio::pipe() at that number, for a Pipe. Once; those that are not taken close when the child ends.
  UniqueFd take_pipe(std::size_t number);
  // Signals other than SIGKILL and 0 come here; without a function they end the child, as SIGKILL does.
  void on_signal(Function<void(int)> function) { on_signal_ = std::move(function); }

 private:
  friend class SimHost;
  SimChild(Loop& loop, pid_t pid, const ProcessOptions& options) : loop_(loop), pid_(pid), options_(options) {}

  Loop& loop_;
  pid_t pid_;
  ProcessOptions options_;
  std::vector<UniqueFd> pipes_;
  Function<void(int)> on_signal_;
};

class SimWorld final : public Clock {
 public:
  // Plays a program: what it returns is the exit code. A signal destroys it.
  using Program = Function<Coroutine<int>(std::shared_ptr<SimChild>)>;

  explicit SimWorld(Decider& decider, SimLimits limits = {});
  ~SimWorld() override;

  // For the Loop of this world.
  LoopOptions options();

  // For AddressLookup, NameLookup, look_up() and the Resolver (A, AAAA, PTR). Besides these names there are "localhost" and numbers; others
  // end with EAI_NONAME, ENOTFOUND.
  void set_host(const std::string& name, std::vector<Address> addresses);
  // For ChildProcess::spawn, by ProcessOptions::file exactly; others end with ENOENT. run_process() knows no loop and starts real children.
  void set_program(const std::string& file, Program program);

  // Each returns a descriptor, or -EMFILE. Close it with OpKind::Close, or give it to a handle: TcpServer::open takes a
  // listener, Tcp::open and Pipe::open a stream.
  int listen(const std::string& address);
  int socket();
  std::pair<int, int> stream_pair();  // two sockets
  std::pair<int, int> pipe();  // one direction: the end to read from, the end to write to
  // The address that OpKind::Connect takes; Tcp::connect takes Address::unix_socket(name).
  static sockaddr_un address(const std::string& name);

  // A stream's other side in the test's own hands: at once, without loop, faults and short transfers. Bytes, or -errno; -EAGAIN: full, empty.
  long put(int fd, std::string_view bytes);
  long take(int fd, std::span<char> buffer);

  // `work` runs when the job ends on one of the virtual threads, `done` right after it, in poll.
  void run_job(Loop& loop, Function<void()> work, Function<void()> done);

  Nanoseconds now() override { return now_; }
  bool skip_to(Nanoseconds deadline) override;

  // Threads outside of the simulation are going to send something: a loop with nothing else to wait for sleeps until one does, and is not
  // stuck. (Jobs of the process's pool count by themselves.) When they send is no function of the seed.
  void expect_threads(bool expects) { expects_threads_ = expects; }

  bool is_stuck() const { return is_stuck_; }
  std::size_t open_descriptors() const { return objects_.size(); }
  std::size_t faults() const { return faults_; }  // injected so far
  bool is_open(int fd) const { return objects_.contains(fd); }
  const std::string* content_of(const std::string& path) const;  // null: no such file

 private:
  friend class SimFileSystem;
  friend class SimHost;
  friend class SimNetwork;
  friend class SimPoller;
  struct Object;
  struct Parcel {
    std::size_t at;
    std::shared_ptr<Object> object;
  };
  struct Object {
    enum class Kind : std::uint8_t { Listener, Stream, File, Datagrams } kind = Kind::Stream;
    std::string address;  // listener
    std::deque<std::shared_ptr<Object>> backlog;  // listener
    bool is_pipe = false;
    bool can_read = true, can_write = true;  // a pipe's ends and files
    std::uint64_t news = 0;  // counts what makes it ready: repeated polls tell each once
    std::string inbox;  // stream
    std::deque<Parcel> parcels;  // descriptors on their way, each with a byte of the inbox
    std::weak_ptr<Object> peer;
    bool is_connected = false;
    bool is_reset = false;
    bool has_finished = false;  // sends no more
    bool is_deaf = false;  // receives no more
    std::string connecting_to;  // a connection asked for by begin_connect
    int connect_error = 0;
    std::shared_ptr<SimSocket> socket;  // of one that has ports, or none
    std::shared_ptr<SimInode> inode;  // file
    std::size_t position = 0;
    bool appends = false;
  };
  struct VirtualJob;

  // One try of an operation: >= 0, -errno, or -EAGAIN when it has to wait for something.
  int perform(const Operation& operation);
  int inject_fault(const Operation& operation);
  int accept(Object& listener);
  int connect(const std::shared_ptr<Object>& stream, const std::string& name);
  int go_on_connecting(const std::shared_ptr<Object>& stream);
  int give(Object& stream, const std::vector<iovec>& parts, const std::shared_ptr<Object>& parcel = nullptr);
  int give_message(Object& stream, const msghdr& message);
  void deliver_parcel(Object& stream, msghdr* message);
  std::shared_ptr<Object> object(int fd) const;
  void unblock();
  int receive(Object& stream, const Operation& operation);
  int send(Object& stream, const Operation& operation);
  int poll(const Object& object, std::uint32_t events) const;
  int on_stream(const std::shared_ptr<Object>& object, const Operation& operation);
  int on_file(Object& file, const Operation& operation);
  int read_file(Object& file, const Operation& operation);
  int write_file(Object& file, const Operation& operation);
  int allocate(Object& file, const Operation& operation);
  int resize(Object& file, std::uint64_t size);
  int open(const Operation& operation);
  int on_path(const Operation& operation);
  int describe(const Operation& operation);
  int link(const Operation& operation);
  int read_whole_file(const Operation& operation);
  int folder_at(int fd, const char* path, std::shared_ptr<SimInode>& folder) const;
  std::uint32_t transfer_size(std::size_t most);
  void note(Object& object);
  int close(int fd);
  static void close_of_thread(int fd);
  int add(std::shared_ptr<Object> object);
  void break_connection(Object& stream);
  void start_jobs();
  void drop_jobs();
  std::uint32_t latency();

  Decider& decider_;
  SimLimits limits_;
  int first_fd_;
  Nanoseconds now_ = 1'000'000;
  class SimPoller* poller_ = nullptr;
  std::unique_ptr<SimFiles> files_;  // outlives what is open
  std::unique_ptr<SimFileSystem> file_system_;  // the same files, for requests on virtual threads
  std::unique_ptr<SimNetwork> network_;  // ports and datagrams
  std::unique_ptr<SimHost> host_;  // names and children
  std::map<int, std::shared_ptr<Object>> objects_;
  std::deque<std::unique_ptr<VirtualJob>> waiting_jobs_;
  std::vector<VirtualJob*> running_;
  std::string scratch_;
  std::size_t faults_ = 0;
  bool expects_threads_ = false;
  bool is_stuck_ = false;
};

}  // namespace rondo
