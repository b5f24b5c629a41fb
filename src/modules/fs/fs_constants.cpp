// fs.constants: an object without a prototype, in Node's order of names.
#include "modules/fs/fs_constants.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rondo::modules {

using namespace engine;

namespace {

struct Constant {
  const char* name;
  int value;
};

#define NAMED(name) {#name, name}
constexpr Constant kConstants[] = {{"UV_FS_SYMLINK_DIR", 1},
                                   {"UV_FS_SYMLINK_JUNCTION", 2},
                                   NAMED(O_RDONLY),
                                   NAMED(O_WRONLY),
                                   NAMED(O_RDWR),
                                   {"UV_DIRENT_UNKNOWN", 0},
                                   {"UV_DIRENT_FILE", 1},
                                   {"UV_DIRENT_DIR", 2},
                                   {"UV_DIRENT_LINK", 3},
                                   {"UV_DIRENT_FIFO", 4},
                                   {"UV_DIRENT_SOCKET", 5},
                                   {"UV_DIRENT_CHAR", 6},
                                   {"UV_DIRENT_BLOCK", 7},
                                   NAMED(S_IFMT),
                                   NAMED(S_IFREG),
                                   NAMED(S_IFDIR),
                                   NAMED(S_IFCHR),
                                   NAMED(S_IFBLK),
                                   NAMED(S_IFIFO),
                                   NAMED(S_IFLNK),
                                   NAMED(S_IFSOCK),
                                   NAMED(O_CREAT),
                                   NAMED(O_EXCL),
                                   {"UV_FS_O_FILEMAP", 0},
                                   NAMED(O_NOCTTY),
                                   NAMED(O_TRUNC),
                                   NAMED(O_APPEND),
                                   NAMED(O_DIRECTORY),
                                   NAMED(O_NOATIME),
                                   NAMED(O_NOFOLLOW),
                                   NAMED(O_SYNC),
                                   NAMED(O_DSYNC),
                                   NAMED(O_DIRECT),
                                   NAMED(O_NONBLOCK),
                                   NAMED(S_IRWXU),
                                   NAMED(S_IRUSR),
                                   NAMED(S_IWUSR),
                                   NAMED(S_IXUSR),
                                   NAMED(S_IRWXG),
                                   NAMED(S_IRGRP),
                                   NAMED(S_IWGRP),
                                   NAMED(S_IXGRP),
                                   NAMED(S_IRWXO),
                                   NAMED(S_IROTH),
                                   NAMED(S_IWOTH),
                                   NAMED(S_IXOTH),
                                   NAMED(F_OK),
                                   NAMED(R_OK),
                                   NAMED(W_OK),
                                   NAMED(X_OK),
                                   {"UV_FS_COPYFILE_EXCL", 1},
                                   {"COPYFILE_EXCL", 1},
                                   {"UV_FS_COPYFILE_FICLONE", 2},
                                   {"COPYFILE_FICLONE", 2},
                                   {"UV_FS_COPYFILE_FICLONE_FORCE", 4},
                                   {"COPYFILE_FICLONE_FORCE", 4}};
#undef NAMED

}  // namespace

void put_fs_constants(JSC::JSGlobalObject* realm, JSC::JSObject* target) {
  auto* object = JSC::constructEmptyObject(realm->vm(), realm->nullPrototypeObjectStructure());
  for (const auto& constant : kConstants) put(realm, object, constant.name, JSC::jsNumber(constant.value));
  put(realm, target, "constants", object);
}

}  // namespace rondo::modules
