// See mailbox.h.
#include "runtime/mailbox.h"

#include <algorithm>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

namespace rondo::runtime {

using engine::Serialized;

namespace {

// No letter has this address.
template <class Letter>
Letter* shut_mark() {
  return reinterpret_cast<Letter*>(uintptr_t{1});  // NOLINT(performance-no-int-to-ptr)
}

}  // namespace

void Mailbox::send(Serialized message) {
  auto* letter = new Letter{std::move(message), nullptr};
  Letter* newest = sent_.load(std::memory_order_relaxed);
  do {
    if (newest == shut_mark<Letter>()) return delete letter;
    letter->next = newest;
  } while (!sent_.compare_exchange_weak(newest, letter, std::memory_order_seq_cst, std::memory_order_relaxed));
  // The receiver takes all at once: who sent the first of them has rung, or will.
  if (!newest) ring();
}

void Mailbox::end() {
  is_ended_.store(true, std::memory_order_seq_cst);
  ring();
}

// Pairs with wake_with(): either the sender sees the Async, or whoever sets it sees what was sent.
void Mailbox::ring() {
  ringing_.fetch_add(1, std::memory_order_seq_cst);
  if (Async* wake = wake_.load(std::memory_order_seq_cst)) wake->send();
  ringing_.fetch_sub(1, std::memory_order_release);
}

void Mailbox::wake_with(Async* wake) {
  Async* before = wake_.exchange(wake, std::memory_order_seq_cst);
  if (before && before != wake)
    while (ringing_.load(std::memory_order_acquire) != 0) std::this_thread::yield();
  if (wake && (taken_ || is_ended_.load(std::memory_order_seq_cst) || sent_.load(std::memory_order_seq_cst)))
    wake->send();
}

Mailbox::Letter* Mailbox::reversed(Letter* newest) {
  Letter* oldest = nullptr;
  while (newest) {
    Letter* next = std::exchange(newest->next, oldest);
    oldest = std::exchange(newest, next);
  }
  return oldest;
}

bool Mailbox::has_message() {
  if (taken_) return true;
  Letter* newest = sent_.load(std::memory_order_relaxed);
  if (!newest || newest == shut_mark<Letter>()) return false;
  taken_ = reversed(sent_.exchange(nullptr, std::memory_order_acquire));
  return true;
}

Serialized Mailbox::take() {
  const std::unique_ptr<Letter> letter(std::exchange(taken_, taken_->next));
  return std::move(letter->message);
}

// Ended is asked first: what was sent came before the end.
bool Mailbox::is_over() {
  return !taken_ && is_ended_.load(std::memory_order_acquire) && !sent_.load(std::memory_order_acquire);
}

// With messages go ends of channels, which ring at other mailboxes.
void Mailbox::destroy(Letter* list) {
  while (list) {
    const std::unique_ptr<Letter> letter(std::exchange(list, list->next));
  }
}

void Mailbox::shut() {
  wake_with(nullptr);
  Letter* unread = sent_.exchange(shut_mark<Letter>(), std::memory_order_seq_cst);
  if (unread != shut_mark<Letter>()) destroy(unread);
  destroy(std::exchange(taken_, nullptr));
}

std::pair<std::unique_ptr<ChannelEnd>, std::unique_ptr<ChannelEnd>> ChannelEnd::make_pair() {
  auto first = std::make_shared<Mailbox>(), second = std::make_shared<Mailbox>();
  return {std::unique_ptr<ChannelEnd>(new ChannelEnd(first, second)),
          std::unique_ptr<ChannelEnd>(new ChannelEnd(second, first))};
}

ChannelEnd::~ChannelEnd() {
  if (outbox_) outbox_->end();
}

namespace {

// The groups of the process by their names, and the mailboxes of their members in order of joining.
struct Groups {
  static Groups& get() {
    static auto* groups = new Groups;
    return *groups;
  }
  std::mutex mutex;
  std::unordered_map<std::u16string, std::vector<Mailbox*>> members;
};

// Inboxes of threads by their numbers.
struct Threads {
  static Threads& get() {
    static auto* threads = new Threads;
    return *threads;
  }
  std::mutex mutex;
  std::unordered_map<uint32_t, std::weak_ptr<Mailbox>> inboxes;
};

}  // namespace

void MailEnd::enlist(uint32_t thread) const {
  auto& threads = Threads::get();
  const std::lock_guard lock(threads.mutex);
  std::erase_if(threads.inboxes, [](const auto& entry) { return entry.second.expired(); });
  threads.inboxes[thread] = inbox_;
}

bool send_to_thread(uint32_t thread, Serialized& message) {
  auto& threads = Threads::get();
  std::shared_ptr<Mailbox> inbox;
  {
    const std::lock_guard lock(threads.mutex);
    if (auto found = threads.inboxes.find(thread); found != threads.inboxes.end()) inbox = found->second.lock();
  }
  if (inbox) inbox->send(std::move(message));
  return inbox != nullptr;
}

GroupEnd::GroupEnd(std::u16string name) : MailEnd(std::make_shared<Mailbox>()), name_(std::move(name)) {
  auto& groups = Groups::get();
  const std::lock_guard lock(groups.mutex);
  groups.members[name_].push_back(inbox_.get());
}

GroupEnd::~GroupEnd() {
  auto& groups = Groups::get();
  const std::lock_guard lock(groups.mutex);
  auto& members = groups.members[name_];
  std::erase(members, inbox_.get());
  if (members.empty()) groups.members.erase(name_);
}

// Members cannot leave meanwhile.
void GroupEnd::send(Serialized message) {
  auto& groups = Groups::get();
  const std::lock_guard lock(groups.mutex);
  for (Mailbox* member : groups.members[name_])
    if (member != inbox_.get()) member->send(message.copy());
}

}  // namespace rondo::runtime
