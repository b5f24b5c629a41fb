// native('json'): JSON.parse and JSON.stringify of a realm, which the engine's own functions do, in the same frame. A reviver gets the source of
// primitives (json_reviver.h), raw JSON is put into the engine's text; what that cannot do goes to lib/internal/language/json.js.
#include "engine/core/vm_state.h"
#include "modules/code/json_reviver.h"
#include "runtime/runtime.h"

#include <JavaScriptCore/JSCInlines.h>
#include <wtf/CryptographicallyRandomNumber.h>
#include <wtf/HexNumber.h>
#include <wtf/text/StringBuilder.h>

#include <array>
#include <utility>

namespace rondo::modules {

using namespace engine;
using runtime::Runtime;

namespace {

// The engine's own functions, the same for every realm, and the raw JSON of the runtime. The engine's JSON.stringify writes a raw object as
// `{"MARK":null}`, for such an object says that this is its only member when that function asks; the texts go to their marks afterwards.
struct Json {
  JSC::TaggedNativeFunction parse, stringify;
  bool has_raw = false;
  WTF::String mark;
  JSC::JSCell* running = nullptr;  // the JSON.stringify that runs now
  WTF::Vector<WTF::String>* texts = nullptr;  // of the raw objects that it met
  JSC::Strong<JSC::Structure> structure;
};

Json& json_of(JSC::JSGlobalObject* realm) { return Runtime::from(Realm::main(realm)).local<Json>(); }

class RawObject final : public JSC::JSNonFinalObject {
 public:
  using Base = JSC::JSNonFinalObject;
  static constexpr unsigned StructureFlags =
      Base::StructureFlags | JSC::OverridesGetOwnPropertySlot | JSC::OverridesGetOwnPropertyNames;
  template <typename, JSC::SubspaceAccess>
  static JSC::GCClient::IsoSubspace* subspaceFor(JSC::VM& vm) {
    STATIC_ASSERT_ISO_SUBSPACE_SHARABLE(RawObject, Base);
    return &vm.plainObjectSpace();
  }
  DECLARE_INFO;

  static RawObject* create(JSC::VM& vm, JSC::Structure* structure) {
    auto* object = new (NotNull, JSC::allocateCell<RawObject>(vm)) RawObject(vm, structure);
    object->finishCreation(vm);
    return object;
  }

  static bool getOwnPropertySlot(JSC::JSObject* object, JSC::JSGlobalObject* realm, JSC::PropertyName name,
                                 JSC::PropertySlot& slot) {
    if (auto* state = stringifying(realm); state && name.uid() && WTF::equal(name.uid(), state->mark.impl())) {
      slot.setValue(object, 0, JSC::jsNull());
      return true;
    }
    return Base::getOwnPropertySlot(object, realm, name, slot);
  }

  static void getOwnPropertyNames(JSC::JSObject* object, JSC::JSGlobalObject* realm, JSC::PropertyNameArray& names,
                                  JSC::DontEnumPropertiesMode mode) {
    auto* state = stringifying(realm);
    if (!state) return Base::getOwnPropertyNames(object, realm, names, mode);
    auto& vm = realm->vm();
    names.add(JSC::Identifier::fromString(vm, state->mark));
    state->texts->append(JSC::asString(object->getDirect(vm, identifier(vm, "rawJSON")))->value(realm));
  }

 private:
  RawObject(JSC::VM& vm, JSC::Structure* structure) : Base(vm, structure) {}

  // While the engine's function asks, not the JavaScript that it calls.
  static Json* stringifying(JSC::JSGlobalObject* realm) {
    auto& state = json_of(realm);
    auto* frame = realm->vm().topCallFrame;
    return state.running && frame && frame->jsCallee() == state.running ? &state : nullptr;
  }
};

namespace JSCastingHelpers = JSC::JSCastingHelpers;
const JSC::ClassInfo RawObject::s_info = {"Object"_s, &Base::s_info, nullptr, nullptr, CREATE_METHOD_TABLE(RawObject)};

// `{"MARK":null}`, with white space and indentation → the texts, one after another.
WTF::String with_texts(const WTF::String& json, const WTF::String& mark, const WTF::Vector<WTF::String>& texts) {
  WTF::StringBuilder made;
  size_t done = 0;
  for (const auto& text : texts) {
    const auto at = json.find(mark, done);
    if (at == WTF::notFound) break;
    const auto start = json.reverseFind('{', at);
    made.append(WTF::StringView(json).substring(done, start - done), text);
    done = json.find('}', at) + 1;
  }
  made.append(WTF::StringView(json).substring(done));
  return made.toString();
}

// The function of lib/ lies on the one of C++, under the name of lazy loaders: it loads its file at the first call.
Encoded call_lib(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  auto& vm = realm->vm();
  auto scope = DECLARE_THROW_SCOPE(vm);
  auto function = JSC::asObject(frame->jsCallee())->getDirect(vm, VmState::of(vm).lazy_loaders);
  auto outcome = Call(realm, frame).invoke(function, JSC::jsUndefined(), JSC::ArgList(frame));
  if (!outcome.exception) return JSC::JSValue::encode(outcome.value);
  JSC::throwException(realm, scope, outcome.exception);
  return {};
}

Encoded parse(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  auto& json = json_of(realm);
  if (!frame->argument(1).isCallable()) return json.parse(realm, frame);
  auto scope = DECLARE_THROW_SCOPE(realm->vm());
  auto* reviver = JSC::asObject(frame->argument(1));
  auto* text = frame->argument(0).toString(realm);
  RETURN_IF_EXCEPTION(scope, {});
  frame->setArgument(0, text);
  frame->setArgument(1, JSC::jsUndefined());
  const auto value = JSC::JSValue::decode(json.parse(realm, frame));
  RETURN_IF_EXCEPTION(scope, {});
  scope.release();
  Call own(realm, frame);
  const auto revived = revive_json(own, text, value, reviver);
  JSC::ensureStillAliveHere(reviver);
  return JSC::JSValue::encode(revived);
}

// Whether lib/ has to do it, where raw JSON was made: a list of names says what the engine reads of a raw object, and a gap with braces hides
// where one begins.
bool is_for_lib(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  const auto list = frame->argument(1);
  const auto gap = frame->argument(2);
  if ((list.isObject() && !list.isCallable()) || gap.isObject()) return true;
  if (!gap.isString()) return false;
  const WTF::String text = JSC::asString(gap)->value(realm);
  return text.contains(u'{') || text.contains(u'}');
}

Encoded stringify(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  auto scope = DECLARE_THROW_SCOPE(realm->vm());
  auto& json = json_of(realm);
  const bool had_raw = json.has_raw;
  if (had_raw && is_for_lib(realm, frame)) RELEASE_AND_RETURN(scope, call_lib(realm, frame));
  WTF::Vector<WTF::String> texts;
  auto* outer_texts = std::exchange(json.texts, &texts);
  auto* outer = std::exchange(json.running, frame->jsCallee());
  const auto made = json.stringify(realm, frame);
  json.texts = outer_texts;
  json.running = outer;
  RETURN_IF_EXCEPTION(scope, {});
  // A toJSON() may make the first raw JSON; it can be asked again.
  if (!had_raw && json.has_raw && is_for_lib(realm, frame)) RELEASE_AND_RETURN(scope, call_lib(realm, frame));
  if (texts.isEmpty()) return made;
  const WTF::String text = JSC::asString(JSC::JSValue::decode(made))->value(realm);
  return JSC::JSValue::encode(JSC::jsString(realm->vm(), with_texts(text, json.mark, texts)));
}

JSC::JSFunction* make(Call& call, JSC::TaggedNativeFunction Json::* engines, unsigned length, WTF::ASCIILiteral name,
                      JSC::NativeFunction ours) {
  auto* function = JSC::jsDynamicCast<JSC::JSFunction*>(call.at(0));
  if (!function || !function->isHostFunction()) return nullptr;
  json_of(call.realm()).*engines = function->nativeFunction();
  return JSC::JSFunction::create(call.vm(), function->globalObject(), length, name, ours,
                                 JSC::ImplementationVisibility::Public);
}

// makeParse(the engine's parse)
Value make_parse(Call& call) {
  auto* made = make(call, &Json::parse, 2, "parse"_s, parse);
  return made ? call.value(made) : call.undefined();
}

// makeStringify(the engine's stringify, lib's)
Value make_stringify(Call& call) {
  auto* made = call.function(1) ? make(call, &Json::stringify, 3, "stringify"_s, stringify) : nullptr;
  if (!made) return call.undefined();
  made->putDirect(call.vm(), VmState::of(call.vm()).lazy_loaders, call.at(1),
                  static_cast<unsigned>(JSC::PropertyAttribute::DontEnum));
  return call.value(made);
}

// makeRaw(text of a primitive) → its raw object, not frozen yet
Value make_raw(Call& call) {
  auto& vm = call.vm();
  auto& json = json_of(call.realm());
  if (!json.structure) {
    std::array<uint64_t, 2> random{};
    WTF::cryptographicallyRandomValues(random.data(), sizeof(random));
    json.mark = WTF::makeString("raw-"_s, WTF::hex(random[0]), WTF::hex(random[1]));
    const JSC::TypeInfo type(JSC::ObjectType, RawObject::StructureFlags);
    auto* realm = Realm::main(call.realm());
    json.structure.set(vm, JSC::Structure::create(vm, realm, JSC::jsNull(), type, RawObject::info()));
  }
  json.has_raw = true;
  auto* object = RawObject::create(vm, json.structure.get());
  object->putDirect(vm, identifier(vm, "rawJSON"), call.at(0));
  return call.value(object);
}

Value is_raw(Call& call) { return call.value(JSC::jsDynamicCast<RawObject*>(call.at(0)) != nullptr); }

// setOwn(object, key, value): CreateDataProperty
Value set_own(Call& call) {
  auto scope = DECLARE_THROW_SCOPE(call.vm());
  auto* realm = call.realm();
  const auto key = call.at(1).toPropertyKey(realm);
  RETURN_IF_EXCEPTION(scope, {});
  const bool is_set = JSC::asObject(call.at(0))->createDataProperty(realm, key, call.at(2), false);
  RETURN_IF_EXCEPTION(scope, {});
  return call.value(is_set);
}

constexpr FunctionSpec kFunctions[] = {
    {"isRaw", native<is_raw>, 1},     {"makeParse", native<make_parse>, 1},
    {"makeRaw", native<make_raw>, 1}, {"makeStringify", native<make_stringify>, 2},
    {"setOwn", native<set_own>, 3},
};

}  // namespace

void init_json(Runtime& runtime, JSC::JSObject* target) { put_functions(runtime.realm(), target, kFunctions); }

}  // namespace rondo::modules
