// Bytes of JavaScript lent to the kernel or to a pool thread: as long as this exists their memory can be neither moved nor freed,
// and the buffer cannot be transferred away. Thread: the VM's, from making to end; only the bytes themselves may be used elsewhere.
#pragma once

#include "engine/core/native.h"

namespace rondo::engine {

class PinnedBytes {
 public:
  PinnedBytes() = default;
  // A view, or an ArrayBuffer; anything else has no bytes.
  explicit PinnedBytes(Value value) : memory_(memory_of(value)), bytes_(bytes_of(value)) {
    if (memory_) memory_->pin();
  }
  PinnedBytes(PinnedBytes&& other) noexcept
      : memory_(std::move(other.memory_)), bytes_(std::exchange(other.bytes_, {})) {}
  PinnedBytes& operator=(PinnedBytes&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~PinnedBytes() {
    if (memory_) memory_->unpin();
  }

  std::span<uint8_t> bytes() const { return bytes_; }
  // Clamped to what is there.
  std::span<uint8_t> part(size_t offset, size_t size) const {
    offset = std::min(offset, bytes_.size());
    return bytes_.subspan(offset, std::min(size, bytes_.size() - offset));
  }

 private:
  // A view's memory is its own until its buffer is first asked for, which moves it: asked for here, it stays.
  static RefPtr<JSC::ArrayBuffer> memory_of(Value value) {
    if (!value.isCell()) return nullptr;
    if (auto* view = JSC::jsDynamicCast<JSC::JSArrayBufferView*>(value.asCell()))
      return view->isDetached() ? nullptr : view->possiblySharedBuffer();
    auto* buffer = JSC::jsDynamicCast<JSC::JSArrayBuffer*>(value.asCell());
    return buffer ? buffer->impl() : nullptr;
  }

  RefPtr<JSC::ArrayBuffer> memory_;
  std::span<uint8_t> bytes_;
};

}  // namespace rondo::engine
