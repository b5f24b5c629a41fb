// Structured clone (https://html.spec.whatwg.org/#safe-passing-of-structured-data): a value becomes bytes and transferred
// memory, and a value again, in this realm or in another thread's. The format lives between a writer and a reader of one process;
// wire_form.h says in which form it leaves it. Objects made by lib/ (ports, blobs, signals …) take part through CloneHost.
//
// A Serialized owns its memory and may move between threads; writer and reader run on their realm's thread.
#pragma once

#include "engine/clone/message_bytes.h"
#include "engine/core/native.h"

#include <JavaScriptCore/WasmModule.h>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace rondo::engine {

// Something native that travels with a message (the end of a channel). Dropping the message drops it too, on any thread.
// For lib/ it is a cell: held_in<std::unique_ptr<Transferable>>, before the journey and after it.
class Transferable {
 public:
  Transferable() = default;
  Transferable(const Transferable&) = delete;
  Transferable& operator=(const Transferable&) = delete;
  virtual ~Transferable() = default;
  virtual bool is_port_end() const { return false; }  // a runtime::PortEnd
};

// Objects that travel beside the bytes.
struct Transferables {
  // Objects of lib/ that were transferred: each its own stream, later ones needed by earlier ones.
  std::vector<MessageBytes> hosts;
  std::vector<JSC::ArrayBufferContents> transferred;
  std::vector<JSC::ArrayBufferContents> shared;
  std::vector<std::unique_ptr<Transferable>> carried;
  // WebAssembly: compiled code and shared memories, which threads have in common.
  std::vector<RefPtr<JSC::Wasm::Module>> modules;
  std::vector<RefPtr<JSC::SharedArrayBufferContents>> memories;
};

struct Serialized {
  MessageBytes bytes;
  std::unique_ptr<Transferables> transferables;  // most messages have none
  uint32_t depth = 0;  // how many objects lie in one another: the receiver needs stack for each
  bool is_simple = true;  // numbers, strings, ordinary objects and arrays only
  Transferables& with_transferables() {
    if (!transferables) transferables = std::make_unique<Transferables>();
    return *transferables;
  }

  // The sender, while traced: the runtime's number and the task's, in the words of src/runtime/entry/task_trace.h.
  struct Sender {
    uint32_t runtime = 0, task = 0;
  };
  std::optional<Sender> sender;

  // The same message for one more receiver. Nothing may be transferred with it.
  Serialized copy();
};

// How lib/ says what an object of its own may do (native('structured_clone').markTransferMode).
// kRefused: of a class whose objects do neither. kOrdinary: whatever it is, it is copied as an object with its fields (process.env, a Proxy).
enum CloneMode : int32_t {
  kPlain = 0,
  kCloneable = 1,
  kTransferable = 2,
  kUntransferable = 4,
  kUncloneable = 8,
  kRefused = 16,
  kOrdinary = 32
};
CloneMode clone_mode(JSC::JSGlobalObject* realm, JSC::JSObject* object);
void set_clone_mode(JSC::JSGlobalObject* realm, JSC::JSObject* object, CloneMode mode);

// Hooks of the realm's library for its own objects. Each may throw into the realm.
class CloneHost {
 public:
  virtual ~CloneHost() = default;
  struct Description {
    Value info;  // a string that names the class
    Value data;  // what to clone in the object's place
  };
  virtual Description describe(JSC::JSObject* object, bool is_transfer) = 0;
  virtual Value nested_transfers(JSC::JSObject* object) = 0;  // an array or undefined
  virtual Value revive(Value info, Value data) = 0;
  virtual void throw_clone_error(const WTF::String& message) = 0;
  // The bytes leave the process (wire_form.h): a view takes the bytes that it shows along, not the whole buffer, which may hold others'.
  virtual bool leaves_process() const { return false; }
};

// False with an exception pending when something cannot be cloned; nothing has then been transferred.
bool serialize(JSC::JSGlobalObject* realm, CloneHost& host, Value value, Value transfer_list, Serialized& out);
// The same for bytes that leave the process at once: `take` gets them where they were written, `out` has what is beside them.
bool serialize_bytes(JSC::JSGlobalObject* realm, CloneHost& host, Value value, Serialized& out,
                     const std::function<void(std::span<const uint8_t>)>& take);
// Consumes `in`. Empty with an exception pending on failure.
Value deserialize(JSC::JSGlobalObject* realm, CloneHost& host, Serialized& in);
// Bytes that check_wire() has passed, with the depth that it found. Nothing of the program's runs meanwhile.
Value deserialize_bytes(JSC::JSGlobalObject* realm, CloneHost& host, std::span<const uint8_t> bytes, uint32_t depth);

// The tags of the format, shared by clone_writer.cpp, clone_reader.cpp and wire_form.cpp, where their numbers have a version.
enum class CloneTag : uint8_t {
  Undefined,
  Null,
  True,
  False,
  Int32,
  Double,
  BigInt,
  String8,
  String16,
  Reference,
  Object,
  ShapedObject,  // all names, then all values, with holes for those that a getter has deleted
  DenseArray,
  SparseArray,
  Hole,
  Date,
  BooleanObject,
  NumberObject,
  StringObject,
  BigIntObject,
  RegExp,
  Map,
  Set,
  ArrayBuffer,
  ResizableArrayBuffer,
  TransferredBuffer,
  SharedBuffer,
  TypedArray,
  DataView,
  Error,
  Host,
  TransferredHost,
  Transferable,
  WasmModule,
  WasmMemory,
};

// A WebAssembly module, or a memory that is shared: adds it to `out` and says under which tag and number. Other objects: false.
bool add_wasm(JSC::JSObject* object, Serialized& out, CloneTag& tag, uint32_t& number);
// The same for another realm. Empty with an exception pending on failure.
JSC::JSObject* make_wasm(JSC::JSGlobalObject* realm, CloneTag tag, uint32_t number, const Serialized& in);

}  // namespace rondo::engine
