// How much memory this process may use, as the kernel tells: the machine's, or less where a control group or a limit of the
// address space says so. Facts that are not told (a bare container has neither /proc nor /sys) do not count; nothing here fails.
//
// The engine's allocator asks before main and while it starts itself: no memory is allocated here.
#pragma once

#include <cstdint>

namespace rondo {

// The limit of the control group and of those around it; 0: none.
std::uint64_t constrained_memory();

// The same as it was when first asked: a start asks twice, and the answer is a dozen files of the kernel's.
std::uint64_t first_constrained_memory();

// The least of the machine's memory, first_constrained_memory() and the address space.
std::uint64_t usable_memory();

// The limit of the address space, or of its writable part where that is less (ulimit -v, -d); 0: none.
std::uint64_t address_space_limit();

}  // namespace rondo
