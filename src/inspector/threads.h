// The threads of a process that the inspector knows, and links between two of them: a debugger of the main thread reaches workers
// through it (NodeWorker), and a worker the main thread (Session.connectToMainThread). Each thread has an EventQueue.
//
// Thread: any.
#pragma once

#include "inspector/event_queue.h"

#include <map>
#include <memory>

namespace rondo::inspector {

class Threads {
 public:
  static Threads& get();

  // The main thread's queue, which is there from the first: events wait in it until that thread takes them.
  std::shared_ptr<EventQueue> main_queue() const { return main_; }

  // Thread 0 hears of each thread that comes and goes. Returns whether the thread is to wait for a debugger.
  bool join(uint32_t thread, std::shared_ptr<EventQueue> events, std::string description);
  void leave(uint32_t thread);

  // Whether new workers are to join, and to wait.
  void watch(bool is_watching, bool waits);
  bool is_watching();

  // A link's number, or 0 when there is no such thread. The other end gets LinkOpened.
  uint32_t open(std::shared_ptr<EventQueue> from, uint32_t to);
  // From one end of a link to the other.
  void send(uint32_t link, const EventQueue* from, std::string text);
  void close(uint32_t link, const EventQueue* from);

 private:
  struct Link {
    std::shared_ptr<EventQueue> from;
    std::shared_ptr<EventQueue> to;
    uint32_t thread = 0;  // of `to`
  };

  const std::shared_ptr<EventQueue> main_ = std::make_shared<EventQueue>();
  std::mutex mutex_;
  std::map<uint32_t, std::shared_ptr<EventQueue>> threads_{{0, main_}};
  std::map<uint32_t, Link> links_;
  uint32_t last_link_ = 0;
  bool is_watching_ = false;
  bool waits_ = false;
};

}  // namespace rondo::inspector
