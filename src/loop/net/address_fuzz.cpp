// Any text as an IP address or a socket's path: refused, or read into an address.
#include "rondo/address.h"

#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)rondo::Address::ip(text, 80);
  (void)rondo::Address::unix_socket(text);
  return 0;
}
