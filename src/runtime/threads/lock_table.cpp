// See lock_table.h.
#include "runtime/threads/lock_table.h"

#include <algorithm>
#include <utility>

namespace rondo::runtime {

std::vector<LockClient::News> LockClient::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(news_, {});
}

bool LockClient::has_news() {
  const std::lock_guard lock(mutex_);
  return !news_.empty();
}

void LockClient::tell(uint32_t request, LockNews what) {
  const std::lock_guard lock(mutex_);
  news_.push_back({request, what});
  wake_.send();
}

LockTable& LockTable::get() {
  static auto* table = new LockTable;  // never destroyed: threads may still use it while the process ends
  return *table;
}

bool LockTable::can_grant(const Entry& entry, LockMode mode) {
  if (entry.held.empty()) return true;
  return mode == LockMode::Shared && entry.held.front().mode == LockMode::Shared;
}

void LockTable::grant_next(Entry& entry) {
  while (!entry.waiting.empty() && can_grant(entry, entry.waiting.front().mode)) {
    auto& next = entry.waiting.front();
    next.client->tell(next.id, LockNews::Granted);
    entry.held.push_back(std::move(next));
    entry.waiting.pop_front();
  }
}

void LockTable::tidy(const std::u16string& name) {
  auto found = entries_.find(name);
  if (found != entries_.end() && found->second.held.empty() && found->second.waiting.empty()) entries_.erase(found);
}

void LockTable::request(Request request, Urgency urgency) {
  const std::lock_guard lock(mutex_);
  const std::u16string name = request.name;
  auto& entry = entries_[name];
  if (urgency == Urgency::Steal) {
    for (auto& holder : std::exchange(entry.held, {})) holder.client->tell(holder.id, LockNews::Stolen);
    entry.waiting.push_front(std::move(request));
  } else if (urgency == Urgency::IfAvailable && !(entry.waiting.empty() && can_grant(entry, request.mode))) {
    request.client->tell(request.id, LockNews::NotAvailable);
  } else {
    entry.waiting.push_back(std::move(request));
  }
  grant_next(entry);
  tidy(name);
}

void LockTable::drop(const std::u16string& name, LockClient& client, uint32_t id) {
  const std::lock_guard lock(mutex_);
  auto found = entries_.find(name);
  if (found == entries_.end()) return;
  auto is_it = [&](const Request& request) { return request.client == &client && request.id == id; };
  std::erase_if(found->second.held, is_it);
  std::erase_if(found->second.waiting, is_it);
  grant_next(found->second);
  tidy(name);
}

void LockTable::leave(LockClient& client) {
  const std::lock_guard lock(mutex_);
  auto is_its = [&](const Request& request) { return request.client == &client; };
  for (auto each = entries_.begin(); each != entries_.end();) {
    auto& entry = each->second;
    std::erase_if(entry.held, is_its);
    std::erase_if(entry.waiting, is_its);
    grant_next(entry);
    each = entry.held.empty() && entry.waiting.empty() ? entries_.erase(each) : std::next(each);
  }
}

}  // namespace rondo::runtime
