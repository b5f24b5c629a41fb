// getaddrinfo and getnameinfo as pool jobs; addresses as text.
#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "rondo/dns.h"
#include "rondo/loop.h"

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
  addrinfo* list = nullptr;
  error_ = to_error(getaddrinfo(host_.empty() ? nullptr : host_.c_str(), service_.empty() ? nullptr : service_.c_str(),
                                &hints, &list));
  if (error_) return;
  for (const addrinfo* info = list; info; info = info->ai_next) {
    addresses_.emplace_back(info->ai_addr, info->ai_addrlen);
  }
  freeaddrinfo(list);
}

void NameLookup::start(Loop& loop, const Address& address, int flags, Done done) {
  address_ = address;
  flags_ = flags;
  done_.set(std::move(done));
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
  error_ = to_error(getnameinfo(address_.data(), address_.size(), host, sizeof host, service, sizeof service, flags_));
  host_ = host;
  service_ = service;
}

}  // namespace rondo
