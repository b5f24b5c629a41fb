// The command line: what to do, with which options. Node's option names where Node has the option.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace rondo {
class Recording;
}

namespace rondo::cli {

class RunServer;

enum class Action {
  File,
  Eval,
  Print,
  Check,
  Test,
  Stdin,
  Help,
  Version,
  V8Options,
  BashCompletion,
  ZshCompletion,
  FishCompletion,
  ManPage,
  Fail,
  Trace,
  Compare,
  Repl,
  Script,  // of package.json: --run
  Watch  // doctor, why, top, see, explore, inspect, and trace of a running process: text is the command, script_argv what follows it
};

using OptionValue = std::variant<bool, double, std::string, std::vector<std::string>>;

struct CommandLine {
  Action action = Action::Stdin;
  std::string text;  // the file, the code, or the message of Fail
  int exit_code = 0;  // of Fail
  std::string exec_path;
  std::string program_path;  // process.execPath: exec_path, or the link named "node" by which it was called
  bool is_node = false;  // called by the name `node`
  std::vector<std::string> exec_argv;  // options for the runtime
  std::vector<std::string> script_argv;  // what follows the script
  std::map<std::string, OptionValue> options;  // "--require" → ["a"]
  bool watches = false;  // --watch, --watch-path: the program runs in a child, again after each change
  bool is_html = false;  // --loop=html
  bool has_text = false;  // -e or -p, also with the prompt of -i
  bool asks_why = false;  // rondo why --permission
  // rondo replay, and the processes of rondo explore
  std::string schedule;  // empty: a run like any other
  bool is_explore_server = false;
  RunServer* run_server = nullptr;  // of its processes: gives each run its schedule
  int explore_limit = 10'000;  // milliseconds that a run may take
  bool real_files = false;  // --real-fs
  // --record, and rondo replay FILE
  std::vector<std::string> given;  // the whole command line
  std::shared_ptr<Recording> recording;
  // rondo trace
  Action traced = Action::File;
  std::string trace_output;
  bool trace_json = false;
  bool trace_all = false;
  bool is_traced_child = false;
  bool is_report_in_file = false;  // trace_output has the printed report
};

CommandLine parse(int argc, char** argv);
// Of a worker, which has options and no program: those that are no options of a runtime's are told in `wrong`. `node_options`: what
// its NODE_OPTIONS says, if that is not the process's own.
std::map<std::string, OptionValue> parse_worker_options(const std::vector<std::string>& given,
                                                        const std::string* node_options,
                                                        std::vector<std::string>& wrong);

}  // namespace rondo::cli
