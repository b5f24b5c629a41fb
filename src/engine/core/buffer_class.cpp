#include "engine/core/buffer_class.h"

#include "text/utf8.h"
#include "engine/core/vm_state.h"

#include <cstdlib>
#include <cstring>

namespace rondo::engine {

namespace {

JSC::Structure* structure_for(JSC::JSGlobalObject* realm) {
  auto* structure = VmState::of(realm->vm()).buffer_structure.get();
  return structure ? structure : realm->typedArrayStructure(JSC::TypeUint8, false);
}

JSC::JSUint8Array* checked(JSC::JSGlobalObject* realm, JSC::JSUint8Array* made) {
  auto scope = DECLARE_THROW_SCOPE(realm->vm());
  if (made != nullptr && !scope.exception()) [[likely]]
    return made;
  scope.clearException();
  throwException(realm, scope, JSC::createRangeError(realm, "Array buffer allocation failed"_s));
  return nullptr;
}

bool fits(JSC::JSGlobalObject* realm, size_t size) {
  if (size <= MAX_ARRAY_BUFFER_SIZE) [[likely]]
    return true;
  checked(realm, nullptr);
  return false;
}

}  // namespace

Value raise_too_long(JSC::JSGlobalObject* realm) {
  return raise_with_code(realm, JSC::ErrorType::Error, "ERR_STRING_TOO_LONG"_s,
                         "Cannot create a string longer than 0x1fffffe8 characters"_s);
}

void set_buffer_prototype(JSC::JSGlobalObject* realm, JSC::JSObject* prototype) {
  auto& vm = realm->vm();
  VmState::of(vm).buffer_structure.set(vm, JSC::JSUint8Array::createStructure(vm, realm, prototype));
}

JSC::JSUint8Array* make_buffer_uninitialized(JSC::JSGlobalObject* realm, size_t size) {
  if (!fits(realm, size)) return nullptr;
  return checked(realm, JSC::JSUint8Array::createUninitialized(realm, structure_for(realm), size));
}

JSC::JSUint8Array* make_buffer_zeroed(JSC::JSGlobalObject* realm, size_t size) {
  if (!fits(realm, size)) return nullptr;
  return checked(realm, JSC::JSUint8Array::create(realm, structure_for(realm), size));
}

JSC::JSUint8Array* make_buffer(JSC::JSGlobalObject* realm, std::span<const uint8_t> bytes) {
  auto* made = make_buffer_uninitialized(realm, bytes.size());
  if (made != nullptr && !bytes.empty()) std::memcpy(made->typedVector(), bytes.data(), bytes.size());
  return made;
}

JSC::JSUint8Array* adopt_buffer(JSC::JSGlobalObject* realm, uint8_t* malloced, size_t size) {
  auto memory = JSC::ArrayBuffer::createFromBytes(malloced, size,
                                                  WTF::createSharedTask<void(void*)>([](void* p) { std::free(p); }));
  return checked(realm, JSC::JSUint8Array::create(realm, structure_for(realm), WTFMove(memory), 0, size));
}

JSC::JSUint8Array* adopt_buffer(JSC::JSGlobalObject* realm, std::string&& bytes) {
  auto* held = new std::string(std::move(bytes));
  auto memory = JSC::ArrayBuffer::createFromBytes(held->data(), held->size(),
                                                  WTF::createSharedTask<void(void*)>([held](void*) { delete held; }));
  return checked(realm, JSC::JSUint8Array::create(realm, structure_for(realm), WTFMove(memory), 0, held->size()));
}

JSC::JSUint8Array* buffer_on(JSC::JSGlobalObject* realm, JSC::JSArrayBufferView* view, size_t offset, size_t size) {
  RefPtr<JSC::ArrayBuffer> memory = view->possiblySharedBuffer();
  size_t start = view->byteOffset() + offset;
  return checked(realm, JSC::JSUint8Array::create(realm, structure_for(realm), WTFMove(memory), start, size));
}

Value string_from_latin1(JSC::JSGlobalObject* realm, std::span<const uint8_t> bytes) {
  if (bytes.size() > kMaxStringLength) [[unlikely]] {
    raise_too_long(realm);
    return {};
  }
  auto& vm = realm->vm();
  if (bytes.empty()) return JSC::jsEmptyString(vm);
  if (bytes.size() == 1) return JSC::jsSingleCharacterString(vm, static_cast<LChar>(bytes[0]));
  return JSC::jsString(vm,
                       WTF::String(reinterpret_cast<const LChar*>(bytes.data()), static_cast<unsigned>(bytes.size())));
}

Value string_from_utf8(JSC::JSGlobalObject* realm, std::span<const uint8_t> bytes) {
  if (bytes.size() > kMaxStringLength) [[unlikely]] {
    raise_too_long(realm);
    return {};
  }
  auto& vm = realm->vm();
  auto shape = utf8::measure(bytes);
  if (shape.ascii) return string_from_latin1(realm, bytes);
  if (shape.latin1) {
    LChar* characters;
    auto text = WTF::StringImpl::createUninitialized(static_cast<unsigned>(shape.units), characters);
    if (utf8::decode_latin1(bytes, {reinterpret_cast<uint8_t*>(characters), shape.units})) {
      return JSC::jsString(vm, WTF::String(WTFMove(text)));
    }
  } else {
    UChar* characters;
    auto text = WTF::StringImpl::createUninitialized(static_cast<unsigned>(shape.units), characters);
    if (utf8::decode(bytes, {characters, shape.units})) return JSC::jsString(vm, WTF::String(WTFMove(text)));
  }
  auto* units = static_cast<char16_t*>(std::malloc(bytes.size() * sizeof(char16_t)));
  if (units == nullptr) {
    auto scope = DECLARE_THROW_SCOPE(vm);
    JSC::throwOutOfMemoryError(realm, scope);
    return {};
  }
  size_t count = utf8::decode_lossy(bytes, units);
  auto text = WTF::String(reinterpret_cast<const UChar*>(units), static_cast<unsigned>(count));
  std::free(units);
  return JSC::jsString(vm, WTFMove(text));
}

Value raise_with_code(JSC::JSGlobalObject* realm, JSC::ErrorType type, ASCIILiteral code, const WTF::String& message) {
  auto& vm = realm->vm();
  auto scope = DECLARE_THROW_SCOPE(vm);
  auto* error = JSC::createError(realm, type, message);
  error->putDirect(vm, JSC::Identifier::fromString(vm, "code"_s), JSC::jsString(vm, WTF::String(code)));
  throwException(realm, scope, error);
  return {};
}

}  // namespace rondo::engine
