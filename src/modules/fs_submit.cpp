// Where an asynchronous file operation runs. Its callback always comes in a poll phase of the loop, after the call that
// asked for it has returned.
#include "modules/fs_task.h"

namespace rondo::modules {

void submit(FsTask* task) {
  task->perform();
  task->runtime.loop().post([task] { complete(task); });
}

}  // namespace rondo::modules
