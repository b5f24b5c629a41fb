// See clone_memory.h.
#include "engine/clone/clone_memory.h"

#include "engine/core/realm.h"
#include "engine/core/vm_state.h"

#include <JavaScriptCore/StructureInlines.h>

#include <bit>

namespace rondo::engine {

namespace {

// Eight bytes at a time: texts that differ in one letter have different digests.
uint64_t digest(std::span<const uint8_t> bytes) {
  constexpr uint64_t kOdd = 0x9E3779B97F4A7C15;
  uint64_t sum = bytes.size();
  for (; bytes.size() >= sizeof sum; bytes = bytes.subspan(sizeof sum)) {
    uint64_t word;
    std::memcpy(&word, bytes.data(), sizeof word);
    sum = std::rotl(sum ^ word, 29) * kOdd;
  }
  uint64_t last = 0;
  if (!bytes.empty()) std::memcpy(&last, bytes.data(), bytes.size());
  sum = (sum ^ last) * kOdd;
  return sum ^ (sum >> 32);
}

}  // namespace

size_t CloneMemory::place_of(std::span<const uint8_t> names) { return digest(names) % kShapes; }

void CloneMemory::note(JSC::JSGlobalObject* realm, JSC::JSObject* object, std::span<const uint8_t> names,
                       Shape& place) {
  auto& vm = realm->vm();
  auto* structure = object->structure();
  if (names.size() > kMostNames || realm != Realm::main(realm) || structure->globalObject() != realm) return;
  if (structure->isDictionary() || structure->outOfLineSize() != 0) return;
  if (JSC::hasIndexedProperties(structure->indexingType()) || !structure->canPerformFastPropertyEnumeration()) return;
  if (!structure->hasMonoProto() || structure->storedPrototype() != realm->objectPrototype()) return;
  if (structure->get(vm, VmState::of(vm).clone_mode) != JSC::invalidOffset) return;
  place.offsets.clear();
  structure->forEachProperty(vm, [&](const JSC::PropertyTableEntry& entry) {
    if (!entry.key()->isSymbol() && !(entry.attributes() & JSC::PropertyAttribute::DontEnum))
      place.offsets.push_back(entry.offset());
    return true;
  });
  // A name that stands there twice has one field: such names are no shape.
  uint32_t count = 0;
  if (names.size() >= sizeof count) std::memcpy(&count, names.data(), sizeof count);
  if (count != place.offsets.size()) return place.structure.clear();
  place.names.assign(names.begin(), names.end());
  place.structure.set(vm, structure);
}

JSC::JSString* CloneMemory::string(JSC::VM& vm, std::span<const LChar> characters) {
  if (characters.size() < 2 || characters.size() > kLongestString)
    return JSC::jsString(vm, WTF::String(characters.data(), static_cast<unsigned>(characters.size())));
  auto& place = strings_[digest(characters) % kStrings];
  if (auto* known = place.get()) {
    const auto* text = known->tryGetValueImpl();
    if (text->is8Bit() && text->length() == characters.size() &&
        std::memcmp(text->characters8(), characters.data(), characters.size()) == 0)
      return known;
  }
  auto* made = JSC::jsString(vm, WTF::String(characters.data(), static_cast<unsigned>(characters.size())));
  place.set(vm, made);
  return made;
}

}  // namespace rondo::engine
