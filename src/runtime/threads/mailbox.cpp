// See mailbox.h.
#include "runtime/threads/mailbox.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

namespace rondo::runtime {

using engine::Serialized;

// Memory of a waiting message beside its bytes.
constexpr std::size_t kNodeBytes = 128;

bool Mailbox::has_room_for(const Serialized& message) {
  const std::size_t size = message.bytes.size() + kNodeBytes;
  if (waiting_.fetch_add(size, std::memory_order_relaxed) < limit_) return true;
  waiting_.fetch_sub(size, std::memory_order_relaxed);
  return false;
}

// Senders write the same number: it is told of many messages at once.
void Mailbox::note_taken(const Serialized& message) {
  constexpr std::size_t kMany = std::size_t{64} << 10;
  taken_ += message.bytes.size() + kNodeBytes;
  if (first_ && taken_ < kMany) return;
  waiting_.fetch_sub(std::exchange(taken_, 0), std::memory_order_relaxed);
}

void Mailbox::send(Serialized message) {
  if (limit_ != 0 && !has_room_for(message)) return;
  auto node = std::make_unique<Node>(std::move(message));
  const auto pushed = sent_.push(*node);
  if (pushed == Stack::Pushed::Refused) return;
  (void)node.release();  // NOLINT(bugprone-unused-return-value)
  // The receiver takes all at once: the sender of the first of them tells it.
  if (pushed == Stack::Pushed::First) notify();
}

void Mailbox::end() {
  is_ended_.store(true, std::memory_order_seq_cst);
  notify();
}

// Pairs with set_receiver(): either the sender sees the receiver, or set_receiver() sees what was sent.
void Mailbox::notify() {
  notifying_.fetch_add(1, std::memory_order_seq_cst);
  if (auto* receiver = receiver_.load(std::memory_order_seq_cst)) receiver->notify();
  notifying_.fetch_sub(1, std::memory_order_release);
}

void Mailbox::set_receiver(MailboxReceiver* receiver) {
  auto* before = receiver_.exchange(receiver, std::memory_order_seq_cst);
  if (before && before != receiver)
    while (notifying_.load(std::memory_order_acquire) != 0) std::this_thread::yield();
  if (receiver && (first_ || is_ended_.load(std::memory_order_seq_cst) || !sent_.is_empty())) receiver->notify();
}

// Appends what was sent, which lies newest first.
void Mailbox::collect() {
  Node* const last = sent_.take();
  if (!last) return;
  for (const Node* node = last; node; node = Stack::next(*node)) count_++;
  (first_ ? Stack::next(*last_) : first_) = Stack::reversed(last);
  last_ = last;
}

bool Mailbox::has_message() {
  if (!first_) collect();
  return first_ != nullptr;
}

std::size_t Mailbox::message_count() {
  collect();
  return count_;
}

Serialized Mailbox::take() {
  const std::unique_ptr<Node> node(&Stack::pop(first_));
  count_--;
  if (limit_ != 0) note_taken(node->message);
  return std::move(node->message);
}

// Ended is asked first: what was sent came before the end.
bool Mailbox::is_over() {
  return !first_ && is_ended_.load(std::memory_order_acquire) && sent_.is_empty(std::memory_order_acquire);
}

// With messages go ends of channels, which notify other mailboxes.
void Mailbox::destroy(Node* list) {
  while (list) {
    const std::unique_ptr<Node> node(&Stack::pop(list));
  }
}

void Mailbox::close() {
  set_receiver(nullptr);
  destroy(sent_.close());
  count_ = 0;
  destroy(std::exchange(first_, nullptr));
}

std::pair<std::unique_ptr<ChannelEnd>, std::unique_ptr<ChannelEnd>> ChannelEnd::make_pair() {
  auto first = std::make_shared<Mailbox>(), second = std::make_shared<Mailbox>();
  return {std::unique_ptr<ChannelEnd>(new ChannelEnd(first, second)),
          std::unique_ptr<ChannelEnd>(new ChannelEnd(second, first))};
}

ChannelEnd::~ChannelEnd() {
  if (outbox_) outbox_->end();
}

// The mailboxes of its members in order of joining. Members send side by side with those of other groups.
struct Group {
  std::mutex mutex;
  std::vector<Mailbox*> members;
};

namespace {

// The groups of the process by their names. Its lock is taken before a group's.
struct Groups {
  static Groups& get() {
    static auto* groups = new Groups;
    return *groups;
  }
  using ByName = std::unordered_map<std::u16string, std::shared_ptr<Group>>;
  ByName& of(GroupKind kind) { return by_kind[static_cast<std::size_t>(kind)]; }
  std::mutex mutex;
  std::array<ByName, 2> by_kind;
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

void PortEnd::register_inbox(uint32_t thread) const {
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

constexpr std::size_t kMostWaiting = std::size_t{64} << 20;

GroupEnd::GroupEnd(GroupKind kind, std::u16string name)
    : PortEnd(std::make_shared<Mailbox>(kind == GroupKind::Mesh ? kMostWaiting : 0)),
      kind_(kind),
      name_(std::move(name)) {
  auto& groups = Groups::get();
  const std::lock_guard lock(groups.mutex);
  auto& group = groups.of(kind_)[name_];
  if (!group) group = std::make_shared<Group>();
  group_ = group;
  const std::lock_guard inner(group_->mutex);
  group_->members.push_back(inbox_.get());
}

GroupEnd::~GroupEnd() {
  auto& groups = Groups::get();
  const std::lock_guard lock(groups.mutex);
  const std::lock_guard inner(group_->mutex);
  std::erase(group_->members, inbox_.get());
  if (group_->members.empty()) groups.of(kind_).erase(name_);
}

// Members cannot leave meanwhile.
void GroupEnd::send(Serialized message) {
  const std::lock_guard lock(group_->mutex);
  Mailbox* last = nullptr;
  for (Mailbox* member : group_->members) {
    if (member == inbox_.get()) continue;
    if (last) last->send(message.copy());
    last = member;
  }
  if (last) last->send(std::move(message));
}

}  // namespace rondo::runtime
