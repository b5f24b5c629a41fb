// native('url'): the URL parser of src/text/url for lib/internal/url/url_class.js, and domain names. A parsed URL crosses as its href and
// the offsets of its parts, written into one shared array.
#include "text/url.h"
#include "text/url_host.h"
#include "runtime/runtime.h"

#include <cstddef>
#include <cstring>

namespace rondo::modules {

using namespace engine;
using runtime::Runtime;

namespace {

// Domain names that are not plain ASCII are lib/internal/url/idna.js's, loaded by the first of them.
struct MapDomain {
  Runtime& runtime;

  std::optional<std::string> operator()(std::string_view domain) const {
    auto* realm = runtime.realm();
    auto& vm = runtime.vm();
    auto scope = DECLARE_CATCH_SCOPE(vm);
    Value exports = runtime.builtins().require("internal/url/idna");
    if (scope.clearExceptionExceptTermination(); exports.isEmpty()) return std::nullopt;
    Value function = JSC::asObject(exports)->get(realm, identifier(vm, "domainToASCII"));
    JSC::MarkedArgumentBuffer arguments;
    arguments.append(make_string(vm, domain));
    Value mapped = runtime.call_nested(function, JSC::jsUndefined(), arguments).value;
    if (mapped.isEmpty() || !mapped.isString()) return std::nullopt;
    return to_utf8(JSC::asString(mapped)->value(realm));
  }
};

MapDomain map_domain(const Call& call) { return {Runtime::from(call.realm())}; }

constexpr size_t kComponents = sizeof(url::Offsets) / sizeof(uint32_t);

struct UrlState {
  uint32_t* components = nullptr;  // inside the array that lib/internal/url/url_class.js reads
};

Value finish(const Call& call, const url::Url& parsed) {
  url::Offsets offsets;
  auto href = url::serialize(parsed, &offsets);
  static_assert(sizeof offsets == kComponents * sizeof(uint32_t));
  std::memcpy(Runtime::from(call.realm()).local<UrlState>().components, &offsets, sizeof offsets);
  return call.text(href);
}

// parse(input, base or undefined): the href, or undefined.
Value parse(Call& call) {
  std::optional<url::Url> base;
  if (!call.at(1).isUndefined()) {
    base = url::parse(call.string(1), nullptr, map_domain(call));
    if (!base) return call.undefined();
  }
  auto parsed = url::parse(call.string(0), base ? &*base : nullptr, map_domain(call));
  return parsed ? finish(call, *parsed) : call.undefined();
}

// set(href, part, value): the new href.
Value set(Call& call) {
  auto parsed = url::parse(call.string(0), nullptr, map_domain(call));
  if (!parsed) return call.undefined();
  url::set_part(*parsed, static_cast<url::Part>(call.uint32(1)), call.string(2), map_domain(call));
  return finish(call, *parsed);
}

Value origin(Call& call) {
  auto parsed = url::parse(call.string(0), nullptr, map_domain(call));
  return call.text(parsed ? url::origin(*parsed, map_domain(call)) : "null");
}

// fileUrl(path, hostname): a file URL with that host, or undefined when it is no host.
Value file_url(Call& call) {
  auto parsed = url::parse("file:///", nullptr, map_domain(call));
  url::set_part(*parsed, url::Part::Hostname, call.string(1), map_domain(call));
  if (parsed->host.value_or("").empty()) return call.undefined();
  url::set_part(*parsed, url::Part::Pathname, call.string(0), map_domain(call));
  return call.text(url::serialize(*parsed));
}

// domainToASCII(domain, lenient): '' when invalid. Lenient is for the legacy parser, which does not read numbers as IPv4.
Value domain_to_ascii(Call& call) {
  auto domain = call.string(0);
  auto mapped = call.boolean(1) ? url::domain_to_ascii(domain, map_domain(call))
                                : url::parse_host(domain, false, map_domain(call));
  return call.text(mapped.value_or(""));
}

Value domain_to_unicode(Call& call) {
  auto mapped = url::parse_host(call.string(0), false, map_domain(call));
  return call.text(mapped ? url::domain_to_unicode(*mapped) : "");
}

constexpr FunctionSpec kFunctions[] = {
    {"parse", native<parse>, 2},
    {"set", native<set>, 3},
    {"origin", native<origin>, 1},
    {"fileUrl", native<file_url>, 2},
    {"domainToASCII", native<domain_to_ascii>, 2},
    {"domainToUnicode", native<domain_to_unicode>, 1},
};

// Places in the array of components; parts for set().
constexpr NumberSpec kNumbers[] = {{"kProtocolEnd", offsetof(url::Offsets, protocol_end) / sizeof(uint32_t)},
                                   {"kUsernameEnd", offsetof(url::Offsets, username_end) / sizeof(uint32_t)},
                                   {"kHostStart", offsetof(url::Offsets, host_start) / sizeof(uint32_t)},
                                   {"kHostEnd", offsetof(url::Offsets, host_end) / sizeof(uint32_t)},
                                   {"kPort", offsetof(url::Offsets, port) / sizeof(uint32_t)},
                                   {"kPathnameStart", offsetof(url::Offsets, pathname_start) / sizeof(uint32_t)},
                                   {"kSearchStart", offsetof(url::Offsets, search_start) / sizeof(uint32_t)},
                                   {"kHashStart", offsetof(url::Offsets, hash_start) / sizeof(uint32_t)},
                                   {"kSchemeType", offsetof(url::Offsets, scheme_type) / sizeof(uint32_t)},
                                   {"kNone", url::Offsets::kNone},
                                   {"kSetHash", url::Part::Hash},
                                   {"kSetPort", url::Part::Port},
                                   {"kSetHostname", url::Part::Hostname},
                                   {"kSetHost", url::Part::Host},
                                   {"kSetPathname", url::Part::Pathname},
                                   {"kSetSearch", url::Part::Search},
                                   {"kSetPassword", url::Part::Password},
                                   {"kSetUsername", url::Part::Username},
                                   {"kSetProtocol", url::Part::Protocol}};

}  // namespace

void init_url(runtime::Runtime& runtime, JSC::JSObject* target) {
  auto* realm = runtime.realm();
  put_functions(realm, target, kFunctions);
  put_numbers(realm, target, kNumbers);
  auto buffer = JSC::ArrayBuffer::create(kComponents, sizeof(uint32_t));
  runtime.local<UrlState>().components = static_cast<uint32_t*>(buffer->data());
  auto* array = JSC::JSUint32Array::create(realm, realm->typedArrayStructure(JSC::TypeUint32, false), WTFMove(buffer),
                                           0, kComponents);
  put(realm, target, "components", array);
}

}  // namespace rondo::modules
