// native('locks'): this runtime's place in the process's table of named locks (runtime/threads/lock_table.h). lib/internal/worker/locks.js has the rest.
#include "runtime/handle_object.h"
#include "runtime/threads/lock_table.h"

#include <unistd.h>

namespace rondo::modules {

using namespace engine;
using runtime::LockClient;
using runtime::LockMode;
using runtime::LockTable;
using runtime::method;
using runtime::Runtime;

namespace {

constexpr runtime::Source kLock{"lock", "LOCK"};

class LockObject final : public runtime::HandleObject {
 public:
  LockObject(Runtime& runtime, JSC::JSObject* on_news, std::string id)
      : HandleObject(runtime, kLock),
        wake_(runtime.loop(), [this] { hear(); }),
        client_(wake_, std::move(id)),
        on_news_(event(on_news, kLock)) {
    wake_.unref();
  }
  ~LockObject() override { LockTable::get().leave(client_); }

  Handle& handle() override { return wake_; }
  void release() override {
    LockTable::get().leave(client_);
    HandleObject::release();
  }
  LockClient& client() { return client_; }
  // A granted lock keeps the loop alive until it is told; a waiting request does not.
  void attend() {
    if (client_.has_news() && !wake_.is_closing()) wake_.ref();
  }

 private:
  void hear() {
    wake_.unref();
    for (auto [request, what] : client_.take()) {
      JSC::MarkedArgumentBuffer arguments;
      arguments.append(JSC::jsNumber(request));
      arguments.append(JSC::jsNumber(static_cast<int>(what)));
      on_news_(arguments);
    }
  }

  Async wake_;
  LockClient client_;
  runtime::Continuation on_news_;
};

std::u16string name_of(const WTF::String& text) {
  std::u16string units;
  for (unsigned i = 0; i < text.length(); i++) units.push_back(text[i]);
  return units;
}

Value text_of(JSC::VM& vm, const std::u16string& name) {
  return JSC::jsString(vm, WTF::String(std::span<const UChar>(name.data(), name.size())));
}

// open(onNews(request, what), id of this client) → locks
Value open(Call& call) {
  if (!call.function(0)) return call.undefined();
  auto& runtime = Runtime::from(call.realm());
  return runtime::HandleObject::publish(std::make_unique<LockObject>(runtime, call.function(0), call.string(1)));
}

// request(name, isShared, urgency, request)
Value request(Call& call, LockObject& object) {
  LockTable::get().request({.name = name_of(call.wtf_string(0)),
                            .mode = call.boolean(1) ? LockMode::Shared : LockMode::Exclusive,
                            .client = &object.client(),
                            .id = call.uint32(3)},
                           static_cast<LockTable::Urgency>(call.int32(2)));
  object.attend();
  return call.undefined();
}

// drop(name, request)
Value drop(Call& call, LockObject& object) {
  LockTable::get().drop(name_of(call.wtf_string(0)), object.client(), call.uint32(1));
  object.attend();
  return call.undefined();
}

struct Row {
  std::u16string name, client;
  bool is_shared, is_held;
};

// query() → [name, isShared, client, isHeld, …]
Value query(Call& call) {
  std::vector<Row> rows;
  LockTable::get().read([&](const auto& held, const auto& waiting) {
    auto add = [&](const LockTable::Request& one, bool is_held) {
      std::u16string client(one.client->id.begin(), one.client->id.end());
      rows.push_back({one.name, std::move(client), one.mode == LockMode::Shared, is_held});
    };
    for (const auto& one : held) add(one, true);
    for (const auto& one : waiting) add(one, false);
  });
  JSC::MarkedArgumentBuffer flat;
  for (const auto& row : rows) {
    flat.append(text_of(call.vm(), row.name));
    flat.append(JSC::jsBoolean(row.is_shared));
    flat.append(text_of(call.vm(), row.client));
    flat.append(JSC::jsBoolean(row.is_held));
  }
  return make_array(call.realm(), flat);
}

constexpr FunctionSpec kMethods[] = {{"request", method<LockObject, request>, 4},
                                     {"drop", method<LockObject, drop>, 2}};
constexpr FunctionSpec kFunctions[] = {
    {"open", native<open>, 2},
    {"query", native<query>},
};

}  // namespace

void init_locks(Runtime& runtime, JSC::JSObject* target) {
  runtime::structure_of<LockObject>(runtime, kMethods);
  put_functions(runtime.realm(), target, kFunctions);
  using enum runtime::LockNews;
  using enum runtime::LockTable::Urgency;
  static constexpr engine::NumberSpec kNumbers[] = {{"kGranted", Granted},         {"kNotAvailable", NotAvailable},
                                                    {"kStolen", Stolen},           {"kWait", Wait},
                                                    {"kIfAvailable", IfAvailable}, {"kSteal", Steal}};
  put_numbers(runtime.realm(), target, kNumbers);
}

}  // namespace rondo::modules
