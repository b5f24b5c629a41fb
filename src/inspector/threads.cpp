// See threads.h.
#include "inspector/threads.h"

#include <vector>

namespace rondo::inspector {

using Kind = Event::Kind;

Threads& Threads::get() {
  static Threads* const threads = new Threads;  // threads may outlive the end of main()
  return *threads;
}

bool Threads::join(uint32_t thread, std::shared_ptr<EventQueue> events, std::string description) {
  const std::lock_guard lock(mutex_);
  if (thread == 0) return false;
  threads_[thread] = std::move(events);
  main_->push({Kind::ThreadStarted, thread, std::move(description)});
  return waits_;
}

void Threads::leave(uint32_t thread) {
  const std::lock_guard lock(mutex_);
  const auto found = threads_.find(thread);
  if (thread == 0 || found == threads_.end()) return;
  for (auto link = links_.begin(); link != links_.end();) {
    const bool is_to = link->second.thread == thread, is_from = link->second.from == found->second;
    if (is_to) link->second.from->push({Kind::LinkClosed, link->first, {}});
    if (is_from) link->second.to->push({Kind::LinkClosed, link->first, {}});
    link = is_to || is_from ? links_.erase(link) : std::next(link);
  }
  threads_.erase(found);
  main_->push({Kind::ThreadEnded, thread, {}});
}

void Threads::watch(bool is_watching, bool waits) {
  const std::lock_guard lock(mutex_);
  is_watching_ = is_watching;
  waits_ = waits;
}

bool Threads::is_watching() {
  const std::lock_guard lock(mutex_);
  return is_watching_;
}

uint32_t Threads::open(std::shared_ptr<EventQueue> from, uint32_t to) {
  const std::lock_guard lock(mutex_);
  const auto found = threads_.find(to);
  if (found == threads_.end()) return 0;
  const uint32_t link = ++last_link_;
  links_.emplace(link, Link{std::move(from), found->second, to});
  found->second->push({Kind::LinkOpened, link, {}});
  return link;
}

void Threads::send(uint32_t link, const EventQueue* from, std::string text) {
  const std::lock_guard lock(mutex_);
  const auto found = links_.find(link);
  if (found == links_.end()) return;
  auto& other = found->second.from.get() == from ? found->second.to : found->second.from;
  other->push({Kind::LinkMessage, link, std::move(text)});
}

void Threads::close(uint32_t link, const EventQueue* from) {
  const std::lock_guard lock(mutex_);
  const auto found = links_.find(link);
  if (found == links_.end()) return;
  auto& other = found->second.from.get() == from ? found->second.to : found->second.from;
  other->push({Kind::LinkClosed, link, {}});
  links_.erase(found);
}

}  // namespace rondo::inspector
