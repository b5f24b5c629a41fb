// How much a small heap allocates between two collections. The engine waits for 32 MB, whatever becomes of them: a program whose
// objects die young touches 32 MB of fresh memory, a page fault each 4 KB, and goes round in more than the processor's cache holds.
// Here a heap begins with 8 MB and stays there while little survives (decision 0131).
#pragma once

#include "engine/core/jsc.h"

namespace rondo::engine {

// When the heap is made.
void begin_nursery(JSC::Heap& heap);

// At the end of each collection, on whatever thread collects, with the program stopped. Makes the next collection come earlier than the engine
// would have it, never later.
void resize_nursery(JSC::Heap& heap, JSC::CollectionScope scope);

}  // namespace rondo::engine
