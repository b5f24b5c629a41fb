// native('html_pack'): the files that documents are made of, one function each. lib/html/pack.js is their require().
#include "runtime/html_pack.h"

#include "base/machine_memory.h"
#include "engine/core/source.h"
#include "runtime/runtime.h"

namespace rondo::modules {

using namespace engine;
using runtime::HtmlPack;
using runtime::Runtime;

namespace {

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
  auto outcome =
      compile_embedded(call.realm()->globalScope(), {source->source, source->is_ascii, url, source->bytecode});
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
  return call.text(std::to_string(limit / kMegabyte) + " MB of address space (ulimit -v) are too few; a page needs " +
                   std::to_string(kLeastAddresses / kMegabyte) + " MB");
}

constexpr FunctionSpec kFunctions[] = {
    {"open", native<open>, 1}, {"load", native<load>, 1}, {"lacking", native<lacking>}};

}  // namespace

void init_html_pack(Runtime& runtime, JSC::JSObject* target) { put_functions(runtime.realm(), target, kFunctions); }

}  // namespace rondo::modules
