// Caches of structured clone that last from one message to the next, in each virtual machine: how objects of a shape are written and made,
// and short strings. Programs send the same few shapes and the same few words again and again.
//
//  M1  Shapes are those of ordinary objects of the program's realm, with named fields alone, all in the object itself, and with
//      Object.prototype: a shape says everything but the values. An engine's Structure of that kind never changes.
//  M2  The tables are small and hold what they know: an entry goes when another needs its place.
//
// Thread: the VM's.
#pragma once

#include "engine/clone/message_bytes.h"
#include "engine/core/native.h"

#include <JavaScriptCore/StrongInlines.h>

#include <array>
#include <cstring>
#include <span>
#include <vector>

namespace rondo::engine {

class CloneMemory {
 public:
  struct Shape {
    JSC::Strong<JSC::Structure> structure;
    std::vector<uint8_t> names;  // as they stand in a message
    std::vector<JSC::PropertyOffset> offsets;  // of the values, in the order of the names

    bool has(std::span<const uint8_t> other) const {
      return structure && names.size() == other.size() && std::memcmp(names.data(), other.data(), names.size()) == 0;
    }
  };

  // The shape of objects to write; null: not known.
  const Shape* written(JSC::Structure* structure) const {
    const auto& shape = written_[place_of(structure)];
    return shape.structure.get() == structure ? &shape : nullptr;
  }
  // The shape that objects with these names are made of; null: not known.
  const Shape* made(std::span<const uint8_t> names) {
    if (last_made_ && last_made_->has(names)) return last_made_;
    const auto& shape = made_[place_of(names)];
    if (!shape.has(names)) return nullptr;
    last_made_ = &shape;
    return &shape;
  }
  // An object with these names has been written or made. Remembers its shape, if that is of the kind.
  void note_written(JSC::JSGlobalObject* realm, JSC::JSObject* object, std::span<const uint8_t> names) {
    note(realm, object, names, written_[place_of(object->structure())]);
  }
  void note_made(JSC::JSGlobalObject* realm, JSC::JSObject* object, std::span<const uint8_t> names) {
    note(realm, object, names, made_[place_of(names)]);
  }

  // A string of these characters.
  JSC::JSString* string(JSC::VM& vm, std::span<const LChar> characters);

  ByteSink scratch;  // where the next message is written

 private:
  static constexpr size_t kShapes = 16, kStrings = 64, kLongestString = 16, kMostNames = 512;

  static size_t place_of(const JSC::Structure* structure) {
    return structure->id().bits() / sizeof(JSC::Structure) % kShapes;
  }
  static size_t place_of(std::span<const uint8_t> names);
  static void note(JSC::JSGlobalObject* realm, JSC::JSObject* object, std::span<const uint8_t> names, Shape& place);

  std::array<Shape, kShapes> written_, made_;
  const Shape* last_made_ = nullptr;  // one of made_: most messages have objects of one shape
  std::array<JSC::Strong<JSC::JSString>, kStrings> strings_;
};

}  // namespace rondo::engine
