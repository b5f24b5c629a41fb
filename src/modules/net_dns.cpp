// native('dns'): the loop's DNS resolver and getnameinfo for lib/node/dns.js. Resolvers are held by number until the program forgets
// them (lib/internal/dns/resolver.js). getaddrinfo is native('net').lookup.
#include "modules/net_handles.h"

#include "rondo/dns.h"

#include <netdb.h>

#include <memory>

namespace rondo::modules {

using namespace engine;
using runtime::Runtime;

namespace {

using net::LaterCall;

net::Numbered<Resolver>& resolvers() {
  static thread_local auto* all = new net::Numbered<Resolver>;
  return *all;
}

// newResolver(timeout, tries) → id
Encoded new_resolver(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  ResolverOptions options;
  options.timeout_ms = call.int32(0, -1);
  options.tries = call.int32(1, 4);
  auto made = std::make_unique<Resolver>(Runtime::from(realm).loop(), options);
  return call.value(resolvers().add(std::move(made)));
}

JSC::JSArray* array_of(JSC::JSGlobalObject* realm, const JSC::MarkedArgumentBuffer& items) {
  return JSC::constructArray(realm, static_cast<JSC::ArrayAllocationProfile*>(nullptr), items);
}

JSC::JSArray* array_of(JSC::JSGlobalObject* realm, const std::vector<std::string>& texts) {
  JSC::MarkedArgumentBuffer items;
  for (const auto& text : texts) items.append(make_string(realm->vm(), text));
  return array_of(realm, items);
}

JSC::JSObject* record_object(JSC::JSGlobalObject* realm, const DnsRecord& record) {
  auto* made = make_object(realm);
  auto text = [&](const char* name, const std::string& value) {
    put(realm, made, name, make_string(realm->vm(), value));
  };
  auto number = [&](const char* name, double value) { put(realm, made, name, JSC::jsNumber(value)); };
  number("type", static_cast<int>(record.type));
  number("ttl", record.ttl);
  text("value", record.value);
  put(realm, made, "texts", array_of(realm, record.texts));
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

Resolver::Done answer_to(Runtime& runtime, JSC::JSObject* function) {
  return [&runtime, later = LaterCall(runtime, function)](const DnsAnswer& answer) {
    auto* realm = runtime.realm();
    JSC::MarkedArgumentBuffer arguments, records;
    arguments.append(answer.status == 0 ? JSC::jsNull()
                                        : Value(make_string(realm->vm(), dns_error_name(answer.status))));
    for (const auto& record : answer.records) records.append(record_object(realm, record));
    arguments.append(array_of(realm, records));
    later(arguments);
  };
}

// resolve(id, name, type, callback(error name or null, records))
Encoded resolve(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  if (auto* resolver = resolvers().find(call.int32(0))) {
    auto type = static_cast<DnsType>(call.int32(2));
    resolver->resolve(call.string(1), type, answer_to(Runtime::from(realm), call.function(3)));
  }
  return call.undefined();
}

// reverse(id, address, callback(error name or null, records))
Encoded reverse(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  if (auto* resolver = resolvers().find(call.int32(0)))
    resolver->reverse(call.string(1), answer_to(Runtime::from(realm), call.function(2)));
  return call.undefined();
}

Encoded cancel(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  if (auto* resolver = resolvers().find(call.int32(0))) resolver->cancel();
  return call.undefined();
}

// setServers(id, ["1.1.1.1:53" …]) → 0 or the error's name
Encoded set_servers(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto* resolver = resolvers().find(call.int32(0));
  auto* list = JSC::jsDynamicCast<JSC::JSArray*>(call.at(1));
  if (!resolver || !list) return call.undefined();
  std::vector<std::string> servers;
  for (unsigned i = 0; i < list->length(); i++) {
    auto item = list->getIndex(realm, i);
    if (item.isString()) servers.push_back(to_utf8(JSC::asString(item)->value(realm)));
  }
  int status = resolver->set_servers(servers);
  return status == 0 ? call.value(0) : call.text(dns_error_name(status));
}

Encoded servers(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto* resolver = resolvers().find(call.int32(0));
  return call.value(array_of(realm, resolver ? resolver->servers() : std::vector<std::string>{}));
}

// setLocalAddress(id, ipv4 or '', ipv6 or '')
Encoded set_local_address(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto* resolver = resolvers().find(call.int32(0));
  return call.value(resolver && resolver->set_local_address(call.string(1), call.string(2)));
}

Encoded drop(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  int id = call.int32(0);
  if (auto* resolver = resolvers().find(id)) resolver->close([id] { auto gone = resolvers().take(id); });
  return call.undefined();
}

// service(address, port, callback(status, host, service))
Encoded service(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto address = net::parse_address(call.string(0), call.int32(1));
  if (!address) return call.value(-address.error().number);
  auto& runtime = Runtime::from(realm);
  auto* request = new NameLookup;
  request->start(runtime.loop(), *address, NI_NAMEREQD,
                 [&runtime, later = LaterCall(runtime, call.function(2))](NameLookup& done) {
                   std::unique_ptr<NameLookup> owner(&done);
                   JSC::MarkedArgumentBuffer arguments;
                   arguments.append(JSC::jsNumber(-done.error()));
                   arguments.append(make_string(runtime.vm(), done.host()));
                   arguments.append(make_string(runtime.vm(), done.service()));
                   later(arguments);
                 });
  return call.value(0);
}

constexpr FunctionSpec kFunctions[] = {{"newResolver", new_resolver, 2},
                                       {"resolve", resolve, 4},
                                       {"reverse", reverse, 3},
                                       {"cancel", cancel, 1},
                                       {"setServers", set_servers, 2},
                                       {"servers", servers, 1},
                                       {"setLocalAddress", set_local_address, 3},
                                       {"drop", drop, 1},
                                       {"service", service, 3}};

}  // namespace

void init_dns(Runtime& runtime, JSC::JSObject* target) { put_functions(runtime.realm(), target, kFunctions); }

}  // namespace rondo::modules
