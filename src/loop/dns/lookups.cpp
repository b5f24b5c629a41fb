// getaddrinfo and getnameinfo as pool jobs; addresses as text.
#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "loop/net/simulated_host.h"
#include "rondo/dns.h"
#include "rondo/loop.h"
#include "rondo/recording.h"

namespace rondo {
namespace {

// glibc's EAI numbers to Node's.
int to_error(int code) {
  switch (code) {
    case 0:
      return 0;
    case EAI_ADDRFAMILY:
      return kAddressInfoErrors;
    case EAI_AGAIN:
      return kAddressInfoErrors + 1;
    case EAI_BADFLAGS:
      return kAddressInfoErrors + 2;
    case EAI_FAIL:
      return kAddressInfoErrors + 4;
    case EAI_FAMILY:
      return kAddressInfoErrors + 5;
    case EAI_MEMORY:
      return kAddressInfoErrors + 6;
    case EAI_NODATA:
      return kAddressInfoErrors + 7;
    case EAI_NONAME:
      return kAddressInfoErrors + 8;
    case EAI_OVERFLOW:
      return kAddressInfoErrors + 9;
    case EAI_SERVICE:
      return kAddressInfoErrors + 10;
    case EAI_SOCKTYPE:
      return kAddressInfoErrors + 11;
    case EAI_SYSTEM:
      return errno;
    default:
      return kAddressInfoErrors + 4;
  }
}

constexpr int kCancelled = kAddressInfoErrors + 3;

}  // namespace

void AddressLookup::start(Loop& loop, std::string_view host, std::string_view service, Hints hints, Done done) {
  host_.assign(host);
  service_.assign(service);
  hints_ = hints;
  addresses_.clear();
  done_.set(std::move(done));
  if (SimulatedHost* const host_of_loop = simulated_host(loop)) [[unlikely]] {
    return host_of_loop->run(
        loop, [this, host_of_loop] { error_ = host_of_loop->look_up(host_, service_, hints_, addresses_); },
        [this] { done_(*this); });
  }
  job_.job_class = JobClass::Dns;
  job_.owner = this;
  job_.work = [](Job& job) { static_cast<AddressLookup*>(job.owner)->look_up(); };
  job_.on_done = [](Job& job, int error) {
    auto& self = *static_cast<AddressLookup*>(job.owner);
    if (error) self.error_ = kCancelled;
    self.done_(self);
  };
  ThreadPool::shared().submit(loop, job_);
}

void AddressLookup::cancel() { ThreadPool::shared().cancel(job_); }

void AddressLookup::look_up() {
  addrinfo hints{};
  hints.ai_family = hints_.family;
  hints.ai_socktype = hints_.socket_type;
  hints.ai_flags = hints_.flags;
  const char* const host = host_.empty() ? nullptr : host_.c_str();
  const char* const service = service_.empty() ? nullptr : service_.c_str();
  const auto ask = [&] {
    addrinfo* list = nullptr;
    const int error = to_error(getaddrinfo(host, service, &hints, &list));
    if (error) return error;
    for (const addrinfo* info = list; info; info = info->ai_next) {
      addresses_.emplace_back(info->ai_addr, info->ai_addrlen);
    }
    freeaddrinfo(list);
    return 0;
  };
  Recording* const recording = Recording::current();
  if (!recording) [[likely]] {
    error_ = ask();
    return;
  }
  error_ = static_cast<int>(recording->result('d', ask));
  const long count = recording->result('#', [this] { return static_cast<long>(addresses_.size()); });
  for (long i = 0; i < count; i++) {
    const auto address =
        recording->address('@', [&]() -> Result<Address> { return addresses_[static_cast<std::size_t>(i)]; });
    if (recording->is_replay()) addresses_.push_back(*address);
  }
}

void NameLookup::start(Loop& loop, const Address& address, int flags, Done done) {
  address_ = address;
  flags_ = flags;
  done_.set(std::move(done));
  if (SimulatedHost* const host_of_loop = simulated_host(loop)) [[unlikely]] {
    return host_of_loop->run(
        loop, [this, host_of_loop] { error_ = host_of_loop->look_up(address_, flags_, host_, service_); },
        [this] { done_(*this); });
  }
  job_.job_class = JobClass::Dns;
  job_.owner = this;
  job_.work = [](Job& job) { static_cast<NameLookup*>(job.owner)->look_up(); };
  job_.on_done = [](Job& job, int error) {
    auto& self = *static_cast<NameLookup*>(job.owner);
    if (error) self.error_ = kCancelled;
    self.done_(self);
  };
  ThreadPool::shared().submit(loop, job_);
}

void NameLookup::cancel() { ThreadPool::shared().cancel(job_); }

void NameLookup::look_up() {
  char host[NI_MAXHOST] = {}, service[NI_MAXSERV] = {};
  const auto ask = [&] {
    return to_error(getnameinfo(address_.data(), address_.size(), host, sizeof host, service, sizeof service, flags_));
  };
  Recording* const recording = Recording::current();
  error_ = recording ? static_cast<int>(recording->result('d', ask)) : ask();
  host_ = host;
  service_ = service;
  if (!recording) [[likely]]
    return;
  recording->text('@', host_);
  recording->text('@', service_);
}

}  // namespace rondo
