// statx(2), also where it is refused.
#pragma once

#include <sys/stat.h>

namespace rondo {

// 0, or -1 and errno. Containers made for older kernels refuse statx with EPERM, which it has no other reason to say; then fstatat(2)
// answers; the time of birth is that of the last change then. (For ENOSYS libc does the same.)
int status_at(int folder, const char* path, int flags, unsigned wanted, struct ::statx& status);

}  // namespace rondo
