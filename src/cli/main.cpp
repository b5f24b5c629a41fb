// The rondo command: a parts list. Reads the command line, puts loop, runtime and native modules together, runs.
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/process_setup.h"

int main(int argc, char** argv) {
  rondo::cli::prepare_process();
  auto parsed = rondo::cli::parse(argc, argv);
  return rondo::cli::execute(parsed);
}
