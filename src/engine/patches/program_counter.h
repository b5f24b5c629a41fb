// Where a signal has interrupted a thread.
#pragma once

namespace rondo::engine {

// In compiled or interpreted JavaScript, or in a sleep that the signal ended: the thread holds no lock of the allocator or of the engine.
// `context`: the handler's third argument. False where that cannot be told. Safe in a signal handler.
bool is_lock_free_place(void* context);

}  // namespace rondo::engine
