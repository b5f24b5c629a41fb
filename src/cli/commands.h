// One function a command; main calls execute with what the command line asked for. Each returns the exit code.
#pragma once

#include "cli/options.h"
#include "observe/ledger.h"

#include <functional>
#include <optional>

namespace rondo::cli {

int execute(const CommandLine& line);
// Whom the loop of a worker tells; called on the worker's thread.
using ObserveWorker = std::function<runtime::TaskObserver*(uint32_t id, const std::string& name)>;
// Runs what `action` says; with a ledger the run is watched. `at_end` is called when the program has ended, however it ended.
int run_program(const CommandLine& line, Action action, observe::Ledger* ledger = nullptr,
                std::function<void()> at_end = {}, ObserveWorker observe_worker = {});
int trace_program(const CommandLine& line);
// The command line of a child of a traced process, which is traced as its parent is; nothing for any other.
std::optional<CommandLine> as_traced_child(const CommandLine& line);
// Runs the program once for each schedule on standard input, each in a child.
int serve_explorer(const CommandLine& line);

}  // namespace rondo::cli
