// See option_table.h.
#include "cli/option_table.h"

#include "cli/foreign_options.h"

#include <algorithm>
#include <array>

namespace rondo::cli {

namespace {

// Options that lib/ asks for by name (lib/internal/process/options.js). Flags have a --no- form too. Every one of them does what it
// says: tests/cli/every_option.test.sh reads this table and tries each.
constexpr OptionSpec kOptions[] = {
    {"--require", OptionKind::List, "-r"},
    {"--import", OptionKind::List},
    {"--conditions", OptionKind::List, "-C"},
    {"--env-file", OptionKind::List},
    {"--env-file-if-exists", OptionKind::List},
    {"--experimental-config-file", OptionKind::Text},
    {"--experimental-default-config-file", OptionKind::Flag},
    {"--disable-warning", OptionKind::List},
    {"--experimental-loader", OptionKind::List},
    {"--loader", OptionKind::List},
    {"--input-type", OptionKind::Text},
    {"--loop", OptionKind::Text},
    {"--mark-lines", OptionKind::Flag},
    {"--policy", OptionKind::Text},
    {"--rate", OptionKind::Number},
    {"--times", OptionKind::Flag},
    {"--storage", OptionKind::Text},
    {"--fence", OptionKind::Text},
    {"--virtual-time", OptionKind::Flag},
    {"--seed", OptionKind::Number},
    {"--record", OptionKind::Text},
    {"--permission", OptionKind::Permission},
    {"--permission-audit", OptionKind::Flag},
    {"--allow-fs-read", OptionKind::List},
    {"--allow-fs-write", OptionKind::List},
    {"--allow-net", OptionKind::Flag},
    {"--allow-child-process", OptionKind::Flag},
    {"--allow-worker", OptionKind::Flag},
    {"--allow-addons", OptionKind::Flag},
    {"--allow-wasi", OptionKind::Flag},
    {"--allow-inspector", OptionKind::Flag},
    {"--allow-openssl-store", OptionKind::Flag},
    {"--disable-sigusr1", OptionKind::Flag},
    {"--doctor", OptionKind::Flag},
    {"--cpu-prof", OptionKind::Flag},
    {"--cpu-prof-dir", OptionKind::Text},
    {"--cpu-prof-name", OptionKind::Text},
    {"--cpu-prof-interval", OptionKind::Text},
    {"--heap-prof", OptionKind::Flag},
    {"--heap-prof-dir", OptionKind::Text},
    {"--heap-prof-name", OptionKind::Text},
    {"--heap-prof-interval", OptionKind::Text},
    {"--localstorage-file", OptionKind::Text},
    {"--webstorage", OptionKind::Flag, "--experimental-webstorage"},
    {"--perf-basic-prof", OptionKind::Flag},
    {"--perf-prof", OptionKind::Flag},
    {"--inspect", OptionKind::Address},
    {"--inspect-brk", OptionKind::Address},
    {"--inspect-wait", OptionKind::Address},
    {"--inspect-port", OptionKind::Address},
    {"--debug-port", OptionKind::Address},
    {"--inspect-publish-uid", OptionKind::Text},
    {"--experimental-network-inspection", OptionKind::Flag},
    {"--experimental-inspector-network-resource", OptionKind::Flag},
    {"--unhandled-rejections", OptionKind::Text},
    {"--stack-trace-limit", OptionKind::Number},
    {"--title", OptionKind::Text},
    {"--trace-require-module", OptionKind::Text},
    {"--network-family-autoselection-attempt-timeout", OptionKind::Number},
    {"--max-old-space-size", OptionKind::Number},
    {"--max-http-header-size", OptionKind::Number},
    {"--stack-size", OptionKind::Number},
    {"--experimental-default-type", OptionKind::Text},
    {"--redirect-warnings", OptionKind::Text},
    {"--dns-result-order", OptionKind::Text},
    {"--tls-cipher-list", OptionKind::Text},
    {"--tls-keylog", OptionKind::Text},
    {"--tls-min-v1.0", OptionKind::Flag},
    {"--tls-min-v1.1", OptionKind::Flag},
    {"--tls-min-v1.2", OptionKind::Flag},
    {"--tls-min-v1.3", OptionKind::Flag},
    {"--tls-max-v1.2", OptionKind::Flag},
    {"--tls-max-v1.3", OptionKind::Flag},
    {"--trace-tls", OptionKind::Flag},
    {"--use-openssl-ca", OptionKind::Always},
    {"--use-system-ca", OptionKind::Always},
    {"--report-directory", OptionKind::Text},
    {"--report-dir", OptionKind::Text},
    {"--report-filename", OptionKind::Text},
    {"--report-signal", OptionKind::Text},
    {"--watch-path", OptionKind::List},
    {"--watch-kill-signal", OptionKind::Text},
    {"--deprecation", OptionKind::Flag},
    {"--warnings", OptionKind::Flag},
    {"--addons", OptionKind::Flag},
    {"--strip-types", OptionKind::Flag},
    {"--experimental-strip-types", OptionKind::Flag},
    {"--experimental-detect-module", OptionKind::Flag},
    {"--experimental-require-module", OptionKind::Flag},
    {"--require-module", OptionKind::Flag},
    {"--experimental-import-meta-resolve", OptionKind::Flag},
    {"--experimental-import-text", OptionKind::Flag},
    {"--experimental-package-map", OptionKind::Text},
    {"--experimental-print-required-tla", OptionKind::Flag},
    {"--run", OptionKind::Text},
    {"--experimental-wasm-modules", OptionKind::Always},
    {"--experimental-wasi-unstable-preview1", OptionKind::Always},
    {"--experimental-websocket", OptionKind::Flag},
    {"--experimental-sqlite", OptionKind::Flag},
    {"--experimental-stream-iter", OptionKind::Flag},
    {"--experimental-vm-modules", OptionKind::Flag},
    {"--use-env-proxy", OptionKind::Flag},
    {"--experimental-eventsource", OptionKind::Flag},
    {"--experimental-web-worker", OptionKind::Flag},
    {"--experimental-fetch", OptionKind::Always},
    {"--experimental-global-navigator", OptionKind::Flag},
    {"--experimental-global-customevent", OptionKind::Always},
    {"--experimental-worker", OptionKind::Always},
    {"--experimental-abortcontroller", OptionKind::Always},
    {"--experimental-json-modules", OptionKind::Always},
    {"--network-family-autoselection", OptionKind::Flag},
    {"--preserve-symlinks", OptionKind::Flag},
    {"--preserve-symlinks-main", OptionKind::Flag},
    {"--pending-deprecation", OptionKind::Flag},
    {"--trace-deprecation", OptionKind::Flag},
    {"--throw-deprecation", OptionKind::Flag},
    {"--trace-warnings", OptionKind::Flag},
    {"--trace-uncaught", OptionKind::Flag},
    {"--trace-exit", OptionKind::Flag},
    {"--trace-sync-io", OptionKind::Flag},
    {"--trace-event-categories", OptionKind::Text},
    {"--trace-event-file-pattern", OptionKind::Text},
    {"--trace-events-enabled", OptionKind::Flag},
    {"--enable-source-maps", OptionKind::Flag},
    {"--report-compact", OptionKind::Flag},
    {"--report-exclude-env", OptionKind::Flag},
    {"--report-exclude-network", OptionKind::Flag},
    {"--report-on-fatalerror", OptionKind::Flag},
    {"--report-on-signal", OptionKind::Flag},
    {"--report-uncaught-exception", OptionKind::Flag},
    {"--expose-gc", OptionKind::Flag},
    {"--expose-internals", OptionKind::Flag},
    {"--force-node-api-uncaught-exceptions-policy", OptionKind::Flag},
    {"--entry-url", OptionKind::Flag},
    {"--insecure-http-parser", OptionKind::Flag},
    {"--jitless", OptionKind::Flag},
    {"--abort-on-uncaught-exception", OptionKind::Flag},
    {"--zero-fill-buffers", OptionKind::Flag},
    {"--test", OptionKind::Flag},
    {"--test-concurrency", OptionKind::Number},
    {"--test-coverage-branches", OptionKind::Number},
    {"--test-coverage-exclude", OptionKind::List},
    {"--test-coverage-functions", OptionKind::Number},
    {"--test-coverage-include", OptionKind::List},
    {"--test-coverage-include-all", OptionKind::Flag},
    {"--test-coverage-lines", OptionKind::Number},
    {"--experimental-test-coverage", OptionKind::Flag},
    {"--test-force-exit", OptionKind::Flag},
    {"--test-global-setup", OptionKind::Text},
    {"--test-leaks", OptionKind::Flag},
    {"--test-isolation", OptionKind::Text, "--experimental-test-isolation"},
    {"--test-name-pattern", OptionKind::List},
    {"--test-only", OptionKind::Flag},
    {"--test-random-seed", OptionKind::Number},
    {"--test-randomize", OptionKind::Flag},
    {"--test-reporter", OptionKind::List},
    {"--test-reporter-destination", OptionKind::List},
    {"--test-rerun-failures", OptionKind::Text},
    {"--test-shard", OptionKind::Text},
    {"--test-skip-pattern", OptionKind::List},
    {"--test-timeout", OptionKind::Number},
    {"--test-update-snapshots", OptionKind::Flag},
    {"--experimental-test-module-mocks", OptionKind::Flag},
    {"--experimental-test-tag-filter", OptionKind::List},
    {"--watch", OptionKind::Flag},
    {"--watch-preserve-output", OptionKind::Flag},
    {"--max-old-space-size-percentage", OptionKind::Number},
    {"--secure-heap", OptionKind::Number},
    {"--secure-heap-min", OptionKind::Number},
    {"--disable-proto", OptionKind::Text},
    {"--disallow-code-generation-from-strings", OptionKind::Flag},
    {"--diagnostic-dir", OptionKind::Text},
    {"--heapsnapshot-signal", OptionKind::Text},
    {"--extra-info-on-fatal-exception", OptionKind::Flag},
    {"--global-search-paths", OptionKind::Flag},
    {"--enable-network-family-autoselection", OptionKind::Flag},
    {"--experimental-modules", OptionKind::Always},
    {"--experimental-top-level-await", OptionKind::Always},
    {"--experimental-global-webcrypto", OptionKind::Always},
    {"--async-context-frame", OptionKind::Always},
    {"--experimental-repl-await", OptionKind::Flag},
};

// Options that a worker cannot have for itself.
constexpr std::string_view kOfProcess[] = {
    "--permission",
    "--permission-audit",
    "--allow-fs-read",
    "--allow-fs-write",
    "--allow-net",
    "--allow-child-process",
    "--allow-worker",
    "--allow-addons",
    "--allow-wasi",
    "--allow-inspector",
    "--allow-openssl-store",
    "--title",
    "--max-old-space-size",
    "--max-old-space-size-percentage",
    "--stack-size",
    "--jitless",
    "--max-semi-space-size",
    "--icu-data-dir",
    "--allow-natives-syntax",
    "--watch",
    "--watch-path",
    "--watch-kill-signal",
    "--expose-gc",
    "--watch-preserve-output",
    "--node-snapshot",
    "--zero-fill-buffers",
    "--abort-on-uncaught-exception",
    "--trace-event-categories",
    "--trace-event-file-pattern",
    "--trace-events-enabled",
    "--secure-heap",
    "--secure-heap-min",
};

// Options that are one of a few words. A word that nobody knows is refused, not taken and forgotten.
struct Choice {
  std::string_view option;
  std::array<std::string_view, 5> words;
};

constexpr Choice kChoices[] = {
    {"--unhandled-rejections", {"none", "warn", "strict", "throw", "warn-with-error-code"}},
    {"--dns-result-order", {"verbatim", "ipv4first", "ipv6first"}},
    {"--experimental-default-type", {"commonjs", "module"}},
    {"--trace-require-module", {"all", "no-node-modules"}},
    {"--fence", {"best", "require", "print", "off"}},
    {"--disable-proto", {"delete", "throw"}},
    {"--test-isolation", {"process", "none"}},
};

}  // namespace

const OptionSpec* find_option(std::string_view name) {
  for (const auto& option : kOptions) {
    if (option.name == name || (!option.alias.empty() && option.alias == name)) return &option;
  }
  return nullptr;
}

bool is_known_option(std::string_view name) {
  if (find_option(name) || find_without_effect(name)) return true;
  if (!name.starts_with("--no-")) return false;
  const std::string positive = "--" + std::string(name.substr(5));
  return find_option(positive) || find_without_effect(positive) || is_off_anyway(positive);
}

bool is_process_option(std::string_view name) { return std::ranges::find(kOfProcess, name) != std::end(kOfProcess); }

bool is_choice(std::string_view option, std::string_view word) {
  for (const auto& choice : kChoices) {
    if (choice.option == option) return !word.empty() && std::ranges::find(choice.words, word) != choice.words.end();
  }
  return true;
}

std::string with_dashes(std::string name) {
  if (!name.starts_with("--")) return name;
  std::replace(name.begin() + 2, name.end(), '_', '-');
  return name;
}

std::string list_of_options() {
  std::string text;
  for (const auto& option : kOptions) text += std::string(option.name) + " ";
  return text;
}

}  // namespace rondo::cli
