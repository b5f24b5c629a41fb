// native('html_pack'): the files that documents are made of, one function each. lib/html/jsdom/pack.js is their require().
#include "runtime/html/html_pack.h"

#include "base/machine_memory.h"
#include "engine/core/name_scope.h"
#include "engine/core/source.h"
#include "runtime/runtime.h"

#include <optional>

namespace rondo::modules {

using namespace engine;
using runtime::HtmlPack;
using runtime::Runtime;

namespace {

// Globals of the files beside the language's: in a scope around them, since the global object has nothing of Node's.
constexpr std::string_view kNames[] = {"process",      "Buffer",      "global",        "console",      "setTimeout",
                                       "clearTimeout", "setInterval", "clearInterval", "setImmediate", "$hidden"};

struct PackScope {
  std::optional<NameScope> names;
};

// setNames(object): the values of kNames; before the first file is loaded
Value set_names(Call& call) {
  auto* realm = call.realm();
  auto& names = Runtime::from(realm).local<PackScope>().names;
  names.emplace(realm, kNames);
  for (size_t i = 0; i < std::size(kNames); i++)
    names->set(i, call.object(0)->get(realm, identifier(call.vm(), kNames[i])));
  names->settle();
  return call.undefined();
}

// open(path) → undefined, or what is wrong
Value open(Call& call) {
  auto pack = HtmlPack::open(call.string(0));
  if (!pack) return call.text(pack.error().message());
  Runtime::from(call.realm()).local<HtmlPack>() = std::move(*pack);
  return call.undefined();
}

// load(id) → function(exports, require, module), or undefined when there is no such file
Value load(Call& call) {
  const auto* source = Runtime::from(call.realm()).local<HtmlPack>().find(call.string(0));
  if (!source) return call.undefined();
  const auto url = runtime::builtin_url(source->id);
  auto& names = Runtime::from(call.realm()).local<PackScope>().names;
  auto* scope = names ? names->get() : call.realm()->globalScope();
  auto outcome = compile_embedded(scope, {source->source, source->is_ascii, url, source->bytecode});
  if (outcome.exception) return call.error("a file of the pack does not compile");
  return call.value(outcome.value);
}

constexpr uint64_t kMegabyte = 1 << 20;
// With less the engine ends the process by a signal while it makes a page of some hundred elements.
constexpr uint64_t kLeastAddresses = 768 * kMegabyte;

// lacking() → undefined, or the sentence that there is too little address space for a page
Value lacking(Call& call) {
  const auto limit = address_space_limit();
  if (limit == 0 || limit >= kLeastAddresses) return call.undefined();
  return call.text(std::to_string(limit / kMegabyte) +
                   " MB of address space (ulimit -v, -d) are too few; a page needs " +
                   std::to_string(kLeastAddresses / kMegabyte) + " MB");
}

constexpr FunctionSpec kFunctions[] = {{"setNames", native<set_names>, 1},
                                       {"open", native<open>, 1},
                                       {"load", native<load>, 1},
                                       {"lacking", native<lacking>}};

}  // namespace

void init_html_pack(Runtime& runtime, JSC::JSObject* target) { put_functions(runtime.realm(), target, kFunctions); }

}  // namespace rondo::modules
