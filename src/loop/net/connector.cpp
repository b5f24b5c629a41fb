// The race of connection attempts; see RFC 8305, section 5. The caller has sorted the addresses.
#include "loop/net/connector.h"

#include <poll.h>

#include <cerrno>
#include <utility>

#include "loop/net/socket.h"
#include "loop/net/stream_core.h"
#include "rondo/detail/loop_access.h"

namespace rondo {

Connector::Connector(Tcp& tcp, std::span<const Address> addresses, const ConnectOptions& options)
    : loop_(tcp.loop()),
      tcp_(&tcp),
      addresses_(addresses.begin(), addresses.end()),
      options_(options),
      delay_(loop_),
      timeout_(loop_) {
  detail::LoopAccess::linger(loop_, *this);
}

void Connector::start() {
  if (options_.timeout > Duration::zero()) {
    timeout_.start(options_.timeout, [this] { finish(failure(ETIMEDOUT, "connect")); });
  }
  try_next();
}

void Connector::abandon() {
  tcp_ = nullptr;
  delay_.stop();
  timeout_.stop();
  for (auto& attempt : attempts_) {
    attempt->operation.source = HandleKind::None;
    loop_.cancel(attempt->operation);
    if (attempt->socket && loop_.forget(attempt->socket.get())) attempt->socket.reset();
  }
  end_if_idle();
}

// Begins one attempt. A failure before it begins leads to the next address, from the loop: never from inside connect().
void Connector::try_next() {
  const Address& address = addresses_[next_++];
  auto attempt = std::make_unique<Attempt>();
  attempt->race = this;
  int error;
  if (auto socket = make_socket(loop_, address.family(), SOCK_STREAM)) {
    attempt->socket = std::move(*socket);
    error = begin_connect(loop_, attempt->socket.get(), address);
  } else {
    error = socket.error().number;
  }
  Operation& operation = attempt->operation;
  operation.source = HandleKind::Tcp;
  operation.source_id = tcp_->id();
  if (error == 0 || error == EINPROGRESS) {
    operation.poll(attempt->socket.get(), POLLOUT).then(on_writable, attempt.get());
  } else {
    // A Nop comes back from poll with the error remembered.
    operation.flags = static_cast<std::uint32_t>(error);
    operation.then(
        [](Operation& done, const Completion&) {
          auto& failed = *static_cast<Attempt*>(done.owner);
          failed.race->take(failed, static_cast<int>(done.flags));
        },
        attempt.get());
  }
  attempts_.push_back(std::move(attempt));
  in_flight_++;
  loop_.submit(operation);
  if (next_ < addresses_.size()) delay_.start(options_.attempt_delay, [this] { try_next(); });
}

void Connector::on_writable(Operation& operation, const Completion& completion) {
  auto& attempt = *static_cast<Attempt*>(operation.owner);
  int error = completion.result < 0 ? -completion.result : 0;
  if (error == 0 && attempt.socket) error = -attempt.race->loop_.poller().connect_result(attempt.socket.get());
  attempt.race->take(attempt, error);
}

void Connector::take(Attempt& attempt, int error) {
  in_flight_--;
  UniqueFd socket = std::move(attempt.socket);
  if (tcp_ && error == 0) return finish(std::move(socket));
  if (socket) loop_.forget(socket.get());
  socket.reset();
  if (!tcp_) return end_if_idle();
  last_error_ = Error{error, "connect"};
  if (next_ < addresses_.size()) return try_next();
  if (in_flight_ == 0) finish(std::unexpected(last_error_));
}

void Connector::finish(Result<UniqueFd> result) {
  Tcp* tcp = tcp_;
  StreamCore& core = tcp->core();
  tcp_->connector_ = nullptr;
  IoCore::Guard guard(core);
  Error error{};
  if (!result) error = result.error();
  abandon();  // may delete this
  if (result) {
    tcp->apply_options(result->get());
    core.connection_made(result->release());
  } else {
    core.connection_failed(error);
  }
}

void Connector::end_if_idle() {
  if (in_flight_ == 0) delete this;
}

}  // namespace rondo
