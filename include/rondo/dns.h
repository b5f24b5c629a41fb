// Names and addresses, both ways there are:
//
//   AddressLookup, NameLookup   the system's resolver (getaddrinfo, getnameinfo: /etc/hosts, nsswitch) on the
//                               thread pool, class Dns
//   Resolver                    DNS queries proper, on the loop, without threads; by c-ares
//
// Rules of owner and thread: the look-ups are requests (see fs.h: they stay put until their callback, which
// runs exactly once and may destroy them); the Resolver is a handle (handle.h).
#pragma once

#include <netdb.h>
#include <sys/socket.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/address.h"
#include "rondo/base/function.h"
#include "rondo/base/result.h"
#include "rondo/handle.h"
#include "rondo/thread_pool.h"
#include "rondo/timer.h"

namespace [[gnu::visibility("default")]] rondo {

// getaddrinfo. error() is 0, an EAI number as Node counts them (3000 upwards), or an errno.
class AddressLookup {
 public:
  struct Hints {
    int family = AF_UNSPEC;
    int socket_type = SOCK_STREAM;
    int flags = 0;  // AI_*
  };
  using Done = Function<void(AddressLookup&)>;

  AddressLookup() = default;
  AddressLookup(const AddressLookup&) = delete;
  AddressLookup& operator=(const AddressLookup&) = delete;

  void start(Loop& loop, std::string_view host, std::string_view service, Hints hints, Done done);
  void start(Loop& loop, std::string_view host, Done done) { start(loop, host, {}, Hints{}, std::move(done)); }
  // One that waits in the queue ends with EAI_CANCELED; a running one cannot be stopped.
  void cancel();

  int error() const { return error_; }
  const std::vector<Address>& addresses() const { return addresses_; }

 private:
  void look_up();

  std::string host_;
  std::string service_;
  Hints hints_;
  int error_ = 0;
  std::vector<Address> addresses_;
  Callback<void(AddressLookup&)> done_;
  Job job_;
};

// getnameinfo.
class NameLookup {
 public:
  using Done = Function<void(NameLookup&)>;

  NameLookup() = default;
  NameLookup(const NameLookup&) = delete;
  NameLookup& operator=(const NameLookup&) = delete;

  void start(Loop& loop, const Address& address, int flags, Done done);  // NI_* flags
  void cancel();

  int error() const { return error_; }
  const std::string& host() const { return host_; }
  const std::string& service() const { return service_; }

 private:
  void look_up();

  Address address_;
  int flags_ = 0;
  int error_ = 0;
  std::string host_;
  std::string service_;
  Callback<void(NameLookup&)> done_;
  Job job_;
};

// Numbers are those of DNS itself.
enum class DnsType : std::uint16_t {
  A = 1,
  Ns = 2,
  Cname = 5,
  Soa = 6,
  Ptr = 12,
  Mx = 15,
  Txt = 16,
  Aaaa = 28,
  Srv = 33,
  Naptr = 35,
  Tlsa = 52,
  Any = 255,
  Caa = 257,
};

// One record; which fields count depends on the type.
struct DnsRecord {
  DnsType type = DnsType::A;
  std::uint32_t ttl = 0;
  std::string value;               // address, target name, exchange, primary server (SOA), CAA value, TLSA data
  std::vector<std::string> texts;  // TXT: its pieces
  std::uint16_t priority = 0;      // MX, SRV; NAPTR: order; TLSA: certificate usage; CAA: flags
  std::uint16_t weight = 0;        // SRV; NAPTR: preference; TLSA: selector
  std::uint16_t port = 0;          // SRV; TLSA: matching type
  std::string flags;               // NAPTR; CAA: tag
  std::string service;             // NAPTR
  std::string regexp;              // NAPTR; its replacement is `value`
  std::string hostmaster;          // SOA
  std::uint32_t serial = 0, refresh = 0, retry = 0, expire = 0, minimum = 0;  // SOA
};

struct DnsAnswer {
  int status = 0;  // c-ares status, 0: records are there
  std::vector<DnsRecord> records;
};

// "ENOTFOUND", "ENODATA", "ETIMEOUT" ... as Node names them.
const char* dns_error_name(int status);

struct ResolverOptions {
  int timeout_ms = -1;  // of the first try; -1: c-ares's own
  int tries = 4;
};

class Resolver final : public Handle {
 public:
  using Done = Function<void(const DnsAnswer&)>;

  explicit Resolver(Loop& loop, ResolverOptions options = {});
  ~Resolver() override;

  // `done` runs once, never from inside this call. Keeps the loop alive until then.
  void resolve(std::string_view name, DnsType type, Done done);
  // The names of an address: PTR records. EBADNAME-like status (ENOTIMP) for what is no address.
  void reverse(std::string_view address, Done done);
  // Ends all queries with ECANCELLED.
  void cancel();

  // "1.1.1.1", "127.0.0.1:5353", "[::1]:53". Status; not while queries are under way.
  int set_servers(const std::vector<std::string>& servers);
  std::vector<std::string> servers();
  // Where queries come from; empty: the system chooses.
  bool set_local_address(const std::string& ipv4, const std::string& ipv6);

 private:
  struct Channel;
  struct Query;
  friend struct Channel;
  void begin_close() override;
  Channel* channel();
  void finished(std::unique_ptr<Query> query);
  void deliver();
  void update();

  ResolverOptions options_;
  std::unique_ptr<Channel> channel_;
  std::vector<std::unique_ptr<Query>> finished_;
  std::size_t outstanding_ = 0;
  Timer timeout_;   // c-ares's next deadline
  Timer delivery_;  // answers that were there at once
  bool* destroyed_ = nullptr;
};

}  // namespace rondo
