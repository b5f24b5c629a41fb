// Requests in coroutines: read_file and write_file for whole files, read_at and write_at for parts, perform() for every other file
// request, look_up for names. Part of coroutine.h.
//
//   rondo::Result<std::string> text = co_await rondo::read_file(loop, "config.json");
//
//   rondo::Result<std::vector<rondo::Address>> found = co_await rondo::look_up(loop, "example.org", "https");
//
//   rondo::FileRequest request;
//   rondo::Result<std::int64_t> size = co_await rondo::perform(loop, request.stat("data"));
//
//  CR1 The kernel or a thread works on memory that the await owns, never on the coroutine's: a task may be destroyed at any time, and
//      what it had begun ends by itself.
//  CR2 Cancelled, an await is over at once; a write, a copy or a removal may have been done all the same, or in part.
//
// Thread: the loop's. One allocation, for the request.
#pragma once

#include <fcntl.h>

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "rondo/awaiter.h"
#include "rondo/base/result.h"
#include "rondo/coroutine_type.h"
#include "rondo/detail/lingering.h"
#include "rondo/detail/loop_access.h"
#include "rondo/dns.h"
#include "rondo/fs.h"
#include "rondo/loop.h"

namespace [[gnu::visibility("default")]] rondo {

// The common part: `Owned` has the request, and outlives an await that is abandoned. It is a Lingering with
//   start(Loop&, Function)   begins; the function is called once, from the loop
//   cancel()
//   take() -> Result<T>      after the end
//   kCall                    the name of the call, for ECANCELED
template <class Owned>
class [[nodiscard]] RequestAwait final : public TicketAwaiter {
 public:
  using Value = decltype(std::declval<Owned&>().take());

  RequestAwait(Loop& loop, std::unique_ptr<Owned> owned, CancelToken token)
      : TicketAwaiter(std::move(token)), loop_(loop), owned_(owned.release()) {}
  ~RequestAwait() {
    if (is_armed()) {
      disarm();
      owned_->cancel();
    } else {
      delete owned_;
    }
  }
  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> coroutine) {
    if (is_cancelled()) return set_error(ECANCELED), false;
    detail::LoopAccess::linger(loop_, *owned_);
    owned_->start(loop_, [ticket = Ticket(*this), owned = owned_]() mutable {
      owned->unlink();
      if (auto* self = ticket.template use<RequestAwait>()) return self->resume();
      delete owned;
    });
    wait(coroutine);
    return true;
  }
  [[nodiscard]] Value await_resume() {
    if (error_) return failure(error_, Owned::kCall);
    return owned_->take();
  }

 private:
  Loop& await_loop() override { return loop_; }
  void stop() override { std::exchange(owned_, nullptr)->cancel(); }
  void set_error(int number) override { error_ = number; }

  Loop& loop_;
  Owned* owned_;  // ours before it begins and after its end; meanwhile its own
  int error_ = 0;
};

namespace detail {

struct FileWork : Lingering {
  FileRequest request;
  std::string data;  // that the request reads into or writes from
  template <class Done>
  void start(Loop& loop, Done done) {
    request.start(loop, [done = std::move(done)](FileRequest&) mutable { done(); });
  }
  void cancel() { request.cancel(); }
};

struct ReadFileWork final : FileWork {
  static constexpr const char* kCall = "read";
  Result<std::string> take() {
    if (const auto outcome = request.outcome(); !outcome) return std::unexpected(outcome.error());
    return std::move(request.text());
  }
};
struct WriteFileWork final : FileWork {
  static constexpr const char* kCall = "write";
  Result<void> take() {
    if (const auto outcome = request.outcome(); !outcome) return std::unexpected(outcome.error());
    return {};
  }
};
struct ReadAtWork final : FileWork {
  static constexpr const char* kCall = "read";
  Result<std::string> take() {
    const auto outcome = request.outcome();
    if (!outcome) return std::unexpected(outcome.error());
    data.resize(static_cast<std::size_t>(*outcome));
    return std::move(data);
  }
};
struct WriteAtWork final : FileWork {
  static constexpr const char* kCall = "write";
  Result<std::size_t> take() {
    const auto outcome = request.outcome();
    if (!outcome) return std::unexpected(outcome.error());
    return static_cast<std::size_t>(*outcome);
  }
};
// The caller's request is described anew in memory of our own, and gets the results back at the end.
struct PerformWork final : FileWork {
  static constexpr const char* kCall = "perform";
  explicit PerformWork(FileRequest& described) : caller(described) { request.take_description(described, data); }
  Result<std::int64_t> take() {
    caller.take_results(request, data);
    return caller.outcome();
  }
  FileRequest& caller;
};
struct LookupWork final : Lingering {
  static constexpr const char* kCall = "getaddrinfo";
  AddressLookup lookup;
  std::string host;
  std::string service;
  AddressLookup::Hints hints;
  template <class Done>
  void start(Loop& loop, Done done) {
    lookup.start(loop, host, service, hints, [done = std::move(done)](AddressLookup&) mutable { done(); });
  }
  void cancel() { lookup.cancel(); }
  Result<std::vector<Address>> take() {
    if (lookup.error()) return failure(lookup.error(), kCall);
    return lookup.addresses();
  }
};

}  // namespace detail

using PerformAwait = RequestAwait<detail::PerformWork>;
using FileAwait [[deprecated("renamed: PerformAwait")]] = PerformAwait;
using LookupAwait = RequestAwait<detail::LookupWork>;

// Any file request: Result<int64_t> is its outcome(), and `request` has its status(), text(), entries() afterwards. Bytes to be read or
// written are copied once, because the await owns what the kernel works on; read_at() and write_at() copy none.
inline PerformAwait perform(Loop& loop, FileRequest& request, CancelToken token = {}) {
  return {loop, std::make_unique<detail::PerformWork>(request), std::move(token)};
}
[[deprecated("renamed: perform")]] inline PerformAwait run(Loop& loop, FileRequest& request, CancelToken token = {}) {
  return perform(loop, request, std::move(token));
}

// As FileRequest::read_file: EFBIG beyond `limit` bytes.
inline RequestAwait<detail::ReadFileWork> read_file(Loop& loop, std::string_view path, CancelToken token = {},
                                                    std::uint64_t limit = UINT64_MAX) {
  auto owned = std::make_unique<detail::ReadFileWork>();
  owned->request.read_file(path, O_RDONLY, limit);
  return {loop, std::move(owned), std::move(token)};
}
// As FileRequest::write_file; the file is made, or replaced.
inline RequestAwait<detail::WriteFileWork> write_file(Loop& loop, std::string_view path, std::string data,
                                                      CancelToken token = {}, int flags = O_WRONLY | O_CREAT | O_TRUNC,
                                                      std::uint32_t mode = 0666) {
  auto owned = std::make_unique<detail::WriteFileWork>();
  owned->data = std::move(data);
  owned->request.write_file(path, owned->data.data(), owned->data.size(), flags, mode);
  return {loop, std::move(owned), std::move(token)};
}
// Up to `size` bytes; fewer at the end of the file. Offset -1: at the descriptor's position, which moves.
inline RequestAwait<detail::ReadAtWork> read_at(Loop& loop, int fd, std::size_t size, std::int64_t offset = -1,
                                                CancelToken token = {}) {
  auto owned = std::make_unique<detail::ReadAtWork>();
  owned->data.resize(size);
  owned->request.read(fd, owned->data.data(), size, offset);
  return {loop, std::move(owned), std::move(token)};
}
// Gives how many bytes were written, which may be fewer than there are.
inline RequestAwait<detail::WriteAtWork> write_at(Loop& loop, int fd, std::string data, std::int64_t offset = -1,
                                                  CancelToken token = {}) {
  auto owned = std::make_unique<detail::WriteAtWork>();
  owned->data = std::move(data);
  owned->request.write(fd, owned->data.data(), owned->data.size(), offset);
  return {loop, std::move(owned), std::move(token)};
}

// The addresses of a host, for Tcp::connect(addresses), or an error with a number from kAddressInfoErrors on (EAI_NONAME ...).
// `service` is a number or a name of /etc/services, empty: port 0.
inline LookupAwait look_up(Loop& loop, std::string_view host, std::string_view service = {}, CancelToken token = {},
                           AddressLookup::Hints hints = {}) {
  auto owned = std::make_unique<detail::LookupWork>();
  owned->host = host;
  owned->service = service;
  owned->hints = hints;
  return {loop, std::move(owned), std::move(token)};
}

}  // namespace rondo
