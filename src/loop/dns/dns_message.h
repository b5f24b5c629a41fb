// Reading DNS messages (RFC 1035 and the records' own RFCs). Bytes in, records out; no sockets. The Resolver calls
// it on what c-ares received, so every length and offset is checked.
#pragma once

#include <cstdint>
#include <span>

#include "rondo/dns.h"

namespace rondo {

// Appends the answer section's records of `type` (Any: all known ones). False: the message is malformed.
bool parse_dns_message(std::span<const std::uint8_t> message, DnsType type, std::vector<DnsRecord>& records);

}  // namespace rondo
