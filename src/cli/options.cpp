// See options.h.
#include "cli/options.h"

#include "base/machine_memory.h"
#include "cli/config_file.h"
#include "cli/explore_options.h"
#include "cli/foreign_options.h"
#include "cli/inspect_address.h"
#include "cli/option_scopes.h"
#include "cli/option_table.h"
#include "cli/option_words.h"
#include "runtime/exit_codes.h"
#include "rondo/html/policy.h"

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <sstream>
#include <string_view>

#include <unistd.h>

namespace rondo::cli {

namespace {

constexpr int kLeastStack = 200;  // in kilobytes: with less, lib/ itself could not run
constexpr int kMostStack = 7168;  // the usual stack of a process is 8 MB

bool is_input_type(std::string_view type) {
  return type == "module" || type == "commonjs" || type == "module-typescript" || type == "commonjs-typescript";
}

CommandLine fail(CommandLine line, const std::string& message) {
  line.action = Action::Fail;
  line.text = line.exec_path + ": " + message;
  line.exit_code = runtime::kExitBadOption;
  return line;
}

std::string own_path(const char* fallback) {
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  return length > 0 ? std::string(path, static_cast<size_t>(length)) : fallback;
}

bool is_same_file(const std::string& path, const std::string& own) {
  char real[PATH_MAX];
  return realpath(path.c_str(), real) && own == real;
}

// The link by which the binary was called, with its whole path; programs tell a script of their own by the name "node" in
// process.argv[0]. The binary itself where no such link is found.
std::string link_path(const std::string& called, const std::string& own) {
  const auto slash = called.rfind('/');
  if (slash != std::string::npos) {
    char folder[PATH_MAX];
    if (!realpath(called.substr(0, slash + 1).c_str(), folder)) return own;
    const std::string path = std::string(folder) + called.substr(slash);
    return is_same_file(path, own) ? path : own;
  }
  const char* variable = getenv("PATH");
  std::stringstream folders(variable ? variable : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string path = folder + "/" + called;
    if (folder.starts_with('/') && access(path.c_str(), X_OK) == 0) return is_same_file(path, own) ? path : own;
  }
  return own;
}

class Parser {
 public:
  Parser(int argc, char** argv) : args_(argv + 1, argv + argc) {
    line_.exec_path = own_path(argv[0]);
    const std::string_view called = argv[0];
    line_.is_node = called.substr(called.rfind('/') + 1) == "node";
    line_.program_path = line_.is_node ? link_path(argv[0], line_.exec_path) : line_.exec_path;
  }

  explicit Parser(std::vector<std::string> args) : args_(std::move(args)) {}

  std::map<std::string, OptionValue> run_for_worker(const std::string* variable, std::vector<std::string>& wrong) {
    auto given = std::exchange(args_, {});
    if (variable && !split_words(*variable, args_)) wrong.push_back(*variable);
    take_worker_options(wrong);
    args_ = std::move(given);
    if (wrong.empty()) take_worker_options(wrong);
    return std::move(line_.options);
  }

  CommandLine run() {
    line_.given = args_;
    if (!check_choice("RONDO_POLLER", "uring", "epoll") || !check_choice("RONDO_FS", "ring", "pool")) return line_;
    if (is_watcher_command()) {
      line_.action = Action::Watch;
      line_.text = args_[0];
      line_.script_argv.assign(args_.begin() + 1, args_.end());
      return std::move(line_);
    }
    if (args_.size() > 0 && (args_[0] == "replay" || args_[0] == "explore-server")) {
      is_replay_ = args_[0] == "replay";
      if (const std::string wrong = take_schedule(args_, at_, line_); !wrong.empty())
        return refuse(wrong), std::move(line_);
    }
    if (args_.size() > 0 && args_[0] == "trace") {
      is_trace_ = true;
      at_ = 1;
    } else if (args_.size() > 0 && args_[0] == "compare") {
      is_compare_ = true;
      at_ = 1;
    } else if (args_.size() > 0 && args_[0] == "why") {
      line_.asks_why = true;
      at_ = 1;
    }
    if (!take_config_file()) return line_;
    if (const char* extra = getenv("NODE_OPTIONS")) {
      if (!take_environment(extra)) return line_;
    }
    while (at_ < args_.size()) {
      const std::string& arg = args_[at_];
      if (arg == "--") {
        at_++;
        has_dashes_ = true;
        break;
      }
      if (arg.size() < 2 || arg[0] != '-') break;
      size_t from = at_;
      if (!take_option(arg)) return line_;
      // An option of `trace` itself is no option of the program's children.
      const bool is_for_trace =
          is_trace_ && (arg == "-o" || arg.starts_with("-o=") || arg == "--json" || arg == "--all" || arg == "--calls");
      for (size_t i = from; i < at_ && !is_for_trace; i++) line_.exec_argv.push_back(args_[i]);
      if (line_.action != Action::Stdin) return line_;  // something is printed, and nothing run
    }
    return finish();
  }

 private:
  // Commands that watch another process. `why --permission` and `trace script.js` run the program in this one.
  bool is_watcher_command() const {
    const auto is_number = [](const std::string& word) {
      return !word.empty() && std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
    };
    if (args_.empty()) return false;
    const auto has = [&](const char* word) { return std::ranges::find(args_, word) != args_.end(); };
    if (args_[0] == "doctor" || args_[0] == "top" || args_[0] == "see" || args_[0] == "explore") return true;
    if (args_[0] == "why") return !has("--permission");
    if (args_[0] != "trace") return false;
    const auto is_page = [](const std::string& word) { return word.ends_with(".html"); };
    for (size_t i = 1; i < args_.size(); i++) {
      if (args_[i] == "-o" && i + 1 < args_.size()) {
        if (is_page(args_[i + 1])) return true;
        i++;
      } else if (args_[i].starts_with("-o=") && is_page(args_[i])) {
        return true;
      } else if (args_[i] == "--join") {
        return true;  // recordings of several processes
      } else if (args_[i].starts_with("--otlp") || args_[i].starts_with("--for")) {
        return true;  // a script has no use for --for: the command that watches refuses it
      } else if (is_number(args_[i])) {
        return true;
      } else if (!args_[i].starts_with("-")) {
        return false;
      }
    }
    return false;
  }

  // `inspect`, also behind options: the debugger at the terminal.
  bool names_debugger() const {
    return at_ < args_.size() && args_[at_] == "inspect" && !has_dashes_ && mode_ == Action::File && !is_trace_ &&
           !is_compare_ && !line_.asks_why;
  }

  // librondo would take any other word for the usual choice.
  bool check_choice(const char* variable, std::string_view one, std::string_view other) {
    const char* given = getenv(variable);
    if (!given || !*given || given == one || given == other) return true;
    return refuse(std::string(variable) + " must be " + std::string(one) + " or " + std::string(other) + ", not '" +
                  given + "'");
  }

  bool refuse(std::string message) {
    line_ = fail(std::move(line_), message);
    return false;
  }

  // Options of the whole process are wrong here.
  void take_worker_options(std::vector<std::string>& wrong) {
    for (at_ = 0; at_ < args_.size();) {
      const std::string arg = args_[at_];
      const size_t before = at_, equals = arg.find('=');
      if (arg.empty()) {  // says nothing, and Node lets it pass
        at_++;
        continue;
      }
      const std::string name = with_dashes(arg.substr(0, equals));
      const bool is_of_process = is_process_option(name);
      if (!is_of_process && take_known(arg, name, equals)) continue;
      wrong.push_back(arg);
      at_ = before + 1;
    }
  }

  bool value_of(const std::string& arg, size_t equals, std::string& value) {
    if (equals != std::string::npos) {
      value = arg.substr(equals + 1);
      at_++;
      return true;
    }
    if (arg == "--run") {  // alone it lists the scripts
      if (at_ + 1 < args_.size() && !args_[at_ + 1].starts_with("-")) value = args_[++at_];
      return at_++, true;
    }
    // A word that begins with a dash is the next option; "\\-42" is the value -42.
    if (at_ + 1 >= args_.size() || args_[at_ + 1].starts_with("-")) return refuse(arg + " requires an argument");
    value = args_[at_ + 1];
    if (value.starts_with("\\-")) value.erase(0, 1);
    at_ += 2;
    return true;
  }

  // -e takes its text always, -p when there is one: "-p -e TEXT" and "-p" alone, which reads standard input, are Node's too.
  bool take_text(const std::string& arg, const std::string& name, size_t equals) {
    bool prints = name != "-e" && name != "--eval";
    if (mode_ == Action::Check) return refuse("either --check or --eval can be used, not both");
    mode_ = prints || mode_ == Action::Print ? Action::Print : Action::Eval;
    bool has_none = at_ + 1 >= args_.size() || args_[at_ + 1].starts_with("-");
    if (prints && name != "-pe" && equals == std::string::npos && has_none) return at_++, true;
    has_text_ = true;
    return value_of(arg, equals, line_.text);
  }

  bool take_option(const std::string& arg) {
    size_t equals = arg.find('=');
    std::string name = with_dashes(arg.substr(0, equals));
    if (name == "-h" || name == "--help") return line_.action = Action::Help, true;
    if (name == "-v" || name == "--version") {
      line_.options["--json"] = at_ + 1 < args_.size() && args_[at_ + 1] == "--json";
      return line_.action = Action::Version, true;
    }
    if (name == "-c" || name == "--check") {
      if (mode_ == Action::Print || mode_ == Action::Eval)
        return refuse("either --check or --eval can be used, not both");
      return mode_ = Action::Check, at_++, true;
    }
    if (name == "--v8-options") return line_.action = Action::V8Options, true;
    if (name == "--completion-bash") return line_.action = Action::BashCompletion, true;
    if (name == "--completion-zsh") return line_.action = Action::ZshCompletion, true;
    if (name == "--completion-fish") return line_.action = Action::FishCompletion, true;
    if (name == "--man-page") return line_.action = Action::ManPage, true;
    if (name == "--experimental-default-config-file" && equals != std::string::npos)
      return refuse(name + " does not take an argument");
    if (name == "--experimental-config-file" || name == "--experimental-default-config-file") {
      line_.options["--experimental-config-file"] =
          equals == std::string::npos ? std::string("node.config.json") : arg.substr(equals + 1);
      return at_++, true;
    }
    if (name == "-i" || name == "--interactive") return is_interactive_ = true, at_++, true;
    if (is_trace_ && name == "-o") return value_of(arg, equals, line_.trace_output);
    if (is_trace_ && name == "--json") return line_.trace_json = true, at_++, true;
    if (is_trace_ && name == "--all") return line_.trace_all = true, at_++, true;
    if (is_trace_ && name == "--calls") return line_.options["--calls"] = true, at_++, true;
    if (name == "-e" || name == "--eval" || name == "-p" || name == "--print" || name == "-pe") {
      return take_text(arg, name, equals);
    }
    return take_known(arg, name, equals);
  }

  // Options of V8 and of Node's internals (foreign_options.h).
  bool take_foreign(const std::string& arg, const std::string& name, size_t equals, bool off) {
    const std::string positive = off ? "--" + name.substr(5) : name;
    if (off && is_off_anyway(positive)) return at_++, true;
    const auto* option = find_without_effect(name);
    if (!option && off) option = find_without_effect(positive);
    if (!option) {
      const auto why = why_refused(positive);
      return refuse("bad option: " + arg + (why.empty() ? "" : " (" + std::string(why) + ")"));
    }
    if (option->form == OptionForm::Flag) {
      if (equals != std::string::npos) return refuse(name + " does not take an argument");
      return at_++, true;
    }
    if (off) return refuse(name + " is an invalid negation because it is not a boolean option");
    std::string value;
    if (!value_of(arg, equals, value)) return false;
    return option->form == OptionForm::Text || number_of(name, value).has_value();
  }

  std::optional<double> number_of(const std::string& name, const std::string& value) {
    char* end = nullptr;
    const double number = strtod(value.c_str(), &end);
    if (!value.empty() && !*end) return number;
    refuse(name + " must be a number, not '" + value + "'");
    return std::nullopt;
  }

  // --max-old-space-size-percentage
  bool take_percentage(const std::string& value, const std::string& key) {
    if (value.empty()) return refuse(key + "= requires an argument");
    char* end = nullptr;
    const double number = strtod(value.c_str(), &end);
    if (*end || !(number > 0 && number <= 100))
      return refuse(key + " must be greater than 0 and up to 100. Got: " + value);
    const double megabytes = static_cast<double>(usable_memory()) * number / 100 / 1024 / 1024;
    line_.options["--max-old-space-size"] = std::max(1.0, std::floor(megabytes));
    line_.options[key] = number;
    return true;
  }

  bool take_number(const std::string& name, const std::string& value, const std::string& key) {
    if (key == "--max-old-space-size-percentage") return take_percentage(value, key);
    const auto number = number_of(name, value);
    if (!number) return false;
    if (key == "--stack-size" && !(*number >= kLeastStack && *number <= kMostStack)) {
      return refuse("--stack-size must be between " + std::to_string(kLeastStack) + " and " +
                    std::to_string(kMostStack) + " kilobytes");
    }
    // A percentage counts, in whichever place it stands.
    if (key == "--max-old-space-size" && line_.options.contains("--max-old-space-size-percentage")) return true;
    line_.options[key] = *number;
    return true;
  }

  bool take_known(const std::string& arg, const std::string& name, size_t equals) {
    bool off = name.starts_with("--no-");
    const OptionSpec* known = find_option(name);
    if (!known && off) known = find_option("--" + name.substr(5));
    if (!known) return take_foreign(arg, name, equals, off);
    if (off && known->kind != OptionKind::Flag && known->kind != OptionKind::Permission && known->name != "--inspect") {
      return refuse(name + " is an invalid negation because it is not a boolean option");
    }
    std::string key(known->name);
    if (known->kind == OptionKind::Permission) return take_permission(arg, off, equals);
    if (known->kind == OptionKind::Address) return take_address(arg, key, off, equals);
    if (known->kind == OptionKind::Flag || known->kind == OptionKind::Always) {
      if (equals != std::string::npos) return refuse(name + " does not take an argument");
      line_.options[key] = !off;
      at_++;
      return true;
    }
    std::string value;
    if (!value_of(arg, equals, value)) return false;
    if (value.empty() && equals != std::string::npos && known->kind == OptionKind::List) {
      return refuse(arg + " requires an argument");
    }
    if (known->kind == OptionKind::Number) {
      return take_number(name, value, key);
    }
    if (known->kind == OptionKind::Text) {
      if (!is_choice(key, value)) return refuse("invalid value for " + key);
      if (key == "--input-type" && !is_input_type(value)) {
        return refuse("--input-type must be \"module\",\"commonjs\", \"module-typescript\" or \"commonjs-typescript\"");
      }
      line_.options[key] = value;
    } else {
      auto& list = line_.options.try_emplace(key, std::vector<std::string>{}).first->second;
      std::get<std::vector<std::string>>(list).push_back(value);
    }
    return true;
  }

  // --permission=kernel: the rules are the kernel's too.
  bool take_permission(const std::string& arg, bool off, size_t equals) {
    const std::string word = equals == std::string::npos ? "" : arg.substr(equals + 1);
    if (equals != std::string::npos && (off || word != "kernel"))
      return refuse("--permission is alone, or --permission=kernel, not '" + arg + "'");
    line_.options["--permission"] = !off;
    line_.options["--permission-kernel"] = !off && word == "kernel";
    at_++;
    return true;
  }

  // --inspect, --inspect-brk, --inspect-wait [=[host:]port], --inspect-port=[host:]port: one address for all, the last one given.
  bool take_address(const std::string& arg, const std::string& key, bool off, size_t equals) {
    const bool is_port = key == "--inspect-port" || key == "--debug-port";
    std::string value;
    if (is_port && equals == std::string::npos) {
      if (!value_of(arg, equals, value)) return false;
    } else {
      at_++;
      if (equals != std::string::npos) value = arg.substr(equals + 1);
      if (is_port && value.empty()) return refuse(arg + " requires an argument");
    }
    if (!is_port) line_.options[key] = !off;
    if (off || (value.empty() && !is_port)) return true;
    auto address = inspect_address(value);
    if (!address)
      return refuse(arg.substr(0, equals) + ": Cannot parse inspector port: must be 0 or in range 1024 to 65535.");
    line_.options["--inspect-port"] = *address;
    return true;
  }

  // NODE_OPTIONS: the same options, without those that name a program.
  bool take_environment(const char* text) {
    std::vector<std::string> extra;
    if (!split_words(text, extra)) return refuse("invalid value for NODE_OPTIONS (unterminated string)");
    auto own = std::exchange(args_, extra);
    auto own_at = std::exchange(at_, 0);
    while (at_ < args_.size()) {
      size_t equals = args_[at_].find('=');
      std::string name = with_dashes(args_[at_].substr(0, equals));
      if (!is_known_option(name) || is_for_command_line_only(name)) {
        return refuse(args_[at_].substr(0, equals) + " is not allowed in NODE_OPTIONS");
      }
      if (!take_known(args_[at_], name, equals)) return false;
    }
    args_ = std::move(own);
    at_ = own_at;
    return true;
  }

  // node.config.json: options before those of NODE_OPTIONS and of the command line.
  bool take_config_file() {
    const std::string path = config_file_in({args_.begin() + static_cast<long>(at_), args_.end()});
    if (path.empty()) return true;
    ConfigFile file = read_config_file(path);
    if (!file.wrong.empty()) {
      const auto last = file.wrong.rfind('\n');
      if (last != std::string::npos) fprintf(stderr, "%s\n", file.wrong.substr(0, last).c_str());
      return refuse(file.wrong.substr(last + 1));
    }
    for (auto* words : {&file.node_options, &file.other_options}) {
      auto own = std::exchange(args_, *words);
      auto own_at = std::exchange(at_, 0);
      while (at_ < args_.size()) {
        const size_t equals = args_[at_].find('=');
        if (!take_known(args_[at_], with_dashes(args_[at_].substr(0, equals)), equals)) return false;
      }
      args_ = std::move(own);
      at_ = own_at;
    }
    return true;
  }

  bool is_on(const char* option) const {
    const auto found = line_.options.find(option);
    return found != line_.options.end() && std::get<bool>(found->second);
  }

  // The words after the options are files and patterns then, not a program and its arguments.
  bool take_tests() {
    if (mode_ == Action::Check) return refuse("either --test or --check can be used, not both");
    if (mode_ != Action::File) return refuse("either --test or --eval can be used, not both");
    if (line_.options.contains("--watch-path")) return refuse("--watch-path cannot be used in combination with --test");
    if (is_on("--watch") && is_on("--test-force-exit"))
      return refuse("either --watch or --test-force-exit can be used, not both");
    line_.action = Action::Test;
    return true;
  }

  // A program that is watched is a file. In the child that --watch started, the option is none (NODE_OPTIONS has it too).
  bool check_watch() {
    if (getenv("RONDO_WATCH_FD")) {
      line_.options.erase("--watch");
      line_.options.erase("--watch-path");
      return true;
    }
    if (!is_on("--watch") && !line_.options.contains("--watch-path")) return true;
    switch (line_.action) {
      case Action::File:
        line_.watches = true;
        return true;
      case Action::Test:  // the test runner watches its files itself
        return true;
      case Action::Check:
        return refuse("either --watch or --check can be used, not both");
      case Action::Stdin:
      case Action::Repl:
        return refuse("--watch requires a file");
      default:
        return refuse("either --watch or --eval can be used, not both");
    }
  }

  bool has(const char* name) const { return line_.options.contains(name); }
  std::string text_of(const char* name) const { return has(name) ? std::get<std::string>(line_.options.at(name)) : ""; }

  // --loop=html and what belongs to it.
  bool check_loop() {
    const std::string loop = text_of("--loop");
    if (has("--loop") && loop != "html" && loop != "node") return refuse("--loop is html or node, not '" + loop + "'");
    line_.is_html =
        loop == "html" && line_.action != Action::Test;  // the files of --test run in processes of their own
    for (const char* option : {"--fence", "--policy", "--rate", "--storage"}) {
      if (has(option) && loop != "html") return refuse(std::string(option) + " is for --loop=html");
    }
    if (has("--policy") && !html::make_policy(text_of("--policy")))
      return refuse("--policy is fifo, priority or seed:N, not '" + text_of("--policy") + "'");
    if (has("--rate")) {
      const double rate = std::get<double>(line_.options.at("--rate"));
      if (!(rate >= 1 && rate <= 1000)) return refuse("--rate is a number of frames a second from 1 to 1000");
    }
    const bool is_file = line_.action == Action::File && !line_.watches;
    if (line_.is_html && !is_file && line_.action != Action::Eval)
      return refuse("--loop=html runs a page, a script, or the code of -e");
    if (has("--times") && !is_compare_) return refuse("--times is for compare");
    if (line_.is_html && has("--localstorage-file")) return refuse("--localstorage-file: a page has --storage");
    if (line_.is_html && (is_on("--permission") || is_on("--permission-audit")))
      return refuse("--permission is for programs; a page is held by --fence");
    return true;
  }

  // Options of a profile say nothing without it.
  bool check_profile(const std::string& profile) {
    for (const char* part : {"-dir", "-name", "-interval"}) {
      if (has((profile + part).c_str()) && !is_on(profile.c_str()))
        return refuse(profile + part + " must be used with " + profile);
    }
    if (line_.is_html && is_on(profile.c_str())) return refuse(profile + " is for programs, not for --loop=html");
    const std::string interval = text_of((profile + "-interval").c_str());
    if (interval.empty()) return true;
    const auto number = number_of(profile + "-interval", interval);
    if (number && !(*number >= 1)) return refuse(profile + "-interval must be 1 or more");
    return number.has_value();
  }

  bool check_profiles() { return check_profile("--cpu-prof") && check_profile("--heap-prof"); }
  // rondo why --permission: which rights a run needs. The other questions are a watcher's.
  bool check_why() {
    if (!line_.asks_why) return true;
    for (const auto& [name, value] : line_.options) {
      if (name.starts_with("--allow-") || name == "--permission-audit" ||
          (name == "--permission-kernel" && std::get<bool>(value)))
        return refuse("why --permission finds the rights itself: it takes no " + name);
    }
    if (line_.action == Action::Test || line_.watches) return refuse("why --permission takes a script");
    return true;
  }

  // --run NAME [-- ARGUMENTS]
  bool take_script() {
    if (is_trace_ || is_compare_ || line_.asks_why || is_on("--watch") || has("--watch-path"))
      return refuse("--run hands the process over to a shell: it cannot be watched");
    if (at_ < args_.size() && !has_dashes_) return refuse("arguments of a script of package.json stand after --");
    line_.text = text_of("--run");
    line_.action = Action::Script;
    return true;
  }

  CommandLine finish() {
    if (has("--run")) {
      if (!take_script()) return std::move(line_);
    } else if (is_on("--test")) {
      if (!take_tests()) return std::move(line_);
    } else if (has_text_) {
      line_.action = is_interactive_ ? Action::Repl : mode_;
      line_.has_text = true;
      if (is_interactive_ && mode_ == Action::Print) line_.options["--print"] = true;
    } else if (names_debugger()) {
      line_.action = Action::Watch;
      line_.text = args_[at_++];
      line_.script_argv.assign(args_.begin() + static_cast<long>(at_), args_.end());
      return std::move(line_);
    } else if (at_ < args_.size() && args_[at_] != "-" && !args_[at_].empty()) {
      line_.text = args_[at_++];
      line_.action = mode_ == Action::Check ? Action::Check : Action::File;
    } else {
      const bool names_stdin = at_ < args_.size();
      if (names_stdin) line_.text = args_[at_++];  // a "-" that was written stands in process.argv; "" means the same
      if (mode_ == Action::Print) line_.options["--print"] = true;
      if (mode_ == Action::Check) line_.options["--check"] = true;
      const bool prompts = is_interactive_ || (!names_stdin && mode_ == Action::File && isatty(STDIN_FILENO));
      const bool needs_script = is_trace_ || is_compare_ || line_.asks_why;
      if (prompts && needs_script) return line_.action = Action::Help, std::move(line_);
      line_.action = prompts ? Action::Repl : Action::Stdin;
    }
    if (!check_watch() || !check_loop() || !check_why() || !check_profiles()) return std::move(line_);
    if (const std::string wrong = explore_refusal(line_, is_replay_); !wrong.empty())
      return refuse(wrong), std::move(line_);
    line_.script_argv.assign(args_.begin() + static_cast<long>(at_), args_.end());
    if (is_compare_) {
      if (line_.action != Action::File || line_.watches || line_.is_html)
        return refuse("compare takes a script"), std::move(line_);
      line_.action = Action::Compare;
    }
    if (is_trace_) {
      if (line_.trace_all && (line_.trace_json || !line_.trace_output.empty()))
        return refuse("--all is for the printed report; --json and -o always write everything"), std::move(line_);
      line_.traced = line_.action;
      line_.action = Action::Trace;
    }
    return std::move(line_);
  }

  std::vector<std::string> args_;
  size_t at_ = 0;
  bool is_trace_ = false;
  bool is_compare_ = false;
  bool is_replay_ = false;
  bool has_text_ = false;
  bool is_interactive_ = false;
  bool has_dashes_ = false;  // "--" ended the options
  Action mode_ = Action::File;
  CommandLine line_;
};

}  // namespace

CommandLine parse(int argc, char** argv) { return Parser(argc, argv).run(); }

std::map<std::string, OptionValue> parse_worker_options(const std::vector<std::string>& given,
                                                        const std::string* node_options,
                                                        std::vector<std::string>& wrong) {
  return Parser(given).run_for_worker(node_options, wrong);
}

}  // namespace rondo::cli
