// Calls of the kernel that answer at once, for programs that need the answer before they go on: what a path or a descriptor is, a
// small file as a whole, random bytes, named Unix sockets. Any thread. What may take long is asked of a loop instead (fs.h,
// process.h); a child run to its end is run_process() of process.h.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "rondo/base/result.h"
#include "rondo/base/unique_fd.h"
#include "rondo/bytes.h"

namespace [[gnu::visibility("default")]] rondo {

// Paths. One with a zero byte in it: EINVAL. Symbolic links are followed.
bool path_exists(std::string_view path);
[[nodiscard]] Result<bool> is_directory(std::string_view path);
[[nodiscard]] Result<std::string> real_path(std::string_view path);
// The whole file, as FileRequest::read_file; EFBIG beyond `limit` bytes.
[[nodiscard]] Result<std::string> read_whole_file(std::string_view path, std::uint64_t limit = UINT64_MAX);

// Descriptors. Which handle fits one is handle_kind_of() of descriptor.h.
enum class DescriptorKind : std::uint8_t { None, Tty, File, Directory, Pipe, Socket };  // File: devices, too
DescriptorKind descriptor_kind_of(int fd);
// Everything, waiting as long as it takes, also on a descriptor that is in non-blocking mode.
[[nodiscard]] Result<void> write_fully(int fd, Bytes data);
// Writes as much as a pipe or socket has room for, without waiting and without a change of its flags: how many bytes were taken. EAGAIN:
// none.
[[nodiscard]] Result<std::size_t> write_available(int fd, Bytes data);

// Unix sockets by path, or by abstract name (a leading zero byte). They neither listen nor wait: connecting is done at once or
// fails.
[[nodiscard]] Result<UniqueFd> bind_unix_socket(std::string_view path);
[[nodiscard]] Result<void> connect_unix_socket(int fd, std::string_view path);

// The IP header's type of service, or traffic class, of a socket of either family.
[[nodiscard]] Result<void> set_type_of_service(int socket, int value);
[[nodiscard]] Result<int> type_of_service(int socket);

// Signals any process; ChildProcess::kill is for children. Signal 0 only asks.
[[nodiscard]] Result<void> send_signal(pid_t pid, int signal);

// From the kernel's generator. Ends the program if there is none.
void fill_random(std::span<std::byte> bytes);

}  // namespace rondo
