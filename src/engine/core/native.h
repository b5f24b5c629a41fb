// The small vocabulary in which native functions are written: read arguments, return values, throw errors, fill objects.
//     Value stat_sync(Call& call) { … return call.value(size); }       {"statSync", native<stat_sync>, 1}
// Not a wrapper around the engine: native<f> is an ordinary host function of the engine, and these helpers only shorten what it
// would write by hand. Used by src/runtime and src/modules.
#pragma once

#include "engine/core/jsc.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::engine {

using Value = JSC::JSValue;
using Encoded = JSC::EncodedJSValue;
using NativeFunction = Encoded (*)(JSC::JSGlobalObject*, JSC::CallFrame*);

WTF::String to_wtf(std::string_view utf8);
std::string to_utf8(const WTF::String& text);
// The same for a program's own string: one that Node could not hold raises ERR_STRING_TOO_LONG and reads as empty. A native that
// changes something with it asks Call::failed() first.
std::string to_utf8(JSC::JSGlobalObject* realm, const WTF::String& text);
Value make_string(JSC::VM& vm, std::string_view utf8);
inline JSC::Identifier identifier(JSC::VM& vm, std::string_view name) {
  const auto* characters = reinterpret_cast<const LChar*>(name.data());
  if (!WTF::charactersAreAllASCII(characters, name.size())) return JSC::Identifier::fromString(vm, to_wtf(name));
  // Makes no string for a name that is known.
  return JSC::Identifier::fromString(vm, characters, static_cast<int>(name.size()));
}

// The result of a function that was called: what it returned, or the exception, taken off the VM.
struct CallOutcome {
  Value value;
  JSC::Exception* exception = nullptr;
};

// One call of a native function: arguments by position. Conversions never run JavaScript: lib/ validates first and passes
// plain values; a value of another kind reads as the given default, so no input can crash a native.
class Call {
 public:
  Call(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) : realm_(realm), frame_(frame), vm_(realm->vm()) {}

  JSC::JSGlobalObject* realm() const { return realm_; }
  JSC::VM& vm() const { return vm_; }
  size_t count() const { return frame_->argumentCount(); }
  Value at(unsigned index) const { return frame_->argument(index); }
  Value self() const { return frame_->thisValue(); }

  std::string string(unsigned index) const;
  WTF::String wtf_string(unsigned index) const;
  int32_t int32(unsigned index, int32_t otherwise = 0) const;
  uint32_t uint32(unsigned index, uint32_t otherwise = 0) const;
  double number(unsigned index, double otherwise = 0) const;
  int64_t int64(unsigned index, int64_t otherwise = 0) const;  // a number or a BigInt, saturating
  bool boolean(unsigned index) const { return at(index).isBoolean() && at(index).asBoolean(); }
  bool has(unsigned index) const { return !at(index).isUndefinedOrNull(); }
  JSC::JSObject* object(unsigned index) const { return at(index).isObject() ? JSC::asObject(at(index)) : nullptr; }
  JSC::JSObject* function(unsigned index) const { return at(index).isCallable() ? JSC::asObject(at(index)) : nullptr; }

  // The bytes of an ArrayBuffer or of any view on one; empty when it is neither or is detached.
  std::span<uint8_t> bytes(unsigned index) const;

  Value undefined() const { return JSC::jsUndefined(); }
  Value value(Value v) const { return v; }
  Value value(JSC::JSCell* cell) const { return cell; }  // else a pointer would read as a bool
  Value value(double v) const { return JSC::jsNumber(v); }
  Value value(int32_t v) const { return JSC::jsNumber(v); }
  Value value(bool v) const { return JSC::jsBoolean(v); }
  Value text(std::string_view utf8) const { return make_string(vm_, utf8); }

  // Calls a function of JavaScript's: nothing is drained, for JavaScript is on the stack. Completions have no Call: they call through a
  // runtime::Continuation.
  CallOutcome invoke(Value function, Value self, const JSC::ArgList& arguments) const;

  // Whether reading an argument has raised an error already; what the native returns then does not count.
  bool failed() const { return vm_.exceptionForInspection() != nullptr; }
  // Each throws into the realm and returns an empty value for the native to return.
  Value raise(Value error) const;
  Value type_error(std::string_view message) const;
  Value error(std::string_view message) const;
  // A path without memory behind it ({}) is none; an empty one is shown as ''.
  // A system error with Node's shape: message "ENOENT: no such file or directory, open 'x'", errno (negative), code, syscall, path, dest.
  Value system_error(int error_number, std::string_view syscall, std::string_view path = {},
                     std::string_view dest = {}) const;

 private:
  JSC::JSGlobalObject* realm_;
  JSC::CallFrame* frame_;
  JSC::VM& vm_;
};

// A function of ours as the engine calls it.
template <Value (*kFunction)(Call&)>
Encoded native(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  return JSC::JSValue::encode(kFunction(call));
}

std::span<uint8_t> bytes_of(Value value);
JSC::JSObject* make_system_error(JSC::JSGlobalObject* realm, int error_number, std::string_view syscall,
                                 std::string_view path = {}, std::string_view dest = {});

// Filling the object that native(name) returns.
struct FunctionSpec {
  const char* name;
  NativeFunction function;
  unsigned length = 0;
};
JSC::JSObject* make_object(JSC::JSGlobalObject* realm);
JSC::JSArray* make_array(JSC::JSGlobalObject* realm, const JSC::ArgList& items);
JSC::JSArray* make_array(JSC::JSGlobalObject* realm, std::span<const std::string> texts);
// The elements of an array that are strings; none when `value` is no array.
std::vector<std::string> strings_in(JSC::JSGlobalObject* realm, Value value);
void put(JSC::JSGlobalObject* realm, JSC::JSObject* object, std::string_view name, Value value);
void put_functions(JSC::JSGlobalObject* realm, JSC::JSObject* object, std::span<const FunctionSpec> functions);
// Numbers that both sides know (flags, kinds, positions): written in C++ alone, read in lib/ from the native object.
struct NumberSpec {
  template <class Number>  // an integer or an enumerator
  constexpr NumberSpec(const char* its_name, Number its_value)
      : name(its_name), value(static_cast<int64_t>(its_value)) {}
  const char* name;
  int64_t value;
};
void put_numbers(JSC::JSGlobalObject* realm, JSC::JSObject* object, std::span<const NumberSpec> numbers);
Value make_uint8_array(JSC::JSGlobalObject* realm, std::span<const uint8_t> bytes);

// A later rejection of the promise is not reported as unhandled.
void mark_as_handled(JSC::VM& vm, JSC::JSPromise* promise);

}  // namespace rondo::engine
