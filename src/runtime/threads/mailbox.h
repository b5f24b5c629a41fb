// Messages between runtimes of one process, of one thread or of several. A Mailbox is a queue of serialized messages that any thread
// may send to and that one receiver reads on its loop's thread. Two of them make a channel, whose ends (ChannelEnd) may travel with
// messages from runtime to runtime; the members of a named group (GroupEnd) have one each.
//
//  B1  Messages of one sender arrive in the order of sending, each once, or not at all if nobody reads them any more.
//  B2  A receiver that has read everything is told once of all messages that came meanwhile.
//  B3  What nobody will read is destroyed, with whatever travels in it: the ends of channels close.
//  B4  Nobody waits for a lock: senders push on a stack, the receiver takes it as a whole. Only a change of receiver waits, until no sender
//      is about to use the old one.
//
// Thread: send() and end() any; everything else the receiver's, which changes when the end is handed over.
#pragma once

#include "engine/clone/structured_clone.h"

#include "rondo/detail/lock_free_stack.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace rondo::runtime {

// Told that something has arrived, or that the mailbox has ended: on the sender's thread.
class MailboxReceiver {
 public:
  virtual void notify() = 0;

 protected:
  ~MailboxReceiver() = default;
};

class Mailbox {
 public:
  // `limit`: bytes that may wait; messages beyond it are dropped (0: all are kept).
  explicit Mailbox(std::size_t limit = 0) : limit_(limit) {}
  ~Mailbox() { close(); }
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  void send(engine::Serialized message);
  // No more will be sent.
  void end();

  // Told when something arrives, and now if something is here. Null: nobody is. The mailbox must hear of it before the receiver goes.
  void set_receiver(MailboxReceiver* receiver);
  bool has_message();
  std::size_t message_count();
  engine::Serialized take();  // when has_message()
  const engine::Serialized& next() const { return first_->message; }  // the same, without taking it
  bool is_over();  // ended, and all messages have been taken
  // Nothing reads it any more.
  void close();

 private:
  struct Node : StackLink<Node> {
    explicit Node(engine::Serialized sent) : message(std::move(sent)) {}
    engine::Serialized message;
  };

  using Stack = LockFreeStack<Node>;

  void notify();
  void collect();
  static void destroy(Node* list);
  bool has_room_for(const engine::Serialized& message);
  void note_taken(const engine::Serialized& message);

  LockFreeStack<Node> sent_;  // closed when nobody reads any more
  std::atomic<MailboxReceiver*> receiver_{nullptr};
  std::atomic<int> notifying_{0};  // senders between reading receiver_ and having told it
  std::atomic<bool> is_ended_{false};
  const std::size_t limit_;
  std::atomic<std::size_t> waiting_{0};  // bytes, while there is a limit
  // The receiver's own, oldest first: what it took out of sent_. On a cache line that no sender writes.
  alignas(64) Node* first_ = nullptr;
  Node* last_ = nullptr;
  std::size_t count_ = 0;
  std::size_t taken_ = 0;  // bytes that waiting_ still counts
};

// Where a port's messages come from and go to. Its end is the end of the channel.
class PortEnd : public engine::Transferable {
 public:
  ~PortEnd() override { inbox_->close(); }
  bool is_port_end() const override { return true; }
  Mailbox& inbox() const { return *inbox_; }
  // From now on send_to_thread() finds it.
  void register_inbox(uint32_t thread) const;
  virtual void send(engine::Serialized message) = 0;
  // Sending would bring the message to `other`.
  virtual bool leads_to(const PortEnd& other) const = 0;
  // Goes without telling the other side.
  virtual void abandon() {}

 protected:
  explicit PortEnd(std::shared_ptr<Mailbox> inbox) : inbox_(std::move(inbox)) {}
  std::shared_ptr<Mailbox> inbox_;
};

// False when no thread of that number has an inbox.
bool send_to_thread(uint32_t thread, engine::Serialized& message);

class ChannelEnd final : public PortEnd {
 public:
  static std::pair<std::unique_ptr<ChannelEnd>, std::unique_ptr<ChannelEnd>> make_pair();
  ~ChannelEnd() override;
  void send(engine::Serialized message) override { outbox_->send(std::move(message)); }
  bool leads_to(const PortEnd& other) const override { return outbox_.get() == &other.inbox(); }
  void abandon() override { outbox_.reset(); }

 private:
  ChannelEnd(std::shared_ptr<Mailbox> inbox, std::shared_ptr<Mailbox> outbox)
      : PortEnd(std::move(inbox)), outbox_(std::move(outbox)) {}
  std::shared_ptr<Mailbox> outbox_;
};

// BroadcastChannel's names, and those of channels of rondo:mesh.
enum class GroupKind : uint8_t { Broadcast, Mesh };

struct Group;

// A member of all that have the same kind and name in the process; what it sends reaches every other. A member of a mesh's group that has
// 64 MB waiting misses what comes, as a slow reader of a message server does.
class GroupEnd final : public PortEnd {
 public:
  GroupEnd(GroupKind kind, std::u16string name);
  ~GroupEnd() override;
  void send(engine::Serialized message) override;
  bool leads_to(const PortEnd&) const override { return false; }

 private:
  const GroupKind kind_;
  std::u16string name_;
  std::shared_ptr<Group> group_;
};

}  // namespace rondo::runtime
