// One function a command; main calls execute with what the command line asked for. Each returns the exit code.
#pragma once

#include "cli/options.h"

namespace rondo::cli {

int execute(const CommandLine& line);
int run_program(const CommandLine& line);
int print_help();
int print_version();

}  // namespace rondo::cli
