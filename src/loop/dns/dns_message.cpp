// The parser; see the header.
#include "loop/dns/dns_message.h"

#include <arpa/inet.h>

#include <cstdio>
#include <optional>

namespace rondo {
namespace {

// A cursor over the message. After an out-of-bounds read `failed` stays set and everything reads as zero.
class Reader {
 public:
  Reader(std::span<const std::uint8_t> message, std::size_t position, std::size_t end)
      : message_(message), position_(position), end_(end) {}

  std::uint8_t u8() { return take(1) ? message_[position_ - 1] : 0; }
  std::uint16_t u16() {
    return take(2) ? static_cast<std::uint16_t>(message_[position_ - 2] << 8 | message_[position_ - 1]) : 0;
  }
  std::uint32_t u32() {
    const std::uint32_t high = u16();
    return high << 16 | u16();
  }
  std::string bytes(std::size_t count) {
    if (!take(count)) return {};
    return {reinterpret_cast<const char*>(message_.data()) + position_ - count, count};
  }
  std::string leftover() { return bytes(end_ - position_); }
  std::string character_string() { return bytes(u8()); }
  std::string name();

  bool take(std::size_t count) {
    if (failed || count > end_ - position_) {
      failed = true;
      return false;
    }
    position_ += count;
    return true;
  }

  std::size_t position() const { return position_; }
  std::size_t left() const { return end_ - position_; }
  bool failed = false;

 private:
  std::span<const std::uint8_t> message_;
  std::size_t position_;
  std::size_t end_;
};

void append_escaped(std::string& out, std::uint8_t byte) {
  if (byte == '.' || byte == '\\') {
    out += '\\';
    out += static_cast<char>(byte);
  } else if (byte > 0x20 && byte < 0x7f) {
    out += static_cast<char>(byte);
  } else {
    char text[8];
    std::snprintf(text, sizeof text, "\\%03u", byte);
    out += text;
  }
}

// Labels, perhaps continued elsewhere in the message. A name has at most 255 octets, so a chain of pointers that
// loops is found out by its length, or by the number of jumps if it has none.
std::string Reader::name() {
  std::string out;
  std::size_t at = position_, octets = 0, jumps = 0;
  bool has_jumped = false;
  while (!failed) {
    const std::size_t limit = has_jumped ? message_.size() : end_;
    if (at >= limit) break;
    const std::uint8_t length = message_[at];
    if ((length & 0xc0) == 0xc0) {
      if (at + 1 >= limit || ++jumps > 128) break;
      if (!has_jumped) position_ = at + 2;
      has_jumped = true;
      at = static_cast<std::size_t>(length & 0x3f) << 8 | message_[at + 1];
      continue;
    }
    if (length & 0xc0) break;
    if (length == 0) {
      if (!has_jumped) position_ = at + 1;
      return out;
    }
    octets += length + 1u;
    if (at + 1 + length > limit || octets > 254) break;
    if (!out.empty()) out += '.';
    for (std::size_t i = 0; i < length; i++) append_escaped(out, message_[at + 1 + i]);
    at += 1u + length;
  }
  failed = true;
  return {};
}

std::string address_text(int family, const std::string& bytes) {
  char text[INET6_ADDRSTRLEN];
  return inet_ntop(family, bytes.data(), text, sizeof text) ? text : "";
}

void parse_soa(Reader& in, DnsRecord& record) {
  record.value = in.name();
  record.hostmaster = in.name();
  record.serial = in.u32();
  record.refresh = in.u32();
  record.retry = in.u32();
  record.expire = in.u32();
  record.minimum = in.u32();
}

void parse_naptr(Reader& in, DnsRecord& record) {
  record.priority = in.u16();
  record.weight = in.u16();
  record.flags = in.character_string();
  record.service = in.character_string();
  record.regexp = in.character_string();
  record.value = in.name();
}

// False: a type we do not know.
bool parse_data(Reader& in, DnsRecord& record) {
  switch (record.type) {
    case DnsType::A:
      in.failed |= in.left() != 4;
      if (!in.failed) record.value = address_text(AF_INET, in.leftover());
      return true;
    case DnsType::Aaaa:
      in.failed |= in.left() != 16;
      if (!in.failed) record.value = address_text(AF_INET6, in.leftover());
      return true;
    case DnsType::Ns:
    case DnsType::Cname:
    case DnsType::Ptr:
      record.value = in.name();
      return true;
    case DnsType::Mx:
      record.priority = in.u16();
      record.value = in.name();
      return true;
    case DnsType::Txt:
      while (in.left() > 0 && !in.failed) record.texts.push_back(in.character_string());
      return true;
    case DnsType::Soa:
      parse_soa(in, record);
      return true;
    case DnsType::Srv:
      record.priority = in.u16();
      record.weight = in.u16();
      record.port = in.u16();
      record.value = in.name();
      return true;
    case DnsType::Naptr:
      parse_naptr(in, record);
      return true;
    case DnsType::Caa:
      record.priority = in.u8();
      record.flags = in.character_string();
      record.value = in.leftover();
      return true;
    case DnsType::Tlsa:
      record.priority = in.u8();
      record.weight = in.u8();
      record.port = in.u8();
      record.value = in.leftover();
      return true;
    default:
      return false;
  }
}

}  // namespace

bool parse_dns_message(std::span<const std::uint8_t> message, DnsType type, std::vector<DnsRecord>& records) {
  Reader in(message, 0, message.size());
  in.take(4);  // id, flags
  const std::uint16_t questions = in.u16();
  const std::uint16_t answers = in.u16();
  in.take(4);  // authorities, additional
  for (int i = 0; i < questions && !in.failed; i++) {
    in.name();
    in.take(4);
  }
  constexpr std::uint16_t kInternet = 1;
  for (int i = 0; i < answers && !in.failed; i++) {
    in.name();
    DnsRecord record;
    record.type = static_cast<DnsType>(in.u16());
    const std::uint16_t record_class = in.u16();
    record.ttl = in.u32();
    const std::size_t size = in.u16();
    const std::size_t begin = in.position();
    if (!in.take(size)) break;
    if (record_class != kInternet || (type != DnsType::Any && record.type != type)) continue;
    Reader data(message, begin, begin + size);
    if (!parse_data(data, record)) continue;
    if (data.failed) return false;
    records.push_back(std::move(record));
  }
  return !in.failed;
}

}  // namespace rondo
