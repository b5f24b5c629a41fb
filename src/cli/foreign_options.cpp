// See foreign_options.h.
#include "cli/foreign_options.h"

#include <algorithm>

namespace rondo::cli {

namespace {

using enum OptionForm;

constexpr std::string_view kHeap = "sizes of V8's heap", kCompiler = "V8's compilers", kCollector = "V8's collector",
                           kLanguage = "features of V8 in the making", kNode = "Node's own internals";

constexpr ForeignOption kWithoutEffect[] = {
    {"--max-semi-space-size", Number, kHeap},
    {"--min-semi-space-size", Number, kHeap},
    {"--semi-space-growth-factor", Number, kHeap},
    {"--initial-heap-size", Number, kHeap},
    {"--initial-old-space-size", Number, kHeap},
    {"--huge-max-alignment", Flag, kHeap},
    {"--v8-pool-size", Number, kCollector},
    {"--single-threaded-gc", Flag, kCollector},
    {"--gc-interval", Number, kCollector},
    {"--gc-global", Flag, kCollector},
    {"--parallel-scavenge", Flag, kCollector},
    {"--scavenge-task", Flag, kCollector},
    {"--concurrent-marking", Flag, kCollector},
    {"--concurrent-sweeping", Flag, kCollector},
    {"--concurrent-array-buffer-sweeping", Flag, kCollector},
    {"--incremental-marking", Flag, kCollector},
    {"--memory-reducer", Flag, kCollector},
    {"--opt", Flag, kCompiler},
    {"--always-opt", Flag, kCompiler},
    {"--lazy", Flag, kCompiler},
    {"--max-lazy", Flag, kCompiler},
    {"--lite-mode", Flag, kCompiler},
    {"--optimize-for-size", Flag, kCompiler},
    {"--concurrent-recompilation", Flag, kCompiler},
    {"--interpreted-frames-native-stack", Flag, kCompiler},
    {"--disable-wasm-trap-handler", Flag, kCompiler},
    {"--enable-etw-stack-walking", Flag, kCompiler},
    {"--flush-bytecode", Flag, kCompiler},
    {"--compilation-cache", Flag, kCompiler},
    {"--regexp-optimization", Flag, kCompiler},
    {"--enable-one-shot-optimization", Flag, kCompiler},
    {"--maglev*", Flag, kCompiler},
    {"--sparkplug*", Flag, kCompiler},
    {"--always-sparkplug", Flag, kCompiler},
    {"--baseline-batch-compilation", Flag, kCompiler},
    {"--turbofan", Flag, kCompiler},
    {"--turbo-*", Flag, kCompiler},
    {"--max-optimized-bytecode-size", Number, kCompiler},
    {"--max-inlined-bytecode-size", Number, kCompiler},
    {"--max-inlined-bytecode-size-cumulative", Number, kCompiler},
    {"--single-threaded", Flag, kCompiler},
    {"--harmony", Flag, kLanguage},
    {"--harmony-*", Flag, kLanguage},
    {"--js-staging", Flag, kLanguage},
    {"--node-snapshot", Flag, kNode},
    {"--worker-snapshot", Flag, kNode},
    {"--node-memory-debug", Flag, kNode},
    {"--force-async-hooks-checks", Flag, kNode},
    {"--track-heap-objects", Flag, kNode},
    {"--use-largepages", Text, kNode},
    {"--icu-data-dir", Text, kNode},
};

struct Refused {
  std::string_view name;
  std::string_view why;
};

constexpr std::string_view kOldDebugger =
                               "`node --debug` and `node --debug-brk` are invalid. Please use `node --inspect` "
                               "and `node --inspect-brk` instead.",
                           kNoProfiler = "V8's log of ticks is not written: --cpu-prof writes a profile",
                           kNoSnapshot = "there are no start-up snapshots and single executables in this version",
                           kNoV8 = "the engine is not V8";

constexpr Refused kRefused[] = {
    {"--experimental-storage-inspection", "the debugger does not show localStorage and sessionStorage"},
    {"--experimental-worker-inspection", "workers are debugged by the NodeWorker domain alone"},
    {"--prof*", kNoProfiler},
    {"--perf-*", "perf is told of compiled functions by --perf-basic-prof and --perf-prof alone"},
    {"--heapsnapshot-near-heap-limit", "a heap that is full is not written to a file in this version"},
    {"--allow-natives-syntax", kNoV8},
    {"--bench*", "there is no benchmark runner in this version"},
    {"--experimental-bench", "there is no benchmark runner in this version"},
    {"--build-snapshot*", kNoSnapshot},
    {"--snapshot-blob", kNoSnapshot},
    {"--build-sea", kNoSnapshot},
    {"--experimental-sea-config", kNoSnapshot},
    {"--trace-gc*", kNoV8},
    {"--trace-opt*", kNoV8},
    {"--trace-deopt*", kNoV8},
    {"--print-*", kNoV8},
    {"--max-heap-size", "the limit of the heap is --max-old-space-size"},
    {"--frozen-intrinsics", "intrinsics are not frozen in this version"},
    {"--debug", kOldDebugger},
    {"--debug-brk", kOldDebugger},
    {"--inspect-brk-node", "code of the library is never stopped in"},
    {"--enable-fips*", "this build of OpenSSL has no FIPS provider"},
    {"--force-fips", "this build of OpenSSL has no FIPS provider"},
    {"--openssl-*", "OpenSSL is built in, with its default provider alone"},
    {"--use-bundled-ca", "there are no certificates in the binary: the system's are used"},
    {"--experimental-ffi", "there is no node:ffi in this version"},
    {"--experimental-vfs", "there is no node:vfs in this version"},
    {"--vfs-*", "there is no node:vfs in this version"},
    {"--trace-env*", "reading of variables is not traced in this version"},
    {"--trace-promises", kNoV8},
    {"--trace-sigint", "the stack at Ctrl-C is not printed in this version"},
};

// `--no-` before one of these asks for what is so.
constexpr std::string_view kOffAnyway[] = {"--experimental-ffi", "--frozen-intrinsics", "--experimental-vfs"};

bool is_named(std::string_view pattern, std::string_view name) {
  if (!pattern.ends_with('*')) return pattern == name;
  return name.starts_with(pattern.substr(0, pattern.size() - 1));
}

}  // namespace

const ForeignOption* find_without_effect(std::string_view name) {
  const auto* found =
      std::ranges::find_if(kWithoutEffect, [&](const auto& option) { return is_named(option.name, name); });
  return found == std::end(kWithoutEffect) ? nullptr : found;
}

std::string_view why_refused(std::string_view name) {
  const auto* found = std::ranges::find_if(kRefused, [&](const auto& option) { return is_named(option.name, name); });
  return found == std::end(kRefused) ? std::string_view() : found->why;
}

bool is_off_anyway(std::string_view name) { return std::ranges::find(kOffAnyway, name) != std::end(kOffAnyway); }

std::string list_of_options_without_effect() {
  constexpr size_t kWidth = 100;
  std::string text = "\nAccepted, and of no effect on another engine (each flag with --no- too):\n";
  std::string_view about;
  size_t column = 0;
  for (const auto& option : kWithoutEffect) {
    const size_t length = option.name.size() + (option.form == Flag ? 1 : 5);
    if (option.about != about) {
      if (!about.empty()) text += "\n";
      text += "  " + std::string(option.about) + ":\n   ";
      column = 3;
    } else if (column + length > kWidth) {
      text += "\n   ";
      column = 3;
    }
    about = option.about;
    text += " " + std::string(option.name) + (option.form == Flag ? "" : "=...");
    column += length;
  }
  return text + "\n";
}

std::string list_of_v8_options() {
  std::string text =
      "Options of V8 that are accepted. The engine is not V8: they change nothing, but for the first "
      "five.\n\nOptions:\n";
  auto add = [&](std::string_view name, std::string_view about, std::string_view type) {
    text += "  " + std::string(name) + " (" + std::string(about) + ")\n        type: " + std::string(type) + "\n";
  };
  add("--abort-on-uncaught-exception", "abort instead of an exit code", "bool");
  add("--expose-gc", "gc() for programs", "bool");
  add("--max-old-space-size", "limit of the heap, in megabytes", "size_t");
  add("--stack-size", "stack of JavaScript, in kilobytes", "int");
  add("--stack-trace-limit", "frames in an error's stack", "int");
  for (const auto& option : kWithoutEffect) {
    if (option.about == kNode || option.name.ends_with('*')) continue;
    add(option.name, option.about, option.form == Flag ? "bool" : "int");
  }
  return text;
}

std::string bash_completion(std::string_view known) {
  std::string text =
      "_rondo_complete() {\n"
      "  local cur_word=\"${COMP_WORDS[COMP_CWORD]}\"\n"
      "  if [[ \"${cur_word}\" == -* ]]; then\n"
      "    COMPREPLY=( $(compgen -W '" +
      std::string(known);
  for (const auto& option : kWithoutEffect) {
    if (!option.name.ends_with('*')) text += std::string(option.name) + " ";
  }
  return text +
         "' -- \"${cur_word}\") )\n"
         "    return 0\n"
         "  fi\n"
         "  COMPREPLY=( $(compgen -f \"${cur_word}\") )\n"
         "}\n"
         "complete -o filenames -o nospace -o bashdefault -F _rondo_complete rondo\n";
}

}  // namespace rondo::cli
