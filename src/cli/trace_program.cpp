// rondo trace: runs a program with the ledger open, then writes the account: a table, lines of JSON, or a file for Perfetto.
#include "cli/commands.h"
#include "observe/trace.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <unistd.h>

namespace rondo::cli {

namespace {

constexpr int kExitCannotWrite = 2;

observe::Colour colour_for(int fd) {
  if (getenv("NO_COLOR")) return observe::Colour::Off;
  return isatty(fd) ? observe::Colour::On : observe::Colour::Off;
}

void write_trace(const CommandLine& line, const observe::Ledger& ledger, const std::string& folder, FILE* file) {
  if (line.trace_json)
    observe::write_json_lines(ledger, file ? file : stdout);
  else if (file)
    observe::write_chrome(ledger, line.text, folder, file);
  else
    observe::write_account(ledger, line.text, stderr,
                           {.colour = colour_for(STDERR_FILENO), .unfolded = line.trace_all, .folder = folder});
}

}  // namespace

int trace_program(const CommandLine& line) {
  FILE* file = nullptr;
  if (!line.trace_output.empty()) {
    // Opened first: a run must not end with its trace nowhere to go.
    file = fopen(line.trace_output.c_str(), "we");
    if (!file) {
      fprintf(stderr, "rondo trace: cannot write %s: %s\n", line.trace_output.c_str(), strerror(errno));
      return kExitCannotWrite;
    }
  }
  // The program may go elsewhere; and it may have begun nowhere.
  std::error_code nowhere;
  const std::string folder = std::filesystem::current_path(nowhere).string();
  observe::Ledger ledger;
  ledger.on_starvation([&](const observe::Record& record) {
    fprintf(stderr, "rondo trace: %s\n", observe::starvation_sentence(ledger, record, folder).c_str());
  });
  return run_program(line, line.traced, &ledger, [&] {
    write_trace(line, ledger, folder, file);
    if (!file) return;
    bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed)
      fprintf(stderr, "rondo trace: %s may be incomplete\n", line.trace_output.c_str());
    else
      fprintf(stderr, "rondo trace: wrote %s\n", line.trace_output.c_str());
  });
}

}  // namespace rondo::cli
