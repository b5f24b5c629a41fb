// native('dns'): the loop's DNS resolver and getnameinfo for lib/internal/dns. getaddrinfo is native('net').lookup.
#include "modules/net/net_handles.h"

#include "modules/support/permission_check.h"

#include "rondo/dns.h"

#include <netdb.h>

#include <memory>

namespace rondo::modules {

using namespace engine;
using runtime::Runtime;

namespace {

using runtime::Continuation;
using runtime::method;
using runtime::Source;

constexpr Source kQuery{"dns.resolve", "QUERYWRAP"}, kNameInfo{"dns.lookupService", "GETNAMEINFOREQWRAP"};

// Closed when the collector finds that the program has forgotten it.
class ResolverObject final : public NativeObject {
 public:
  ResolverObject(Loop& loop, const ResolverOptions& options) : resolver(loop, options) {}
  Resolver resolver;
};

JSC::JSObject* record_object(JSC::JSGlobalObject* realm, const DnsRecord& record) {
  auto* made = make_object(realm);
  auto text = [&](const char* name, const std::string& value) {
    put(realm, made, name, make_string(realm->vm(), value));
  };
  auto number = [&](const char* name, double value) { put(realm, made, name, JSC::jsNumber(value)); };
  number("type", static_cast<int>(record.type));
  number("ttl", record.ttl);
  text("value", record.value);
  put(realm, made, "texts", make_array(realm, record.texts));
  number("priority", record.priority);
  number("weight", record.weight);
  number("port", record.port);
  text("flags", record.flags);
  text("service", record.service);
  text("regexp", record.regexp);
  text("hostmaster", record.hostmaster);
  number("serial", record.serial);
  number("refresh", record.refresh);
  number("retry", record.retry);
  number("expire", record.expire);
  number("minimum", record.minimum);
  return made;
}

Resolver::Done answer_to(const Call& call, unsigned callback) {
  // The resolver stays until it has answered.
  auto then = Continuation(Runtime::from(call.realm()), call.function(callback), kQuery).keeping(call.self().asCell());
  return [then = std::move(then)](const DnsAnswer& answer) mutable {
    if (then.is_dead()) return;
    auto* realm = then.runtime().realm();
    JSC::MarkedArgumentBuffer arguments, records;
    arguments.append(answer.status == 0 ? JSC::jsNull()
                                        : Value(make_string(realm->vm(), dns_error_name(answer.status))));
    for (const auto& record : answer.records) records.append(record_object(realm, record));
    arguments.append(make_array(realm, records));
    then(arguments);
  };
}

// resolve(name, type, callback(error name or null, records)) → undefined, or an error where --permission forbids it; so do
// reverseLookup() and service()
Value resolve(Call& call, ResolverObject& self) {
  if (auto* refusal = refused(Runtime::from(call.realm()), Scope::Net, [&] { return call.string(0); }))
    return call.value(refusal);
  self.resolver.resolve(call.string(0), static_cast<DnsType>(call.int32(1)), answer_to(call, 2));
  return call.undefined();
}

// reverseLookup(address, callback(error name or null, records))
Value reverse(Call& call, ResolverObject& self) {
  if (auto* refusal = refused(Runtime::from(call.realm()), Scope::Net, [&] { return call.string(0); }))
    return call.value(refusal);
  self.resolver.reverse(call.string(0), answer_to(call, 1));
  return call.undefined();
}

Value cancel(Call& call, ResolverObject& self) {
  self.resolver.cancel();
  return call.undefined();
}

// setServers(["1.1.1.1:53" …]) → 0 or the error's name
Value set_servers(Call& call, ResolverObject& self) {
  auto* realm = call.realm();
  auto* list = JSC::jsDynamicCast<JSC::JSArray*>(call.at(0));
  if (!list) return call.undefined();
  std::vector<std::string> servers;
  for (unsigned i = 0; i < list->length(); i++) {
    auto item = list->getIndex(realm, i);
    if (item.isString()) servers.push_back(to_utf8(realm, JSC::asString(item)->value(realm)));
  }
  int status = self.resolver.set_servers(servers);
  return status == 0 ? call.value(0) : call.text(dns_error_name(status));
}

Value servers(Call& call, ResolverObject& self) {
  return call.value(make_array(call.realm(), self.resolver.servers()));
}

// setLocalAddress(ipv4 or '', ipv6 or '')
Value set_local_address(Call& call, ResolverObject& self) {
  return call.value(self.resolver.set_local_address(call.string(0), call.string(1)));
}

constexpr FunctionSpec kMethods[] = {
    {"resolve", method<ResolverObject, resolve>, 3}, {"reverseLookup", method<ResolverObject, reverse>, 2},
    {"cancel", method<ResolverObject, cancel>},      {"setServers", method<ResolverObject, set_servers>, 1},
    {"servers", method<ResolverObject, servers>},    {"setLocalAddress", method<ResolverObject, set_local_address>, 2}};

// newResolver(timeout, tries) → resolver
Value new_resolver(Call& call) {
  ResolverOptions options;
  options.timeout_ms = call.int32(0, -1);
  options.tries = call.int32(1, 4);
  auto& runtime = Runtime::from(call.realm());
  return runtime::make_instance(runtime, std::make_unique<ResolverObject>(runtime.loop(), options), kMethods);
}

// A look-up under way: it frees itself.
struct NameRequest final : runtime::Request {
  explicit NameRequest(Runtime& runtime) { begin(runtime); }
  void cancel() override { lookup.cancel(); }
  NameLookup lookup;
};

// service(address, port, callback(status, host, service))
Value service(Call& call) {
  if (auto* refusal = refused(Runtime::from(call.realm()), Scope::Net, [&] { return call.string(0); }))
    return call.value(refusal);
  auto address = net::parse_address(call.string(0), call.int32(1));
  if (!address) return call.value(-address.error().number);
  auto& runtime = Runtime::from(call.realm());
  auto* request = new NameRequest(runtime);
  auto on_found = [request, then = Continuation(runtime, call.function(2), kNameInfo)](NameLookup& done) mutable {
    std::unique_ptr<NameRequest> owner(request);
    if (then.is_dead()) return;
    auto& vm = then.runtime().vm();
    JSC::MarkedArgumentBuffer arguments;
    arguments.append(JSC::jsNumber(-done.error()));
    arguments.append(make_string(vm, done.host()));
    arguments.append(make_string(vm, done.service()));
    then(arguments);
  };
  request->lookup.start(runtime.loop(), *address, NI_NAMEREQD, std::move(on_found));
  return call.value(0);
}

constexpr FunctionSpec kFunctions[] = {{"newResolver", native<new_resolver>, 2}, {"service", native<service>, 3}};

}  // namespace

void init_dns(Runtime& runtime, JSC::JSObject* target) { put_functions(runtime.realm(), target, kFunctions); }

}  // namespace rondo::modules
