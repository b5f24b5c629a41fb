// Drops privileges before the fence: those that a later exec could give it, and capabilities that it has as root.
#pragma once

namespace rondo::fence {

// PR_SET_NO_NEW_PRIVS, which Landlock and seccomp demand of an unprivileged process. False with errno.
bool give_up_new_privileges();
// All capabilities, also those that could be had again. False with errno.
bool give_up_capabilities();

}  // namespace rondo::fence
