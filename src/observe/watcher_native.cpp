// See watcher_native.h.
#include "observe/watcher_native.h"

#include "engine/core/function_label.h"
#include "engine/core/heap_check.h"
#include "engine/core/waiting_functions.h"
#include "observe/control.h"
#include "observe/frame_type.h"
#include "observe/record.h"
#include "runtime/library_text.h"
#include "runtime/runtime.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>

namespace rondo::observe {

using namespace engine;
using runtime::Runtime;

namespace {

// askToConnect(pid, token in hexadecimal digits) → 0 or -errno
Value ask_to_connect(Call& call) {
  sigval value{};
  value.sival_ptr = reinterpret_cast<void*>(static_cast<uintptr_t>(strtoull(call.string(1).c_str(), nullptr, 16)));
  return call.value(sigqueue(call.int32(0), SIGURG, value) == 0 ? 0 : -errno);
}

Value folder(Call& call) { return call.value(make_string(call.vm(), watch_folder())); }

// labelOf(function) → "name (file:line:column)" of a function of the program's own, or ""
Value label_of(Call& call) {
  auto& labels = Runtime::from(call.realm()).local<FunctionLabels>();
  return call.value(
      make_string(call.vm(), call.at(0).isObject() ? labels.program_function(call.at(0)) : std::string_view()));
}

// inheritedPlace() → "file:line:column" of the program that the running callback of the library goes back to, or ""
Value inherited_place(Call& call) {
  auto& runtime = Runtime::from(call.realm());
  const std::string_view here = runtime.local<FunctionLabels>().running_place(call.vm());
  return call.value(make_string(call.vm(), here.empty() ? runtime.tasks().place() : here));
}

// waitingFunctions() → ["await in name (file:line:column)", …] of the program's async functions that wait for something
Value waiting_functions(Call& call) {
  auto& vm = call.vm();
  auto& labels = Runtime::from(call.realm()).local<FunctionLabels>();
  JSC::MarkedArgumentBuffer waiting;
  find_waiting_functions(vm, waiting);
  JSC::MarkedArgumentBuffer names;
  for (size_t i = 0; i < waiting.size(); i++) {
    const auto label = labels.label(vm, waiting.at(i));
    if (label.is_programs && label.text.starts_with("await in ")) names.append(make_string(vm, label.text));
  }
  return make_array(call.realm(), names);
}

// waitingHandlers() → ["name (file:line:column)", …] of the program's functions that were given to then() of a promise not settled yet
Value waiting_handlers(Call& call) {
  auto& labels = Runtime::from(call.realm()).local<FunctionLabels>();
  JSC::MarkedArgumentBuffer waiting, names;
  find_waiting_handlers(call.vm(), waiting);
  for (size_t i = 0; i < waiting.size(); i++) {
    const auto label = labels.program_function(waiting.at(i));
    if (!label.empty()) names.append(make_string(call.vm(), label));
  }
  return make_array(call.realm(), names);
}

// lostFunctions() → ["await in name (file:line:column)", …] of those that nothing can wake any more. Collects.
Value lost_functions(Call& call) {
  constexpr size_t kMost = 2000;
  auto& labels = Runtime::from(call.realm()).local<FunctionLabels>();
  JSC::MarkedArgumentBuffer names;
  for (const auto& label : find_lost_functions(call.vm(), labels, kMost)) names.append(make_string(call.vm(), label));
  return make_array(call.realm(), names);
}

// libraryText(id) → the text of a file of lib/ as it is compiled: a function expression
Value library_text(Call& call) {
  const auto text = runtime::library_text(call.string(0));
  return text ? call.value(make_string(call.vm(), *text)) : call.undefined();
}

constexpr FunctionSpec kFunctions[] = {{"askToConnect", native<ask_to_connect>, 2},
                                       {"folder", native<folder>, 0},
                                       {"labelOf", native<label_of>, 1},
                                       {"inheritedPlace", native<inherited_place>, 0},
                                       {"waitingFunctions", native<waiting_functions>, 0},
                                       {"waitingHandlers", native<waiting_handlers>, 0},
                                       {"lostFunctions", native<lost_functions>, 0},
                                       {"libraryText", native<library_text>, 1}};

}  // namespace

void init_observe(Runtime& runtime, JSC::JSObject* target) {
  static constexpr engine::NumberSpec kNumbers[] = {{"kJsonFrame", kJsonFrame},
                                                    {"kNamesFrame", kNamesFrame},
                                                    {"kRecordsFrame", kRecordsFrame},
                                                    {"kFrameHead", kFrameHead},
                                                    {"kRecordBytes", sizeof(Record)}};
  put_functions(runtime.realm(), target, kFunctions);
  put_numbers(runtime.realm(), target, kNumbers);
}

}  // namespace rondo::observe
