// Any bytes as a DNS message, for every type: no read out of bounds, no endless name.
#include "loop/dns/dns_message.h"

#include <cstddef>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static constexpr rondo::DnsType kTypes[] = {rondo::DnsType::Any, rondo::DnsType::A, rondo::DnsType::Naptr};
  for (const rondo::DnsType type : kTypes) {
    std::vector<rondo::DnsRecord> records;
    rondo::parse_dns_message({data, size}, type, records);
  }
  return 0;
}
