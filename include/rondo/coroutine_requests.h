// Requests in coroutines: read_file and write_file for whole files, run() for every other file request, look_up for names.
// Part of coroutine.h.
//
//   rondo::Result<std::string> text = co_await rondo::read_file(loop, "config.json");
//
//   rondo::Result<std::vector<rondo::Address>> found = co_await rondo::look_up(loop, "example.org", "https");
//
//   rondo::FileRequest request;
//   rondo::Result<std::int64_t> size = co_await rondo::run(loop, request.stat("data"));
#pragma once

#include <fcntl.h>

#include <coroutine>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "rondo/base/fatal.h"
#include "rondo/base/result.h"
#include "rondo/coroutine.h"
#include "rondo/detail/lingering.h"
#include "rondo/detail/loop_access.h"
#include "rondo/dns.h"
#include "rondo/fs.h"
#include "rondo/loop.h"
#include "rondo/coroutine_type.h"

namespace rondo {

// Runs a file request and gives its result. The request and its buffers belong to the kernel until then (rule F1):
// destroying the task meanwhile ends the program; a token ends it early, at the pace of the request. read_file() and
// write_file() below have no such rule.
class [[nodiscard]] FileAwait final : private CancelToken::Waiter {
 public:
  FileAwait(Loop& loop, FileRequest& request, CancelToken token)
      : loop_(loop), request_(request), token_(std::move(token)) {}
  FileAwait(const FileAwait&) = delete;
  ~FileAwait() {
    if (request_.is_busy()) fatal("a task was destroyed while it waited for run(FileRequest)", EBUSY);
  }
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> coroutine) {
    token_.tell(*this);
    request_.start(loop_, [this, coroutine](FileRequest&) {
      unlink();
      detail::resume(coroutine);
    });
    if (token_.is_cancelled()) request_.cancel();
  }
  Result<std::int64_t> await_resume() { return to_result<std::int64_t>(request_.result(), request_.syscall()); }

 private:
  void on_cancel() override { request_.cancel(); }

  Loop& loop_;
  FileRequest& request_;
  CancelToken token_;
};

inline FileAwait run(Loop& loop, FileRequest& request, CancelToken token = {}) {
  return {loop, request, std::move(token)};
}

// A whole file, read (std::string) or written (void). The request and the data are the await's own and outlive a task that is
// destroyed meanwhile.
template <class T>
class [[nodiscard]] WholeFileAwait final : public Awaiter {
 public:
  struct Owned final : Lingering {
    FileRequest request;
    std::string data;  // what is written
  };
  WholeFileAwait(Loop& loop, std::unique_ptr<Owned> owned, CancelToken token)
      : Awaiter(loop, std::move(token)), owned_(std::move(owned)) {}
  ~WholeFileAwait() {
    if (is_armed()) running_->cancel();
  }
  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> coroutine) {
    if (is_cancelled()) return set_cancelled(), false;
    detail::LoopAccess::linger(loop_, *owned_);
    running_ = &owned_->request;
    running_->start(loop_, [ticket = Ticket(*this), owned = owned_.release()](FileRequest& done) mutable {
      const std::unique_ptr<Owned> last(owned);
      if (auto* self = ticket.template use<WholeFileAwait>()) self->finish(done);
    });
    wait(coroutine);
    return true;
  }
  Result<T> await_resume() { return std::move(result_); }

 private:
  void finish(FileRequest& done) {
    if (const Result<std::int64_t> outcome = done.outcome(); !outcome) {
      result_ = std::unexpected(outcome.error());
    } else if constexpr (!std::is_void_v<T>) {
      result_ = std::move(done.text());
    }
    resume();
  }
  void withdraw() override { running_->cancel(); }
  void set_cancelled() override { result_ = failure(ECANCELED, std::is_void_v<T> ? "write" : "read"); }

  std::unique_ptr<Owned> owned_;
  FileRequest* running_ = nullptr;
  Result<T> result_;
};

// As FileRequest::read_file: EFBIG beyond `limit` bytes.
inline WholeFileAwait<std::string> read_file(Loop& loop, std::string_view path, CancelToken token = {},
                                             std::uint64_t limit = UINT64_MAX) {
  auto owned = std::make_unique<WholeFileAwait<std::string>::Owned>();
  owned->request.read_file(path, O_RDONLY, limit);
  return {loop, std::move(owned), std::move(token)};
}
// As FileRequest::write_file; the file is made, or replaced. One that is cancelled may have been written in part.
inline WholeFileAwait<void> write_file(Loop& loop, std::string_view path, std::string data, CancelToken token = {},
                                       int flags = O_WRONLY | O_CREAT | O_TRUNC, std::uint32_t mode = 0666) {
  auto owned = std::make_unique<WholeFileAwait<void>::Owned>();
  owned->data = std::move(data);
  owned->request.write_file(path, owned->data.data(), owned->data.size(), flags, mode);
  return {loop, std::move(owned), std::move(token)};
}

// AddressLookup: the addresses of a host, or an error with a number from kAddressInfoErrors on (EAI_NONAME ...).
class [[nodiscard]] LookupAwait final : public Awaiter {
 public:
  LookupAwait(Loop& loop, std::string_view host, std::string_view service, CancelToken token,
              AddressLookup::Hints hints)
      : Awaiter(loop, std::move(token)), host_(host), service_(service), hints_(hints) {}
  ~LookupAwait() {
    if (is_armed()) running_->cancel();
  }
  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> coroutine) {
    if (is_cancelled()) return set_cancelled(), false;
    auto* owned = new Owned;
    detail::LoopAccess::linger(loop_, *owned);
    running_ = &owned->lookup;
    running_->start(loop_, host_, service_, hints_, [ticket = Ticket(*this), owned](AddressLookup& done) mutable {
      const std::unique_ptr<Owned> last(owned);
      if (auto* self = ticket.template use<LookupAwait>()) self->finish(done);
    });
    wait(coroutine);
    return true;
  }
  Result<std::vector<Address>> await_resume() { return std::move(result_); }

 private:
  struct Owned final : Lingering {
    AddressLookup lookup;
  };
  void finish(AddressLookup& done) {
    if (done.error()) {
      result_ = failure(done.error(), "getaddrinfo");
    } else {
      result_ = done.addresses();
    }
    resume();
  }
  void withdraw() override { running_->cancel(); }
  void set_cancelled() override { result_ = failure(ECANCELED, "getaddrinfo"); }

  std::string host_;
  std::string service_;
  AddressLookup::Hints hints_;
  AddressLookup* running_ = nullptr;
  Result<std::vector<Address>> result_;
};

// `service` is a number or a name of /etc/services, empty: port 0. For Tcp::connect(addresses).
inline LookupAwait look_up(Loop& loop, std::string_view host, std::string_view service = {}, CancelToken token = {},
                           AddressLookup::Hints hints = {}) {
  return {loop, host, service, std::move(token), hints};
}

}  // namespace rondo
