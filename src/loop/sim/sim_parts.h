// Scattering and gathering of an operation's buffers, for the simulated calls.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "rondo/operation.h"

namespace rondo {

// The buffers of a transfer, whatever its kind.
inline std::vector<iovec> parts_of(const Operation& op) {
  switch (op.kind) {
    case OpKind::ReadV:
    case OpKind::WriteV: {
      const auto* parts = static_cast<const iovec*>(op.data);
      return {parts, parts + op.length};
    }
    case OpKind::RecvMsg:
    case OpKind::SendMsg: {
      const auto* message = static_cast<const msghdr*>(op.data);
      return {message->msg_iov, message->msg_iov + message->msg_iovlen};
    }
    default:
      return {{op.data, op.length}};
  }
}

inline std::size_t size_of(const std::vector<iovec>& parts) {
  std::size_t total = 0;
  for (const iovec& part : parts) total += part.iov_len;
  return total;
}

inline std::string gather(const std::vector<iovec>& parts, std::size_t size) {
  std::string out;
  for (const iovec& part : parts)
    out.append(static_cast<const char*>(part.iov_base), std::min(part.iov_len, size - out.size()));
  return out;
}

inline void scatter(const std::vector<iovec>& parts, const char* data, std::size_t size) {
  for (const iovec& part : parts) {
    const std::size_t count = std::min(part.iov_len, size);
    if (count > 0) std::memcpy(part.iov_base, data, count);
    data += count;
    size -= count;
  }
}

}  // namespace rondo
