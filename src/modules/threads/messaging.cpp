// native('messaging'): the ports of lib/internal/messaging/message_channel.js and broadcast_channel.js, and those of pages (lib/html/agents/ports.js). A port
// receives through a mailbox (runtime/threads/mailbox.h), in the poll phase, one turn a message: its ticks and microtasks run before the next. A port of a
// window or of a page's worker receives as the HTML Standard says: each message is a task of its own, of the posted message source.
#include "engine/clone/wire_form.h"
#include "engine/core/context_realm.h"
#include "engine/core/native_object.h"
#include "modules/support/clone_host.h"
#include "runtime/handle_object.h"
#include "runtime/html/html_profile.h"
#include "runtime/threads/mailbox.h"
#include "runtime/open_files.h"

#include "rondo/base/unique_fd.h"

#include <fcntl.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>

namespace rondo::modules {

using namespace engine;
using runtime::ChannelEnd;
using runtime::GroupEnd;
using runtime::method;
using runtime::PortEnd;
using runtime::Runtime;

namespace {

// Messages of one port in one visit; more wait for the next iteration, so that ports cannot starve timers.
constexpr int kMaxPerVisit = 1000;

constexpr runtime::Source kPort{"port", "MESSAGEPORT"};
constexpr runtime::Source kMessage{"message", "MESSAGEPORT"};

// Functions of lib/, given the object that holds the port, and the port.
struct Callbacks {
  JSC::Strong<JSC::JSObject> deliver;  // answers true; nothing when a handler threw
  JSC::Strong<JSC::JSObject> closed;
};

class Port final : public runtime::HandleObject, private runtime::MailboxReceiver {
 public:
  Port(Runtime& runtime, std::unique_ptr<PortEnd> end)
      : HandleObject(runtime),
        wake_(runtime.loop(), [this] { visit(); }),
        end_(std::move(end)),
        agent_(runtime.html()),
        thread_(pthread_self()) {
    wake_.unref();
    end_->inbox().set_receiver(this);
  }
  // Taken by the collector: that may be at any time, so the other side does not notice.
  ~Port() override {
    if (!end_) return;
    end_->abandon();
    leave();
  }

  Handle& handle() override { return wake_; }
  void release() override {
    if (end_) leave();
    end_.reset();
    HandleObject::release();
  }

  // The object lives as long as the cell. A port that nobody owns, whose end is only carried on, is nothing to async hooks.
  void set_owner(JSC::JSObject* owner, JSC::JSObject* resource) {
    owner_ = owner;
    note_origin(kPort, resource);
    self()->putDirect(runtime().vm(), identifier(runtime().vm(), "owner"), owner);
  }

  // It is a port of the window or worker that `realm` is of: its messages are tasks of that document.
  void set_window(JSC::JSGlobalObject* realm, Value document) {
    window_ = realm;
    document_ = native_of<runtime::DocumentObject>(document);
    if (document_) self()->putDirect(runtime().vm(), identifier(runtime().vm(), "document"), document);
  }

  // Null: of the program's realm.
  JSC::JSObject* foreign_owner() const {
    return owner_ && (window_ || owner_->globalObject() != runtime().realm()) ? owner_ : nullptr;
  }
  JSC::JSGlobalObject* receiving_realm() const {
    if (window_) return window_;
    return owner_ ? owner_->globalObject() : runtime().realm();
  }

  PortEnd* end() const { return end_.get(); }
  bool is_active() const { return end_ != nullptr; }  // until it is closed
  bool is_open() const { return end_ && !wake_.is_closing(); }
  bool has_ref() const { return !wake_.is_closing() && wake_.has_ref(); }

  void set_ref(bool ref) {
    if (!ref) return wake_.unref();
    keep_while_open();
    if (is_open()) wake_.ref();
  }

  void keep_while_open() {
    if (is_open()) keep();
  }

  void start() {
    if (!is_open() || is_receiving_) return;
    if (!window_) keep();  // lib/html/agents/ports.js knows when a page's port must stay
    is_receiving_ = true;
    end_->inbox().set_receiver(this);
  }
  void stop() { is_receiving_ = false; }

  // Closes, without the channel.
  std::unique_ptr<PortEnd> detach() {
    if (!is_open()) return nullptr;
    leave();
    auto end = std::move(end_);
    begin_close();
    return end;
  }

  void begin_close() {
    if (wake_.is_closing()) return;
    keep();
    close(runtime().local<Callbacks>().closed.get());
  }

 private:
  Value on_closed() override {
    if (end_) leave();
    end_.reset();
    return owner_ ? Value(owner_) : JSC::jsUndefined();
  }

  // Any thread. A message from this very agent is a task at once, in the order of sending among all others.
  void notify() override {
    if (agent_) {
      if (window_ && pthread_equal(pthread_self(), thread_)) return visit();
      if (!is_notified_.exchange(true)) agent_->cluster()->message_sent();
    }
    wake_.send();
  }

  // The mailbox tells this port nothing any more.
  void leave() {
    end_->inbox().set_receiver(nullptr);
    acknowledge();
  }

  void acknowledge() {
    if (agent_ && is_notified_.exchange(false)) agent_->cluster()->message_seen(agent_->clock());
  }

  void visit() {
    if (!agent_) return receive();
    agent_->note_running();
    if (window_)
      queue_tasks();
    else
      receive();
    acknowledge();
  }

  void queue_tasks() {
    if (!end_) return;
    if (is_receiving_)
      for (const size_t count = end_->inbox().message_count(); tasks_ < count; tasks_++) queue_task();
    close_when_over();
  }

  void queue_task() {
    auto* document = document_ ? document_->document() : agent_->top();
    if (!document && agent_->options().kind == html::LoopKind::Window) return;  // discarded
    agent_->loop().queue_a_task(html::TaskSource::PostedMessage, document,
                                [this, kept = JSC::Strong<NativeCell>(runtime().vm(), self())] { run_task(); });
  }

  void run_task() {
    tasks_--;
    if (end_ && is_receiving_ && end_->inbox().has_message()) deliver();
    close_when_over();
  }

  void close_when_over() {
    if (end_ && end_->inbox().is_over()) begin_close();
  }

  void receive() {
    for (int i = 0; end_ && is_receiving_ && end_->inbox().has_message(); i++) {
      if (i == kMaxPerVisit || !deliver()) {
        if (end_) wake_.send();
        return;
      }
    }
    close_when_over();
  }

  bool deliver() {
    if (!has_deliver_) deliver_ = event(runtime().local<Callbacks>().deliver.get(), source());
    has_deliver_ = true;
    if (runtime().tasks().is_traced()) [[unlikely]]
      name_cause();
    JSC::MarkedArgumentBuffer arguments;
    arguments.append(owner_);
    arguments.append(self());
    return static_cast<bool>(deliver_(arguments)) && !runtime().is_stopped();
  }

  // A message is caused by the task that sent it, in whatever thread.
  void name_cause() {
    const auto& sender = end_->inbox().next().sender;
    if (!sender) return;
    if (sender->runtime == runtime().number()) return deliver_.caused_by(sender->task);
    deliver_.comes_from(sender->runtime, sender->task);
  }

  const runtime::Source& source() const {
    return window_ ? runtime::HtmlProfile::source_name(html::TaskSource::PostedMessage) : kMessage;
  }

  Async wake_;
  std::unique_ptr<PortEnd> end_;
  runtime::HtmlProfile* const agent_;  // null in Node's loop
  const pthread_t thread_;
  std::atomic<bool> is_notified_{false};  // and its agent has not looked yet, for which the cluster waits
  size_t tasks_ = 0;  // that are queued and will each deliver a message
  JSC::JSGlobalObject* window_ = nullptr;  // kept by the owner
  runtime::DocumentObject* document_ = nullptr;  // null: the page's own, or none in a worker
  JSC::JSObject* owner_ = nullptr;
  runtime::Continuation deliver_;
  bool has_deliver_ = false;
  bool is_receiving_ = false;
};

Value make_port(Call& call, std::unique_ptr<PortEnd> end) {
  return runtime::HandleObject::make_cell(std::make_unique<Port>(Runtime::from(call.realm()), std::move(end)));
}

// setCallbacks(deliver, closed)
Value set_callbacks(Call& call) {
  auto& callbacks = Runtime::from(call.realm()).local<Callbacks>();
  callbacks.deliver.set(call.vm(), call.function(0));
  callbacks.closed.set(call.vm(), call.function(1));
  return call.undefined();
}

// channel(): the two ports of a new one
Value channel(Call& call) {
  auto [first, second] = ChannelEnd::make_pair();
  JSC::MarkedArgumentBuffer ports;
  ports.append(make_port(call, std::move(first)));
  ports.append(make_port(call, std::move(second)));
  return JSC::constructArray(call.realm(), static_cast<JSC::ArrayAllocationProfile*>(nullptr), ports);
}

// group(name), meshGroup(name): a port to all others of that name
template <runtime::GroupKind kKind>
Value group(Call& call) {
  auto name = call.wtf_string(0);
  std::u16string units;
  for (unsigned i = 0; i < name.length(); i++) units.push_back(name[i]);
  return make_port(call, std::make_unique<GroupEnd>(kKind, std::move(units)));
}

// attach(end): a port for one that came with a message; undefined if it had arrived before
Value attach(Call& call) {
  auto* carried = held_in<std::unique_ptr<Transferable>>(call.at(0));
  if (!carried || !*carried || !(*carried)->is_port_end()) return call.undefined();
  return make_port(call, std::unique_ptr<PortEnd>(static_cast<PortEnd*>(carried->release())));
}

// detach(): its end, to be carried by a message; undefined if it has none
Value detach(Call& call, Port& port) {
  auto end = port.detach();
  if (!end) return call.undefined();
  return make_held(call.realm(), std::unique_ptr<Transferable>(std::move(end)));
}

// A descriptor on its way; if nobody receives it, it is closed.
class TransferredFile final : public Transferable {
 public:
  explicit TransferredFile(int fd) : fd(fd) {}
  UniqueFd fd;
};

// carryFile(fd) → what a message carries; takeFile(carried) → the descriptor, -1 if it has been taken
Value carry_file(Call& call) {
  Runtime::from(call.realm()).local<runtime::OpenFiles>().gone(call.int32(0, -1));
  return make_held(call.realm(), std::unique_ptr<Transferable>(std::make_unique<TransferredFile>(call.int32(0, -1))));
}
Value take_file(Call& call) {
  auto* carried = held_in<std::unique_ptr<Transferable>>(call.at(0));
  if (!carried || !*carried || (*carried)->is_port_end()) return call.value(-1);
  auto file = std::move(*carried);
  const int fd = static_cast<TransferredFile&>(*file).fd.release();
  Runtime::from(call.realm()).local<runtime::OpenFiles>().opened(fd);
  return call.value(fd);
}

// carrySocket(fd) → a second descriptor of it for a message to carry, or an errno; takeSocket(carried) → that descriptor, -1 if it has been
// taken. It will belong to a handle: OpenFiles does not hear of it.
Value carry_socket(Call& call) {
  UniqueFd copy(::fcntl(call.int32(0, -1), F_DUPFD_CLOEXEC, 0));
  if (!copy) return call.value(-errno);
  return make_held(call.realm(), std::unique_ptr<Transferable>(std::make_unique<TransferredFile>(copy.release())));
}
Value take_socket(Call& call) {
  auto* carried = held_in<std::unique_ptr<Transferable>>(call.at(0));
  if (!carried || !*carried || (*carried)->is_port_end()) return call.value(-1);
  auto file = std::move(*carried);
  return call.value(static_cast<TransferredFile&>(*file).fd.release());
}

// setOwner(object, resource of async hooks or undefined): the object that the callbacks are given
Value set_owner(Call& call, Port& port) {
  if (!call.object(0)) return call.type_error("setOwner takes an object");
  port.set_owner(call.object(0), call.object(1));
  return call.undefined();
}

// setOwnerInWindow(object, global object of a page's realm, its document or undefined): the same for a port of a page
Value set_owner_in_window(Call& call, Port& port) {
  auto* window = ContextRealm::of(call.at(1));
  if (!window || !call.object(0)) return call.type_error("setOwnerInWindow takes an object and a window");
  port.set_window(window, call.at(2));
  port.set_owner(call.object(0), nullptr);
  return call.undefined();
}

void sign(Runtime& runtime, Serialized& message) {
  if (runtime.tasks().is_traced()) [[unlikely]]
    message.sender = {runtime.number(), runtime.tasks().running()};
}

// post(value, transfer list or undefined): true; false when the message carried the port it would have reached; undefined when the
// port is closed, which still says what cannot be cloned.
Value post(Call& call, Port& port) {
  static const std::vector<std::unique_ptr<Transferable>> kNone;
  LibHost host(call.realm());
  Serialized message;
  if (!serialize(call.realm(), host, call.at(0), call.at(1), message)) return {};
  if (!port.is_open()) return call.undefined();
  for (const auto& carried : message.transferables ? message.transferables->carried : kNone)
    if (carried->is_port_end() && port.end()->leads_to(static_cast<const PortEnd&>(*carried))) return call.value(false);
  sign(port.runtime(), message);
  port.end()->send(std::move(message));
  return call.value(true);
}

// postPlain(value, wrapped): a value that could leave the process, too; what could not is a DataCloneError, as it is where it leaves.
// `wrapped`: in so many arrays more than it may be deep.
Value post_plain(Call& call, Port& port) {
  WireHost host(call.realm());
  Serialized message;
  if (!serialize(call.realm(), host, call.at(0), call.undefined(), message)) return {};
  if (message.transferables) {
    host.throw_clone_error("The value cannot be sent: it needs memory of its process."_s);
    return {};
  }
  if (message.depth > kMostWireDepth + call.uint32(1)) {
    host.throw_clone_error("The value cannot be sent: objects lie too deep in one another."_s);
    return {};
  }
  if (!port.is_open()) return call.undefined();
  sign(port.runtime(), message);
  port.end()->send(std::move(message));
  return call.undefined();
}

// isBufferList(list): an ordinary array of ArrayBuffers and nothing else, which post() may be given as it is. Nothing of the program's
// runs while it is looked at, nor until post() has read it.
Value is_buffer_list(Call& call) {
  auto* list = JSC::jsDynamicCast<JSC::JSArray*>(call.at(0));
  if (!list || !list->isIteratorProtocolFastAndNonObservable()) return call.value(false);
  const unsigned length = list->length();
  for (unsigned i = 0; i < length; i++) {
    if (!list->canGetIndexQuickly(i)) return call.value(false);
    if (!JSC::jsDynamicCast<JSC::JSArrayBuffer*>(list->getIndexQuickly(i))) return call.value(false);
  }
  return call.value(true);
}

// registerInbox(thread): the inbox that postTo() finds by that number
Value register_inbox(Call& call, Port& port) {
  if (port.end()) port.end()->register_inbox(call.uint32(0));
  return call.undefined();
}

// postTo(thread, value, transfer list): false when there is no such thread
Value post_to(Call& call) {
  LibHost host(call.realm());
  Serialized message;
  if (!serialize(call.realm(), host, call.at(1), call.at(2), message)) return {};
  sign(Runtime::from(call.realm()), message);
  return call.value(runtime::send_to_thread(call.uint32(0), message));
}

// asyncRecord() → the object that async hooks know it by, or undefined
Value async_record(Call&, Port& port) { return port.async_record(); }

Value has_message(Call& call, Port& port) {
  if (!port.end()) return call.value(false);
  if (port.end()->inbox().has_message()) return call.value(true);
  if (port.end()->inbox().is_over()) port.begin_close();
  return call.value(false);
}

// take(): the next message, when there is one, as a value of the realm of the port's owner
Value take(Call& call, Port& port) {
  if (!port.end() || !port.end()->inbox().has_message()) return call.undefined();
  Serialized message = port.end()->inbox().take();
  LibHost host(call.realm(), port.foreign_owner());
  return call.value(deserialize(port.receiving_realm(), host, message));
}

template <void (Port::*kAct)()>
Value act(Call& call, Port& port) {
  (port.*kAct)();
  return call.undefined();
}
template <bool kRef>
Value set_ref(Call& call, Port& port) {
  port.set_ref(kRef);
  return call.undefined();
}
template <bool (Port::*kAsk)() const>
Value ask(Call& call, Port& port) {
  return call.value((port.*kAsk)());
}

constexpr FunctionSpec kMethods[] = {
    {"detach", method<Port, detach>},
    {"setOwner", method<Port, set_owner>, 2},
    {"setOwnerInWindow", method<Port, set_owner_in_window>, 3},
    {"post", method<Port, post>, 2},
    {"postPlain", method<Port, post_plain>, 2},
    {"registerInbox", method<Port, register_inbox>, 1},
    {"asyncRecord", method<Port, async_record>},
    {"hasMessage", method<Port, has_message>},
    {"take", method<Port, take>},
    {"keep", method<Port, act<&Port::keep_while_open>>},
    {"start", method<Port, act<&Port::start>>},
    {"stop", method<Port, act<&Port::stop>>},
    {"ref", method<Port, set_ref<true>>},
    {"unref", method<Port, set_ref<false>>},
    {"close", method<Port, act<&Port::begin_close>>},
    {"hasRef", method<Port, ask<&Port::has_ref>>},
    {"isOpen", method<Port, ask<&Port::is_open>>},
    {"isActive", method<Port, ask<&Port::is_active>>},
};

constexpr FunctionSpec kFunctions[] = {
    {"setCallbacks", native<set_callbacks>, 2},
    {"channel", native<channel>},
    {"group", native<group<runtime::GroupKind::Broadcast>>, 1},
    {"meshGroup", native<group<runtime::GroupKind::Mesh>>, 1},
    {"attach", native<attach>, 1},
    {"carryFile", native<carry_file>, 1},
    {"takeFile", native<take_file>, 1},
    {"carrySocket", native<carry_socket>, 1},
    {"takeSocket", native<take_socket>, 1},
    {"isBufferList", native<is_buffer_list>, 1},
    {"postTo", native<post_to>, 3},
};

}  // namespace

void init_messaging(Runtime& runtime, JSC::JSObject* target) {
  runtime::structure_of<Port>(runtime, kMethods);
  put_functions(runtime.realm(), target, kFunctions);
}

}  // namespace rondo::modules
