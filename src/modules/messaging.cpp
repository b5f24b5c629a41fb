// native('messaging'): the ports of lib/internal/messaging/message_channel.js and lib/internal/messaging/broadcast_channel.js. A port receives through a mailbox
// (runtime/mailbox.h), in the poll phase, one turn a message: its ticks and microtasks run before the next.
#include "engine/core/native_object.h"
#include "modules/support/clone_host.h"
#include "runtime/handle_object.h"
#include "runtime/mailbox.h"
#include "runtime/open_files.h"

#include "rondo/base/unique_fd.h"

#include <fcntl.h>

#include <cerrno>

namespace rondo::modules {

using namespace engine;
using runtime::ChannelEnd;
using runtime::GroupEnd;
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

class Port final : public runtime::HandleObject {
 public:
  Port(Runtime& runtime, std::unique_ptr<PortEnd> end)
      : HandleObject(runtime), wake_(runtime.loop(), [this] { visit(); }), end_(std::move(end)) {
    wake_.unref();
    end_->inbox().wake_with(&wake_);
  }
  // Taken by the collector: that may be at any time, so the other side does not notice.
  ~Port() override {
    if (end_) end_->abandon();
  }

  Handle& handle() override { return wake_; }
  void release() override {
    end_.reset();
    HandleObject::release();
  }

  // The object lives as long as the cell. A port that nobody owns, whose end is only carried on, is nothing to async hooks.
  void set_owner(JSC::JSObject* owner, JSC::JSObject* resource) {
    owner_ = owner;
    note_origin(kPort, resource);
    self()->putDirect(runtime().vm(), identifier(runtime().vm(), "owner"), owner);
  }

  // Null: of the program's realm.
  JSC::JSObject* foreign_owner() const {
    return owner_ && owner_->globalObject() != runtime().realm() ? owner_ : nullptr;
  }

  PortEnd* end() const { return end_.get(); }
  bool is_active() const { return end_ != nullptr; }  // until it is closed
  bool is_open() const { return end_ && !wake_.is_closing(); }
  bool has_ref() const { return !wake_.is_closing() && wake_.has_ref(); }

  void set_ref(bool ref) {
    if (!ref) return wake_.unref();
    keep();
    if (is_open()) wake_.ref();
  }

  void keep() {
    if (is_open()) hold();
  }

  void start() {
    if (!is_open() || is_receiving_) return;
    hold();
    is_receiving_ = true;
    end_->inbox().wake_with(&wake_);
  }
  void stop() { is_receiving_ = false; }

  // Closes, without the channel.
  std::unique_ptr<PortEnd> detach() {
    if (!is_open()) return nullptr;
    end_->inbox().wake_with(nullptr);
    auto end = std::move(end_);
    begin_close();
    return end;
  }

  void begin_close() {
    if (wake_.is_closing()) return;
    hold();
    close(runtime().local<Callbacks>().closed.get());
  }

 private:
  Value on_closed() override {
    end_.reset();
    return owner_ ? Value(owner_) : JSC::jsUndefined();
  }

  void visit() {
    for (int i = 0; end_ && is_receiving_ && end_->inbox().has_message(); i++) {
      if (i == kMaxPerVisit || !deliver()) {
        if (end_) wake_.send();
        return;
      }
    }
    if (end_ && end_->inbox().is_over()) begin_close();
  }

  bool deliver() {
    if (!has_deliver_) deliver_ = event(runtime().local<Callbacks>().deliver.get(), kMessage);
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

  Async wake_;
  std::unique_ptr<PortEnd> end_;
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

// group(name): a port to all others of that name
Value group(Call& call) {
  auto name = call.wtf_string(0);
  std::u16string units;
  for (unsigned i = 0; i < name.length(); i++) units.push_back(name[i]);
  return make_port(call, std::make_unique<GroupEnd>(std::move(units)));
}

// attach(end): a port for one that came with a message; undefined if it had arrived before
Value attach(Call& call) {
  auto* carried = held_in<std::unique_ptr<Transferable>>(call.at(0));
  if (!carried || !*carried || !(*carried)->is_port_end()) return call.undefined();
  return make_port(call, std::unique_ptr<PortEnd>(static_cast<PortEnd*>(carried->release())));
}

// detach(port): its end, to be carried by a message; undefined if it has none
Value detach(Call& call) {
  auto* port = native_of<Port>(call.at(0));
  auto end = port ? port->detach() : nullptr;
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

// own(port, object, resource of async hooks or undefined): whom the callbacks are given
Value own(Call& call) {
  auto* port = native_of<Port>(call.at(0));
  if (port && call.object(1)) port->set_owner(call.object(1), call.object(2));
  return call.undefined();
}

void sign(Runtime& runtime, Serialized& message) {
  if (runtime.tasks().is_traced()) [[unlikely]]
    message.sender = {runtime.number(), runtime.tasks().running()};
}

// post(port, value, transfer list or undefined): true; false when the message carried the port it would have reached; undefined when the
// port is closed, which still says what cannot be cloned.
Value post(Call& call) {
  static const std::vector<std::unique_ptr<Transferable>> kNone;
  auto* port = native_of<Port>(call.at(0));
  if (!port) return call.undefined();
  LibHost host(call.realm());
  Serialized message;
  if (!serialize(call.realm(), host, call.at(1), call.at(2), message)) return {};
  if (!port->is_open()) return call.undefined();
  for (const auto& carried : message.transferables ? message.transferables->carried : kNone)
    if (carried->is_port_end() && port->end()->leads_to(static_cast<const PortEnd&>(*carried)))
      return call.value(false);
  sign(port->runtime(), message);
  port->end()->send(std::move(message));
  return call.value(true);
}

// holdsOnlyBuffers(list): an ordinary array of ArrayBuffers and nothing else, which post() may be given as it is. Nothing of the program's
// runs while it is looked at, nor until post() has read it.
Value holds_only_buffers(Call& call) {
  auto* list = JSC::jsDynamicCast<JSC::JSArray*>(call.at(0));
  if (!list || !list->isIteratorProtocolFastAndNonObservable()) return call.value(false);
  const unsigned length = list->length();
  for (unsigned i = 0; i < length; i++) {
    if (!list->canGetIndexQuickly(i)) return call.value(false);
    if (!JSC::jsDynamicCast<JSC::JSArrayBuffer*>(list->getIndexQuickly(i))) return call.value(false);
  }
  return call.value(true);
}

// registerInbox(port, thread): the inbox that postTo() finds by that number
Value register_inbox(Call& call) {
  auto* port = native_of<Port>(call.at(0));
  if (port && port->end()) port->end()->register_inbox(call.uint32(1));
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

// asyncRecord(port) → what async hooks know it by, or undefined
Value async_record(Call& call) {
  auto* port = native_of<Port>(call.at(0));
  return port ? port->async_record() : call.undefined();
}

Value has_message(Call& call) {
  auto* port = native_of<Port>(call.at(0));
  if (!port || !port->end()) return call.value(false);
  if (port->end()->inbox().has_message()) return call.value(true);
  if (port->end()->inbox().is_over()) port->begin_close();
  return call.value(false);
}

// take(port): the next message, when there is one, as a value of the realm of who holds the port
Value take(Call& call) {
  auto* port = native_of<Port>(call.at(0));
  if (!port || !port->end() || !port->end()->inbox().has_message()) return call.undefined();
  Serialized message = port->end()->inbox().take();
  auto* foreigner = port->foreign_owner();
  LibHost host(call.realm(), foreigner);
  return call.value(deserialize(foreigner ? foreigner->globalObject() : call.realm(), host, message));
}

template <auto kAct>
Value on_port(Call& call) {
  if (auto* port = native_of<Port>(call.at(0))) kAct(*port);
  return call.undefined();
}

template <bool (Port::*kAsk)() const>
Value ask_port(Call& call) {
  auto* port = native_of<Port>(call.at(0));
  return call.value(port && (port->*kAsk)());
}

constexpr FunctionSpec kFunctions[] = {
    {"setCallbacks", native<set_callbacks>, 2},
    {"channel", native<channel>},
    {"group", native<group>, 1},
    {"attach", native<attach>, 1},
    {"detach", native<detach>, 1},
    {"carryFile", native<carry_file>, 1},
    {"takeFile", native<take_file>, 1},
    {"carrySocket", native<carry_socket>, 1},
    {"takeSocket", native<take_socket>, 1},
    {"own", native<own>, 3},
    {"post", native<post>, 3},
    {"holdsOnlyBuffers", native<holds_only_buffers>, 1},
    {"registerInbox", native<register_inbox>, 2},
    {"postTo", native<post_to>, 3},
    {"asyncRecord", native<async_record>, 1},
    {"hasMessage", native<has_message>, 1},
    {"take", native<take>, 1},
    {"hold", native<on_port<[](Port& port) { port.keep(); }>>, 1},
    {"start", native<on_port<[](Port& port) { port.start(); }>>, 1},
    {"stop", native<on_port<[](Port& port) { port.stop(); }>>, 1},
    {"ref", native<on_port<[](Port& port) { port.set_ref(true); }>>, 1},
    {"unref", native<on_port<[](Port& port) { port.set_ref(false); }>>, 1},
    {"close", native<on_port<[](Port& port) { port.begin_close(); }>>, 1},
    {"hasRef", native<ask_port<&Port::has_ref>>, 1},
    {"isOpen", native<ask_port<&Port::is_open>>, 1},
    {"isActive", native<ask_port<&Port::is_active>>, 1},
};

}  // namespace

void init_messaging(Runtime& runtime, JSC::JSObject* target) { put_functions(runtime.realm(), target, kFunctions); }

}  // namespace rondo::modules
