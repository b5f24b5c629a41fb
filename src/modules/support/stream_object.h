// A stream of the loop (TCP, Unix socket, terminal) as JavaScript holds it. native('net') makes them; native('tls') puts encryption on
// top of them without a way through JavaScript. Shared, therefore, and nothing else of native('net') is.
#pragma once

#include "runtime/handle_object.h"

#include "rondo/pipe.h"
#include "rondo/tcp.h"
#include "rondo/tty.h"

#include <memory>
#include <variant>

namespace rondo::modules::net {

using runtime::Continuation;
using runtime::HandleObject;
using runtime::Runtime;
using runtime::Source;

inline constexpr Source kTcp{"socket", "TCPWRAP"}, kPipe{"pipe", "PIPEWRAP"}, kTerminal{"terminal", "TTYWRAP"};

enum class Kind : uint8_t { Tcp, Pipe };

// A stream of one of three kinds.
class StreamObject final : public HandleObject {
 public:
  StreamObject(Runtime& runtime, Kind kind, PipeMode mode)
      : HandleObject(runtime, kind == Kind::Tcp ? kTcp : kPipe), stream_(make(runtime.loop(), kind, mode)) {}
  // A connection that `server` accepted: it belongs to the server's context.
  StreamObject(const HandleObject& server, Kind kind)
      : HandleObject(server, kind == Kind::Tcp ? kTcp : kPipe),
        stream_(make(server.runtime().loop(), kind, PipeMode::Plain)) {}
  StreamObject(Runtime& runtime, std::unique_ptr<Tty> terminal)
      : HandleObject(runtime, kTerminal), stream_(std::move(terminal)) {}

  Handle& handle() override { return stream(); }
  Stream& stream() {
    return *std::visit([](auto& owned) -> Stream* { return owned.get(); }, stream_);
  }
  Tcp* tcp() const { return as<Tcp>(); }
  Pipe* pipe() const { return as<Pipe>(); }
  Tty* terminal() const { return as<Tty>(); }

  Result<void> open(UniqueFd fd) const { return tcp() ? tcp()->open(std::move(fd)) : pipe()->open(std::move(fd)); }

 private:
  using Any = std::variant<std::unique_ptr<Tcp>, std::unique_ptr<Pipe>, std::unique_ptr<Tty>>;
  static Any make(Loop& loop, Kind kind, PipeMode mode) {
    if (kind == Kind::Tcp) return std::make_unique<Tcp>(loop);
    return std::make_unique<Pipe>(loop, mode);
  }
  template <class T>
  T* as() const {
    auto* owned = std::get_if<std::unique_ptr<T>>(&stream_);
    return owned ? owned->get() : nullptr;
  }

  Any stream_;
};

inline int status_of(const Result<void>& result) { return result ? 0 : -result.error().number; }

}  // namespace rondo::modules::net
