// The loop's sockets as JavaScript holds them: by number. A number is valid from creation until its close callback has run; what
// is called with another number does nothing and answers EBADF. Shared by net.cpp and net_server.cpp.
#pragma once

#include "runtime/runtime.h"
#include "runtime/turn.h"

#include "rondo/pipe.h"
#include "rondo/tcp.h"

#include <memory>
#include <unordered_map>

namespace rondo::modules::net {

using runtime::Runtime;

enum class Kind : uint8_t { Tcp, Pipe, Terminal };

// Either of two handles that share a base.
template <class Base, class TcpHandle, class PipeHandle>
struct Either {
  template <class... Extra>
  Either(Loop& loop, Kind kind, Extra... of_pipe) : kind(kind) {
    if (kind == Kind::Tcp)
      own(new TcpHandle(loop));
    else
      own(new PipeHandle(loop, of_pipe...));
  }
  TcpHandle* tcp() const { return kind == Kind::Tcp ? static_cast<TcpHandle*>(handle) : nullptr; }
  PipeHandle* pipe() const { return kind == Kind::Pipe ? static_cast<PipeHandle*>(handle) : nullptr; }
  Base* operator->() const { return handle; }

  Kind kind;
  Base* handle = nullptr;

 protected:
  explicit Either(Kind kind) : kind(kind) {}
  template <class Made>
  void own(Made* made) {
    handle = made;
    owner_.reset(made);
  }

 private:
  std::unique_ptr<Handle> owner_;
};

using AnyStream = Either<Stream, Tcp, Pipe>;
using AnyServer = Either<Listener, TcpServer, PipeServer>;

template <class Item>
class Numbered {
 public:
  int add(std::unique_ptr<Item> item) {
    items_[++last_] = std::move(item);
    return last_;
  }
  Item* find(int id) const {
    auto found = items_.find(id);
    return found == items_.end() ? nullptr : found->second.get();
  }
  std::unique_ptr<Item> take(int id) {
    auto found = items_.find(id);
    if (found == items_.end()) return nullptr;
    auto item = std::move(found->second);
    items_.erase(found);
    return item;
  }

 private:
  int last_ = 0;
  std::unordered_map<int, std::unique_ptr<Item>> items_;
};

// A JavaScript function that the loop calls later, once or often, each time as a turn.
class LaterCall {
 public:
  LaterCall(Runtime& runtime, JSC::JSObject* function) : runtime_(&runtime) {
    if (function) function_.set(runtime.vm(), function);
  }
  void operator()(const JSC::ArgList& arguments) const {
    if (!function_) return;
    runtime::Turn turn(*runtime_);
    turn.call(function_.get(), JSC::jsUndefined(), arguments);
  }
  void operator()(int status) const {
    JSC::MarkedArgumentBuffer arguments;
    arguments.append(JSC::jsNumber(status));
    (*this)(arguments);
  }

 private:
  Runtime* runtime_;
  JSC::Strong<JSC::JSObject> function_;
};

inline int status_of(const Result<void>& result) { return result ? 0 : -result.error().number; }

// [host or path, port, family] or undefined.
engine::Value address_array(JSC::JSGlobalObject* realm, const Result<Address>& address);
Result<Address> parse_address(const std::string& host, int port);

extern const std::span<const engine::FunctionSpec> kServerFunctions;
extern const std::span<const engine::FunctionSpec> kBoundFunctions;

}  // namespace rondo::modules::net
