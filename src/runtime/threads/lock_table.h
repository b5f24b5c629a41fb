// The named locks of a process (https://w3c.github.io/web-locks/): who holds which, who waits. A client is a runtime; what it must hear
// is left with it, and it is woken.
//
//  K1  Requests of one name are granted in their order; several shared ones hold it together, an exclusive one alone.
//  K2  A client that leaves gives back all it holds and waits for nothing any more.
//
// Thread: any.
#pragma once

#include "rondo/async.h"

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace rondo::runtime {

enum class LockMode : uint8_t { Exclusive, Shared };
enum class LockNews : uint8_t { Granted, NotAvailable, Stolen };

class LockClient {
 public:
  struct News {
    uint32_t request;
    LockNews what;
  };
  LockClient(Async& wake, std::string id) : id(std::move(id)), wake_(wake) {}
  std::vector<News> take();
  bool has_news();
  const std::string id;

 private:
  friend class LockTable;
  void tell(uint32_t request, LockNews what);

  std::mutex mutex_;
  std::vector<News> news_;
  Async& wake_;
};

class LockTable {
 public:
  static LockTable& get();

  struct Request {
    std::u16string name;
    LockMode mode;
    LockClient* client;
    uint32_t id;  // the client's own number for it
  };
  enum class Urgency : uint8_t { Wait, IfAvailable, Steal };
  void request(Request request, Urgency urgency);
  // Gives back what is held, or takes back what waits.
  void drop(const std::u16string& name, LockClient& client, uint32_t id);
  void leave(LockClient& client);

  // Calls read(held, waiting) for each name.
  template <class Read>
  void read(Read read) {
    const std::lock_guard lock(mutex_);
    for (const auto& [name, entry] : entries_) read(entry.held, entry.waiting);
  }

 private:
  struct Entry {
    std::vector<Request> held;
    std::deque<Request> waiting;
  };
  static bool can_grant(const Entry& entry, LockMode mode);
  static void grant_next(Entry& entry);
  void tidy(const std::u16string& name);

  std::mutex mutex_;
  std::unordered_map<std::u16string, Entry> entries_;
};

}  // namespace rondo::runtime
