// The process that `rondo explore` starts once for each core: for each line on standard input, a schedule, it forks a child that runs the
// program by it, and writes what came of it to descriptor 3. The fork is made where the program's first line would run, so that a run
// does not pay for the start of the engine.
//
// Answer: a line "exit-code signal flags choices stdout-bytes stderr-bytes notes-bytes\n", then the choices
// (ChoiceLog::Entry), then the three texts. A schedule behind "!" is explained: its notes have a line for each choice and each callback.
#pragma once

#include "cli/explore_files.h"
#include "cli/explore_run.h"

#include "rondo/base/unique_fd.h"

#include <sys/types.h>

#include <string>

namespace rondo::cli {

class RunServer {
 public:
  // Standard input is the server's from here on; a program's is empty.
  RunServer(RunFiles files, std::string script, int limit_ms);

  // Returns in the child of each run. The process itself ends in it.
  void serve();
  // In the child: gives the run its schedule.
  void begin(ExploreRun& run) const;

 private:
  struct Texts;

  bool read_line(std::string& line) const;
  void become_run(const Texts& texts);
  void answer(int status, const Texts& texts) const;

  const RunFiles files_;
  const std::string script_;  // empty: none
  const int limit_;
  UniqueFd lines_;
  ChoiceLog* log_ = nullptr;
  Schedule schedule_;
  ExploreRun::Channels channels_;
};

}  // namespace rondo::cli
