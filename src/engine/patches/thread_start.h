// The end of a process that cannot have a thread it needs: a sentence on stderr and an exit code, where the engine would abort.
#pragma once

namespace rondo::engine {

// `error`: an errno.
[[noreturn]] void end_without_thread(int error);

}  // namespace rondo::engine
