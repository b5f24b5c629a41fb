// See mailbox.h.
#include "runtime/mailbox.h"

#include <algorithm>
#include <unordered_map>

namespace rondo::runtime {

using engine::Serialized;

// Messages are destroyed outside the lock: with them go ends of channels, which lock other mailboxes.
void Mailbox::send(Serialized message) {
  const std::lock_guard lock(mutex_);
  if (is_shut_) return;
  sent_.push_back(std::move(message));
  if (wake_) wake_->send();
}

void Mailbox::end() {
  const std::lock_guard lock(mutex_);
  is_ended_ = true;
  if (wake_) wake_->send();
}

void Mailbox::wake_with(Async* wake) {
  const std::lock_guard lock(mutex_);
  wake_ = wake;
  if (wake_ && (is_ended_ || !sent_.empty() || next_ < taken_.size())) wake_->send();
}

bool Mailbox::has_message() {
  if (next_ < taken_.size()) return true;
  taken_.clear();
  next_ = 0;
  const std::lock_guard lock(mutex_);
  taken_.swap(sent_);
  return !taken_.empty();
}

Serialized Mailbox::take() { return std::move(taken_[next_++]); }

bool Mailbox::is_over() {
  if (next_ < taken_.size()) return false;
  const std::lock_guard lock(mutex_);
  return is_ended_ && sent_.empty();
}

void Mailbox::shut() {
  std::vector<Serialized> unread;
  {
    const std::lock_guard lock(mutex_);
    is_shut_ = true;
    wake_ = nullptr;
    unread.swap(sent_);
  }
  taken_.clear();
  next_ = 0;
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
