// See fs_permission.h. The rights are those that Node asks for, in its order.
#include "modules/fs/fs_permission.h"

#include "modules/support/permission_check.h"

#include <fcntl.h>

namespace rondo::modules {

using namespace engine;
using runtime::Runtime;

namespace {

JSC::JSObject* reads(Runtime& runtime, const std::string& path, LastLink last = LastLink::Follow) {
  return refused(runtime, Scope::FileSystemRead, path, last);
}

JSC::JSObject* writes(Runtime& runtime, const std::string& path, LastLink last = LastLink::Follow) {
  return refused(runtime, Scope::FileSystemWrite, path, last);
}

JSC::JSObject* opens(Runtime& runtime, const std::string& path, int flags) {
  const int access = flags & O_ACCMODE;
  if (access != O_WRONLY) {
    if (auto* refusal = reads(runtime, path)) return refusal;
  }
  if (access == O_RDONLY && !(flags & (O_CREAT | O_TRUNC | O_APPEND))) return nullptr;
  return writes(runtime, path);
}

// Rename and link take the file away, or make a second name under which other rights hold: both rights on it.
JSC::JSObject* moves(Runtime& runtime, const FileRequest& request) {
  if (auto* refusal = reads(runtime, request.path(), LastLink::Keep)) return refusal;
  if (auto* refusal = writes(runtime, request.path(), LastLink::Keep)) return refusal;
  return writes(runtime, request.path2(), LastLink::Keep);
}

JSC::JSObject* copies(Runtime& runtime, const FileRequest& request) {
  if (auto* refusal = reads(runtime, request.path())) return refusal;
  return writes(runtime, request.path2());
}

// Changes what no mode of a descriptor guards: a file that may only be read, too.
JSC::JSObject* disabled(Runtime& runtime, const FileRequest& request) {
  const std::string name = request.kind() == FileKind::Futimes ? "futimes" : request.syscall();
  return refused_whatever(runtime, name + " API is disabled when Permission Model is enabled.");
}

JSC::JSObject* links(Runtime& runtime) {
  if (runtime.permission()->allows(Scope::FileSystem)) return nullptr;
  return refused_whatever(runtime, "fs.symlink API requires full fs.read and fs.write permissions.");
}

}  // namespace

bool throws_refusal(FileKind kind) {
  switch (kind) {
    case FileKind::Chmod:
    case FileKind::Utimes:
    case FileKind::Lutimes:
    case FileKind::MakeDirectory:
    case FileKind::MakeDirectories:
    case FileKind::RemoveDirectory:
    case FileKind::ReadLink:
      return true;
    default:
      return false;
  }
}

JSC::JSObject* refusal_of(Runtime& runtime, const FileRequest& request) {
  const auto& path = request.path();
  switch (request.kind()) {
    case FileKind::None:
    case FileKind::Close:
    case FileKind::Read:
    case FileKind::ReadV:
    case FileKind::Write:
    case FileKind::WriteV:
    case FileKind::Fstat:
    case FileKind::Fallocate:
    case FileKind::Ftruncate:
    case FileKind::SendFile:
      return nullptr;  // Rights of an open file were checked when it was opened.
    case FileKind::Fsync:
    case FileKind::Fdatasync:
    case FileKind::Futimes:
    case FileKind::Fchmod:
    case FileKind::Fchown:
      return disabled(runtime, request);
    case FileKind::ReadFile:
    case FileKind::WriteFile:
      return path.empty() ? nullptr : opens(runtime, path, request.open_flags());
    case FileKind::Open:
      return opens(runtime, path, request.open_flags());
    case FileKind::Stat:
    case FileKind::ReadDirectory:
    case FileKind::Access:
    case FileKind::RealPath:
    case FileKind::StatFs:
      return reads(runtime, path);
    case FileKind::Lstat:
    case FileKind::ReadLink:
      return reads(runtime, path, LastLink::Keep);
    case FileKind::Truncate:
    case FileKind::Utimes:
    case FileKind::Chmod:
    case FileKind::Chown:
      return writes(runtime, path);
    case FileKind::Unlink:
    case FileKind::RemoveDirectory:
    case FileKind::MakeDirectory:
    case FileKind::MakeDirectories:
    case FileKind::RemoveAll:
    case FileKind::Lutimes:
    case FileKind::Lchmod:
    case FileKind::Lchown:
    case FileKind::MakeTemporary:
    case FileKind::MakeTemporaryFile:
      return writes(runtime, path, LastLink::Keep);
    case FileKind::Rename:
    case FileKind::Link:
      return moves(runtime, request);
    case FileKind::Symlink:
      return links(runtime);
    case FileKind::Copy:
      return copies(runtime, request);
  }
  return refused_whatever(runtime, "Access to this API has been restricted");
}

}  // namespace rondo::modules
