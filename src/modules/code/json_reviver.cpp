// See json_reviver.h.
#include "modules/code/json_reviver.h"

#include <JavaScriptCore/JSArrayInlines.h>
#include <JavaScriptCore/JSCInlines.h>
#include <JavaScriptCore/JSONObject.h>
#include <JavaScriptCore/ObjectConstructor.h>
#include <JavaScriptCore/PropertyNameArray.h>

#include <map>

namespace rondo::modules {

using namespace engine;

namespace {

constexpr uint32_t kNone = UINT32_MAX;

enum class Kind : uint8_t { Primitive, Array, Object };

// A value as it stands in the text. Nodes lie in the order of the text; those inside one are linked by `next`.
struct Node {
  uint32_t start;  // of a primitive's source
  uint32_t length;
  uint32_t inner = kNone;
  uint32_t next = kNone;
  uint32_t count = 0;  // of values inside
  Kind kind = Kind::Primitive;
  JSC::Identifier key;  // of a member
};

// The text beside the value: which source each primitive had. The engine has accepted the text, so nothing is checked.
class Reader {
 public:
  Reader(Call& call, JSC::JSString* text)
      : realm_(call.realm()), vm_(call.vm()), text_(text->value(realm_)), view_(text_) {}

  // Node of the whole text; false when memory or stack ended.
  bool read(Value value) { return read_value(value) != kNone && !values_.hasOverflowed(); }

  const Node& node(uint32_t index) const { return nodes_[index]; }
  Value value(uint32_t index) const { return values_.at(index); }
  JSC::JSString* source(uint32_t index) const {
    return JSC::jsSubstring(vm_, text_, nodes_[index].start, nodes_[index].length);
  }

 private:
  static bool is_white(char16_t c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
  void skip_white() {
    while (is_white(view_[at_])) at_++;
  }

  uint32_t read_value(Value value) {
    if (!vm_.isSafeToRecurse()) return kNone;
    skip_white();
    const auto index = static_cast<uint32_t>(nodes_.size());
    nodes_.append(Node{at_, 0});
    values_.append(value ? value : JSC::jsUndefined());
    if (view_[at_] == '[') {
      if (!read_items(index, value)) return kNone;
    } else if (view_[at_] == '{') {
      if (!read_members(index, value)) return kNone;
    } else {
      read_primitive();
      nodes_[index].length = at_ - nodes_[index].start;
    }
    return index;
  }

  void read_primitive() {
    if (view_[at_] != '"') {
      while (at_ < view_.length() && view_[at_] != ',' && view_[at_] != ']' && view_[at_] != '}' &&
             !is_white(view_[at_]))
        at_++;
      return;
    }
    for (at_++; view_[at_] != '"'; at_++)
      if (view_[at_] == '\\') at_++;
    at_++;
  }

  // Whether another item follows; steps over the comma or the end.
  bool has_more(char16_t end) {
    skip_white();
    if (view_[at_] == ',') at_++;
    skip_white();
    if (view_[at_] != end) return true;
    at_++;
    return false;
  }

  // Links a value inside `outer` behind the last one.
  void link(uint32_t outer, uint32_t& last, uint32_t index) {
    (last == kNone ? nodes_[outer].inner : nodes_[last].next) = index;
    last = index;
    nodes_[outer].count++;
  }

  bool read_items(uint32_t outer, Value value) {
    nodes_[outer].kind = Kind::Array;
    auto* array = value && value.isObject() ? JSC::asObject(value) : nullptr;
    at_++;
    for (uint32_t last = kNone; has_more(']');) {
      const auto item = array ? array->getDirectIndex(realm_, nodes_[outer].count) : Value();
      const auto index = read_value(item);
      if (index == kNone) return false;
      link(outer, last, index);
    }
    return true;
  }

  bool read_members(uint32_t outer, Value value) {
    nodes_[outer].kind = Kind::Object;
    auto* object = value && value.isObject() ? JSC::asObject(value) : nullptr;
    at_++;
    for (uint32_t last = kNone; has_more('}');) {
      const auto key = read_key();
      at_++;  // the colon
      Value member;
      if (const auto number = JSC::parseIndex(key)) {
        member = object ? object->getDirectIndex(realm_, *number) : Value();
      } else {
        member = object ? object->getDirect(vm_, key) : Value();
      }
      const auto index = read_value(member);
      if (index == kNone) return false;
      nodes_[index].key = key;
      link(outer, last, index);
    }
    return true;
  }

  JSC::Identifier read_key() {
    const auto start = at_;
    read_primitive();
    const auto quoted = view_.substring(start, at_ - start);
    skip_white();
    const auto plain = quoted.substring(1, quoted.length() - 2);
    if (!plain.contains('\\')) return JSC::Identifier::fromString(vm_, plain.toString());
    return JSC::Identifier::fromString(vm_, JSC::asString(JSC::JSONParse(realm_, quoted))->value(realm_));
  }

  JSC::JSGlobalObject* realm_;
  JSC::VM& vm_;
  WTF::String text_;
  WTF::StringView view_;
  uint32_t at_ = 0;
  WTF::Vector<Node> nodes_;
  JSC::MarkedArgumentBuffer values_;
};

// The nodes of an object's members by their keys. Of keys that come twice the last counts, as the engine's value has it. Members are asked
// for in the order in which they stand, mostly.
class Members {
 public:
  Members(const Reader& reader, uint32_t outer, size_t keys) : reader_(reader), next_(reader.node(outer).inner) {
    if (reader.node(outer).count != keys) index();
  }

  uint32_t of(const JSC::Identifier& key) {
    if (!is_indexed_) {
      if (next_ == kNone) return kNone;
      const auto found = next_;
      if (reader_.node(found).key == key) {
        next_ = reader_.node(found).next;
        return found;
      }
      index();
    }
    const auto found = by_key_.find(key.impl());
    return found == by_key_.end() ? kNone : found->second;
  }

 private:
  void index() {
    is_indexed_ = true;
    for (auto at = next_; at != kNone; at = reader_.node(at).next) by_key_[reader_.node(at).key.impl()] = at;
  }

  const Reader& reader_;
  uint32_t next_;
  bool is_indexed_ = false;
  std::map<WTF::UniquedStringImpl*, uint32_t> by_key_;
};

// https://tc39.es/ecma262/#sec-internalizejsonproperty; each step that may throw leaves the exception on the VM.
class Reviving {
 public:
  Reviving(Call& call, const Reader& reader, JSC::JSObject* reviver)
      : call_(call),
        realm_(call.realm()),
        vm_(call.vm()),
        reader_(reader),
        reviver_(reviver),
        source_(identifier(vm_, "source")) {}

  Value internalize(JSC::JSObject* holder, const JSC::Identifier& name, uint32_t node) {
    auto scope = DECLARE_THROW_SCOPE(vm_);
    if (!vm_.isSafeToRecurse()) {
      JSC::throwStackOverflowError(realm_, scope);
      return {};
    }
    const Value value = holder->get(realm_, name);
    RETURN_IF_EXCEPTION(scope, {});
    const bool is_as_read = node != kNone && JSC::sameValue(realm_, reader_.value(node), value);
    RETURN_IF_EXCEPTION(scope, {});
    if (!is_as_read) node = kNone;
    if (value.isObject()) {
      revive_inner(JSC::asObject(value), node);
      RETURN_IF_EXCEPTION(scope, {});
    }
    auto* context = JSC::constructEmptyObject(realm_);
    if (node != kNone && reader_.node(node).kind == Kind::Primitive)
      context->putDirect(vm_, source_, reader_.source(node));
    JSC::MarkedArgumentBuffer arguments;
    arguments.append(JSC::jsString(vm_, name.string()));
    arguments.append(value);
    arguments.append(context);
    auto outcome = call_.invoke(reviver_, holder, arguments);
    if (!outcome.exception) return outcome.value;
    JSC::throwException(realm_, scope, outcome.exception);
    return {};
  }

 private:
  void revive_inner(JSC::JSObject* object, uint32_t node) {
    auto scope = DECLARE_THROW_SCOPE(vm_);
    const bool is_array = JSC::isArray(realm_, object);
    RETURN_IF_EXCEPTION(scope, void());
    if (is_array) {
      revive_items(object, node != kNone && reader_.node(node).kind == Kind::Array ? reader_.node(node).inner : kNone);
      RETURN_IF_EXCEPTION(scope, void());
      return;
    }
    JSC::PropertyNameArray keys(vm_, JSC::PropertyNameMode::Strings, JSC::PrivateSymbolMode::Exclude);
    object->methodTable()->getOwnPropertyNames(object, realm_, keys, JSC::DontEnumPropertiesMode::Exclude);
    RETURN_IF_EXCEPTION(scope, void());
    const bool is_object = node != kNone && reader_.node(node).kind == Kind::Object;
    std::optional<Members> members;
    if (is_object) members.emplace(reader_, node, keys.size());
    for (const auto& key : keys) {
      revive(object, key, members ? members->of(key) : kNone);
      RETURN_IF_EXCEPTION(scope, void());
    }
  }

  void revive_items(JSC::JSObject* array, uint32_t item) {
    auto scope = DECLARE_THROW_SCOPE(vm_);
    const Value found = array->get(realm_, vm_.propertyNames->length);
    RETURN_IF_EXCEPTION(scope, void());
    const double length = found.toLength(realm_);
    RETURN_IF_EXCEPTION(scope, void());
    for (uint64_t index = 0; static_cast<double>(index) < length; index++) {
      revive(array, JSC::Identifier::from(vm_, static_cast<double>(index)), item);
      RETURN_IF_EXCEPTION(scope, void());
      if (item != kNone) item = reader_.node(item).next;
    }
  }

  void revive(JSC::JSObject* object, const JSC::Identifier& key, uint32_t node) {
    auto scope = DECLARE_THROW_SCOPE(vm_);
    const Value value = internalize(object, key, node);
    RETURN_IF_EXCEPTION(scope, void());
    scope.release();
    if (value.isUndefined())
      JSC::JSCell::deleteProperty(object, realm_, key);
    else
      object->createDataProperty(realm_, key, value, false);
  }

  Call& call_;
  JSC::JSGlobalObject* realm_;
  JSC::VM& vm_;
  const Reader& reader_;
  JSC::JSObject* reviver_;
  JSC::Identifier source_;
};

}  // namespace

Value revive_json(Call& call, JSC::JSString* text, Value value, JSC::JSObject* reviver) {
  auto& vm = call.vm();
  auto scope = DECLARE_THROW_SCOPE(vm);
  Reader reader(call, text);
  if (!reader.read(value)) {
    JSC::throwStackOverflowError(call.realm(), scope);
    return {};
  }
  auto* holder = JSC::constructEmptyObject(call.realm());
  holder->putDirect(vm, vm.propertyNames->emptyIdentifier, value);
  RELEASE_AND_RETURN(scope, Reviving(call, reader, reviver).internalize(holder, vm.propertyNames->emptyIdentifier, 0));
}

}  // namespace rondo::modules
