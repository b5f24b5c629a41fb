// The world itself: clock, descriptors, jobs, faults. Effects of operations on streams and files are in sim_calls.cpp.
#include <algorithm>
#include <cerrno>
#include <cstring>

#include "loop/sim/sim_file_system.h"
#include "loop/sim/sim_files.h"
#include "loop/sim/sim_host.h"
#include "loop/sim/sim_network.h"
#include "loop/sim/sim_poller.h"
#include "rondo/base/unique_fd.h"

namespace rondo {

SeededDecider::SeededDecider(std::uint64_t seed, std::uint32_t faults_in_1024)
    : state_(seed * 0x9e3779b97f4a7c15ull + 0x7f4a7c159e3779b9ull), faults_in_1024_(faults_in_1024) {}

// splitmix64.
std::uint32_t SeededDecider::random(std::uint32_t count) {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return static_cast<std::uint32_t>((z ^ (z >> 31)) >> 32) % count;
}

std::uint32_t SeededDecider::choose(Choice choice, std::uint32_t count) {
  if (choice == Choice::Fault && random(1024) >= faults_in_1024_) return 0;
  return random(count);
}

// A job on a virtual thread: a Nop whose completion runs it.
struct SimWorld::VirtualJob {
  Operation operation;
  SimWorld* world;
  Loop* loop;
  Function<void()> work;
  Function<void()> done;
};

namespace {

constexpr int kFdsOfAWorld = 1 << 16;
// The worlds of this thread, each with a range of descriptors.
thread_local std::vector<SimWorld*> worlds;

SimWorld* world_of(int fd) {
  const auto index = static_cast<std::size_t>((fd - kFirstSimulatedFd) / kFdsOfAWorld);
  return index < worlds.size() ? worlds[index] : nullptr;
}

}  // namespace

SimWorld::SimWorld(Decider& decider, SimLimits limits)
    : decider_(decider),
      limits_(limits),
      files_(std::make_unique<SimFiles>(now_)),
      file_system_(std::make_unique<SimFileSystem>(*this)),
      network_(std::make_unique<SimNetwork>(*this)),
      host_(std::make_unique<SimHost>(*this)) {
  auto place = std::find(worlds.begin(), worlds.end(), nullptr);
  if (place == worlds.end()) place = worlds.insert(place, nullptr);
  *place = this;
  first_fd_ = kFirstSimulatedFd + static_cast<int>(place - worlds.begin()) * kFdsOfAWorld;
  set_simulated_close(close_of_thread);
  set_simulated_sockets([](int fd) -> SimulatedSockets* {
    SimWorld* const world = world_of(fd);
    return world ? world->network_.get() : nullptr;
  });
}

SimWorld::~SimWorld() { *std::find(worlds.begin(), worlds.end(), this) = nullptr; }

void SimWorld::close_of_thread(int fd) {
  if (SimWorld* const world = world_of(fd)) world->close(fd);
}

std::shared_ptr<SimWorld::Object> SimWorld::object(int fd) const {
  const auto found = objects_.find(fd);
  return found == objects_.end() ? nullptr : found->second;
}

void SimWorld::unblock() {
  if (poller_) poller_->unblock();
}

LoopOptions SimWorld::options() {
  LoopOptions options;
  options.clock = this;
  options.decider = &decider_;
  options.make_poller = [](Loop& loop, void* world) -> std::unique_ptr<Poller> {
    return std::make_unique<SimPoller>(loop, *static_cast<SimWorld*>(world));
  };
  options.make_poller_context = this;
  return options;
}

bool SimWorld::skip_to(Nanoseconds deadline) {
  const Nanoseconds target = std::min(deadline, poller_->next_event());
  if (target == kNever) return false;
  if (target > now_) now_ = target;
  now_ += 100 * decider_.choose(Choice::ClockStep, 8);
  return true;
}

std::uint32_t SimWorld::latency() { return 500 * decider_.choose(Choice::Latency, 64); }

int SimWorld::add(std::shared_ptr<Object> object) {
  if (objects_.size() >= limits_.descriptors) return -EMFILE;
  int fd = first_fd_ + 3;
  while (objects_.contains(fd)) fd++;
  objects_[fd] = std::move(object);
  return fd;
}

int SimWorld::listen(const std::string& name) {
  auto object = std::make_shared<Object>();
  object->kind = Object::Kind::Listener;
  object->address = name;
  return add(std::move(object));
}

int SimWorld::socket() { return add(std::make_shared<Object>()); }

std::pair<int, int> SimWorld::stream_pair() {
  auto one = std::make_shared<Object>(), two = std::make_shared<Object>();
  one->peer = two;
  two->peer = one;
  one->is_connected = two->is_connected = true;
  const int first = add(std::move(one));
  return {first, add(std::move(two))};
}

std::pair<int, int> SimWorld::pipe() {
  const auto [reader, writer] = stream_pair();
  for (const int fd : {reader, writer}) {
    if (const auto end = object(fd)) {
      end->is_pipe = true;
      (fd == reader ? end->can_write : end->can_read) = false;
    }
  }
  return {reader, writer};
}

sockaddr_un SimWorld::address(const std::string& name) {
  sockaddr_un result{};
  result.sun_family = AF_UNIX;
  std::strncpy(result.sun_path, name.c_str(), sizeof result.sun_path - 1);
  return result;
}

const std::string* SimWorld::content_of(const std::string& path) const {
  const SimFiles::Place place = files_->find(files_->root(), path, SimFiles::LastLink::Follow);
  return place.error || !place.inode || place.inode->is_folder() ? nullptr : &place.inode->content;
}

void SimWorld::run_job(Loop& loop, Function<void()> work, Function<void()> done) {
  auto job = std::unique_ptr<VirtualJob>(new VirtualJob{{}, this, &loop, std::move(work), std::move(done)});
  job->operation.source = HandleKind::PoolJob;
  job->operation.then(
      [](Operation& operation, const Completion&) {
        const std::unique_ptr<VirtualJob> ended(static_cast<VirtualJob*>(operation.owner));
        std::erase(ended->world->running_, ended.get());
        ended->world->start_jobs();
        ended->work();
        ended->done();
      },
      job.get());
  waiting_jobs_.push_back(std::move(job));
  start_jobs();
}

void SimWorld::start_jobs() {
  while (running_.size() < limits_.pool_threads && !waiting_jobs_.empty()) {
    VirtualJob* job = waiting_jobs_.front().release();
    waiting_jobs_.pop_front();
    running_.push_back(job);
    job->loop->submit(job->operation);
  }
}

// The loop goes: what has not ended never will.
void SimWorld::drop_jobs() {
  waiting_jobs_.clear();
  for (const VirtualJob* job : std::exchange(running_, {})) delete job;
}

void SimWorld::set_host(const std::string& name, std::vector<Address> addresses) {
  host_->hosts[name] = std::move(addresses);
}

void SimWorld::set_program(const std::string& file, Program program) { host_->programs[file] = std::move(program); }

// 0: none. -EINTR: try again. Else the operation ends with it.
int SimWorld::inject_fault(const Operation& operation) {
  if (operation.kind == OpKind::Nop || operation.kind == OpKind::Close || operation.kind == OpKind::Poll) return 0;
  const std::uint32_t fault = decider_.choose(Choice::Fault, 6);
  if (fault == 0) return 0;
  const auto found = objects_.find(operation.fd);
  const bool is_stream = found != objects_.end() && found->second->kind == Object::Kind::Stream;
  const bool writes = operation.kind == OpKind::Write || operation.kind == OpKind::WriteV;
  const bool opens = operation.kind == OpKind::OpenAt || operation.kind == OpKind::Accept;
  faults_++;
  switch (fault) {
    case 1:
      if (!is_stream || !found->second->is_connected || found->second->is_pipe) return -EINTR;
      break_connection(*found->second);
      return -ECONNRESET;
    case 2:
      return -ENOMEM;
    case 3:
      return writes && !is_stream ? -ENOSPC : -EINTR;
    case 4:
      return opens ? -EMFILE : -EINTR;
    default:
      return -EINTR;
  }
}

void SimWorld::break_connection(Object& stream) {
  const auto break_end = [](Object& end) {
    end.is_reset = true;
    end.news++;
    end.inbox.clear();
    end.parcels.clear();
  };
  break_end(stream);
  if (const auto peer = stream.peer.lock()) break_end(*peer);
  unblock();
}

int SimWorld::close(int fd) {
  const auto found = objects_.find(fd);
  if (found == objects_.end()) return -EBADF;
  const std::shared_ptr<Object> object = std::move(found->second);
  objects_.erase(found);
  if (object->socket && object->socket->resets) break_connection(*object);
  if (const auto peer = object->peer.lock()) note(*peer);
  for (const auto& waiting : object->backlog) break_connection(*waiting);
  unblock();  // the peer sees the end: our weak pointer in it expires
  return 0;
}

}  // namespace rondo
