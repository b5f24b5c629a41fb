// A part of a file to a stream, with backpressure at both ends: sendfile(2) from the page cache to a socket, as much as the kernel takes
// at a time, and no thread waits for a slow peer. Parts that are not in memory are read by a pool thread first. Where there is no
// sendfile (pipes, simulations) pieces are read and written.
//
//   rondo::Result<std::uint64_t> sent = co_await rondo::send_file(client, file.get(), 0, size, token);
//
// Gives the number of bytes, fewer than `size` at the end of the file. What the stream has queued goes first. Nothing else may be
// written to the stream meanwhile. Cancelled or failed, some of it may have been sent. Thread: the loop's.
#pragma once

#include <cstdint>

#include "rondo/base/result.h"
#include "rondo/coroutine_type.h"
#include "rondo/stream.h"

namespace [[gnu::visibility("default")]] rondo {

Coroutine<Result<std::uint64_t>> send_file(Stream& stream, int file, std::uint64_t offset, std::uint64_t size,
                                           CancelToken token = {});

}  // namespace rondo
