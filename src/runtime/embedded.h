// The files of lib/ (and embedded npm packages) that ride in the binary; the table is generated at build time.
#pragma once

#include "runtime/primordials.h"

#include <span>
#include <string_view>

namespace rondo::runtime {

// Around every library file: the function expression that Builtins calls with what the names say. One line before the file's first,
// which stacks leave out again (engine/source.h). requireLater is require under the name that a file of a lower layer uses for one of a
// higher layer, inside functions only (tools/lib_layers).
inline constexpr std::string_view kWrapperHead = "(function (exports,require,module,native,requireLater) {\n";
inline constexpr std::string_view kWrapperTail = "\n})";

// Where pages run, packages that ride in the binary find this name around them, too (primordials.h): that realm's global object has nothing of Node's.
inline constexpr std::string_view kBufferName = "Buffer";
// The language's own files (lib/internal/language) work on the globals of the realm they run in.
constexpr bool sees_own_names(std::string_view id) { return !id.starts_with("internal/language/"); }

// Files that every start of a runtime loads, most of them: these files lie side by side and have their bytecode in one piece, which stands
// at the first of them (engine::EmbeddedBundle). A file that is missing here costs a start 20 to 40 µs more; one that is not needed, two.
inline constexpr std::string_view kStartUrl = "node:start";
inline constexpr std::string_view kStartSeparator = ",\n";
inline constexpr std::string_view kStartFiles[] = {"bootstrap/00_primordials",
                                                   "bootstrap/05_language",
                                                   "bootstrap/10_queues",
                                                   "bootstrap/20_process",
                                                   "internal/process/program_state",
                                                   "internal/process/object",
                                                   "bootstrap/40_globals",
                                                   "bootstrap/45_string_limits",
                                                   "bootstrap/90_main",
                                                   "internal/language/every_realm",
                                                   "internal/language/realm",
                                                   "internal/async_hooks/context",
                                                   "internal/queues/microtasks",
                                                   "internal/queues/ticks",
                                                   "internal/queues/rejections",
                                                   "internal/timers/heap",
                                                   "internal/timers/timers",
                                                   "internal/symbols/events",
                                                   "internal/events/events",
                                                   "internal/util/lazy_property",
                                                   "internal/console/program",
                                                   "internal/process/options",
                                                   "internal/process/start",
                                                   "internal/modules/places",
                                                   "internal/modules/run_main",
                                                   "internal/modules/run_text",
                                                   "internal/modules/builtins",
                                                   "internal/modules/hook_lists",
                                                   "internal/modules/cjs_resolve",
                                                   "internal/modules/cjs_loader",
                                                   "internal/modules/conditions",
                                                   "internal/modules/real_path",
                                                   "internal/modules/package_json",
                                                   "internal/modules/formats",
                                                   "internal/modules/file_url",
                                                   "internal/symbols/messaging",
                                                   "internal/messaging/post_message",
                                                   "internal/worker/control_line",
                                                   "internal/worker/state",
                                                   "internal/worker/main",
                                                   "internal/worker/worker_threads"};

struct EmbeddedSource {
  std::string_view id;  // "fs", "internal/errors/coded", "bootstrap/10_ticks"
  std::string_view source;  // UTF-8, wrapped
  bool is_ascii;  // can be used where it lies
  std::string_view bytecode;  // empty when none was baked, or when it is with the first of kStartFiles
};

// Sorted by id.
std::span<const EmbeddedSource> embedded_sources();

}  // namespace rondo::runtime
