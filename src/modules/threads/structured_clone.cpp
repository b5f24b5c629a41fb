// native('structured_clone'): structuredClone(), what lib/ says of its own objects, and values as bytes for other processes.
#include "engine/clone/wire_form.h"
#include "engine/core/context_realm.h"
#include "modules/support/clone_host.h"

#include <cstring>
#include <vector>

namespace rondo::modules {

using namespace engine;

namespace {

// setHooks(describe, nestedTransfers, revive, cloneError)
Value set_hooks(Call& call) {
  auto& hooks = runtime::Runtime::from(call.realm()).local<CloneHooks>();
  for (unsigned i = 0; i < static_cast<unsigned>(CloneHook::Count); i++) {
    if (auto* function = call.function(i)) hooks.functions[i].set(call.vm(), function);
  }
  return call.undefined();
}

// The realm of a context's global object; the library's own for anything else.
JSC::JSGlobalObject* realm_of(const Call& call, unsigned index) {
  auto* context = ContextRealm::of(call.at(index));
  return context ? static_cast<JSC::JSGlobalObject*>(context) : call.realm();
}

// clone(value, transferList or undefined, globalThis of the context whose objects the copy is made of, or undefined)
Value clone(Call& call) {
  auto* realm = call.realm();
  LibHost host(realm);
  Serialized message;
  if (!serialize(realm, host, call.at(0), call.at(1), message)) return {};
  return call.value(deserialize(realm_of(call, 2), host, message));
}

// setMode(object, mode) and mode(object), with the bits of CloneMode.
Value set_mode(Call& call) {
  auto* realm = call.realm();
  if (auto* object = call.object(0)) set_clone_mode(realm, object, static_cast<CloneMode>(call.int32(1)));
  return call.undefined();
}

Value mode(Call& call) {
  auto* realm = call.realm();
  auto* object = call.object(0);
  return call.value(static_cast<int32_t>(object != nullptr ? clone_mode(realm, object) : CloneMode::kPlain));
}

Value refuse_wire(CloneHost& host, const char* before, const char* why) {
  host.throw_clone_error(WTF::makeString(WTF::String::fromUTF8(before), WTF::String::fromUTF8(why), '.'));
  return {};
}

// The bytes that the writer has made. Simple ones need no check, unless they lie too deep.
Value put_encoded(Call& call, CloneHost& host, const Serialized& message, std::span<const uint8_t> written) {
  if (!message.is_simple || message.depth >= kMostWireDepth) {
    const auto check = check_wire(call.vm(), written);
    if (check.refused) return refuse_wire(host, "The value cannot be sent: ", check.refused);
  }
  const auto target = call.bytes(1);
  const size_t at = call.uint32(2), size = written.size() + 1;
  if (at <= target.size() && size <= target.size() - at) {
    target[at] = kWireVersion;
    std::memcpy(target.data() + at + 1, written.data(), written.size());
    return call.value(static_cast<double>(size));
  }
  std::vector<uint8_t> bytes(size);
  bytes[0] = kWireVersion;
  std::memcpy(bytes.data() + 1, written.data(), written.size());
  return make_uint8_array(call.realm(), bytes);
}

// encode(value, bytes, at): how many bytes it took there, with the version; where they do not fit, a Uint8Array of them.
Value encode(Call& call) {
  WireHost host(call.realm());
  Serialized message;
  Value result;
  const auto place = [&](std::span<const uint8_t> written) { result = put_encoded(call, host, message, written); };
  if (!serialize_bytes(call.realm(), host, call.at(0), message, place)) return {};
  return result;
}

// decode(bytes, begin, end): the value. Bytes that encode() has not made are a DataCloneError.
Value decode(Call& call) {
  WireHost host(call.realm());
  const auto bytes = call.bytes(0);
  const size_t begin = call.uint32(1), end = call.uint32(2);
  if (begin >= end || end > bytes.size()) return refuse_wire(host, "The message cannot be read: ", "it is empty");
  if (bytes[begin] != kWireVersion) return refuse_wire(host, "The message cannot be read: ", "it has another version");
  const auto value = bytes.subspan(begin + 1, end - begin - 1);
  const auto check = check_wire(call.vm(), value);
  if (check.refused) return refuse_wire(host, "The message cannot be read: ", check.refused);
  return call.value(deserialize_bytes(call.realm(), host, value, check.depth));
}

constexpr FunctionSpec kFunctions[] = {
    {"encode", native<encode>, 3}, {"decode", native<decode>, 3},    {"setHooks", native<set_hooks>, 4},
    {"clone", native<clone>, 3},   {"setMode", native<set_mode>, 2}, {"mode", native<mode>, 1},
};

}  // namespace

void init_structured_clone(runtime::Runtime& runtime, JSC::JSObject* target) {
  static constexpr NumberSpec kModes[] = {{"kCloneable", CloneMode::kCloneable},
                                          {"kTransferable", CloneMode::kTransferable},
                                          {"kUntransferable", CloneMode::kUntransferable},
                                          {"kUncloneable", CloneMode::kUncloneable},
                                          {"kRefused", CloneMode::kRefused},
                                          {"kOrdinary", CloneMode::kOrdinary}};
  put_functions(runtime.realm(), target, kFunctions);
  put_numbers(runtime.realm(), target, kModes);
}

}  // namespace rondo::modules
