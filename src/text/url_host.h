// Hosts, as the URL Standard parses them (https://url.spec.whatwg.org/#host-parsing): domains, IPv4, IPv6, opaque hosts.
// And percent-encoding, which hosts and the URL parser share.
#pragma once

#include "text/url.h"

namespace rondo::url {

// The percent-encode sets, each containing the one before (but C0Control ⊂ Fragment, Query as the Standard has them).
enum class EncodeSet : uint8_t { C0Control, Fragment, Query, SpecialQuery, Path, UserInfo };

bool is_in(EncodeSet set, uint8_t byte);
void append_encoded(std::string& out, uint8_t byte, EncodeSet set);
std::string percent_decode(std::string_view text);

// https://url.spec.whatwg.org/#concept-host-parser followed by the serialiser.
std::optional<std::string> parse_host(std::string_view input, bool is_opaque, const DomainToAscii& to_ascii);
// https://url.spec.whatwg.org/#concept-domain-to-ascii, non-strict.
std::optional<std::string> domain_to_ascii(std::string_view domain, const DomainToAscii& to_ascii);
// Decodes the xn-- labels that are well-formed.
std::string domain_to_unicode(std::string_view ascii_domain);

}  // namespace rondo::url
