// natives: none
// Numbers of WASI preview 1 (https://github.com/WebAssembly/WASI/blob/main/legacy/preview1/docs.md).
'use strict';

const kErrorNames = [
  'SUCCESS E2BIG EACCES EADDRINUSE EADDRNOTAVAIL EAFNOSUPPORT EAGAIN EALREADY EBADF EBADMSG EBUSY ECANCELED ECHILD ECONNABORTED',
  'ECONNREFUSED ECONNRESET EDEADLK EDESTADDRREQ EDOM EDQUOT EEXIST EFAULT EFBIG EHOSTUNREACH EIDRM EILSEQ EINPROGRESS EINTR EINVAL EIO',
  'EISCONN EISDIR ELOOP EMFILE EMLINK EMSGSIZE EMULTIHOP ENAMETOOLONG ENETDOWN ENETRESET ENETUNREACH ENFILE ENOBUFS ENODEV ENOENT',
  'ENOEXEC ENOLCK ENOLINK ENOMEM ENOMSG ENOPROTOOPT ENOSPC ENOSYS ENOTCONN ENOTDIR ENOTEMPTY ENOTRECOVERABLE ENOTSOCK ENOTSUP ENOTTY',
  'ENXIO EOVERFLOW EOWNERDEAD EPERM EPIPE EPROTO EPROTONOSUPPORT EPROTOTYPE ERANGE EROFS ESPIPE ESRCH ESTALE ETIMEDOUT ETXTBSY EXDEV',
  'ENOTCAPABLE',
];
const errors = { __proto__: null };
for (const name of each(stringSplit.call(arrayJoin.call(kErrorNames, ' '), ' '))) errors[name] = Object.keys(errors).length;

const kRightNames = [
  'fd_datasync fd_read fd_seek fd_fdstat_set_flags fd_sync fd_tell fd_write fd_advise fd_allocate path_create_directory',
  'path_create_file path_link_source path_link_target path_open fd_readdir path_readlink path_rename_source path_rename_target',
  'path_filestat_get path_filestat_set_size path_filestat_set_times fd_filestat_get fd_filestat_set_size fd_filestat_set_times',
  'path_symlink path_remove_directory path_unlink_file poll_fd_readwrite sock_shutdown sock_accept',
];
const rights = { __proto__: null };
for (const name of each(stringSplit.call(arrayJoin.call(kRightNames, ' '), ' '))) rights[name] = 1n << BigInt(Object.keys(rights).length);

function rightsOf(...names) {
  let bits = 0n;
  for (const name of each(names)) bits |= rights[name];
  return bits;
}

const kPoll = ['fd_filestat_get', 'fd_fdstat_set_flags', 'poll_fd_readwrite'];
const kAllRights = (1n << BigInt(Object.keys(rights).length)) - 1n;
const kFileRights = rightsOf(
  ...each(kPoll),
  'fd_datasync',
  'fd_read',
  'fd_seek',
  'fd_sync',
  'fd_tell',
  'fd_write',
  'fd_advise',
  'fd_allocate',
  'fd_filestat_set_size',
  'fd_filestat_set_times',
);
const kStreamRights = rightsOf(...each(kPoll), 'fd_read', 'fd_write', 'sock_shutdown');
const kFolderRights =
  kAllRights & ~rightsOf('fd_read', 'fd_seek', 'fd_tell', 'fd_write', 'fd_allocate', 'fd_filestat_set_size', 'sock_shutdown');

module.exports = {
  errors,
  rights,
  kAllRights,
  kFileRights,
  kFolderRights,
  kStreamRights,
  fileTypes: { unknown: 0, block: 1, character: 2, folder: 3, file: 4, datagram: 5, stream: 6, link: 7 },
  fdFlags: { append: 1, dsync: 2, nonblock: 4, rsync: 8, sync: 16 },
  openFlags: { create: 1, folder: 2, exclusive: 4, truncate: 8 },
  timeFlags: { access: 1, accessNow: 2, modification: 4, modificationNow: 8 },
  lookupFollow: 1,
};
