// See explore_options.h.
#include "cli/explore_options.h"

#include "cli/explore_run.h"

#include "rondo/recording.h"
#include "rondo/system.h"

#include <limits.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <span>

namespace rondo::cli {

namespace {

constexpr const char* kRunLimit = "--run-limit=";
constexpr const char* kSchedule = "--schedule=";
constexpr const char* kRecord = "--record";

bool is_record(const std::string& word) { return word == kRecord || word.starts_with(std::string(kRecord) + "="); }

std::vector<std::string> without_record(const std::vector<std::string>& words) {
  std::vector<std::string> kept;
  for (size_t i = 0; i < words.size(); i++) {
    if (!is_record(words[i]))
      kept.push_back(words[i]);
    else if (words[i] == kRecord)
      i++;
  }
  return kept;
}

// rondo replay FILE: the program, its folder and its environment are those of the recording.
std::string take_recording(std::vector<std::string>& args, size_t& at, CommandLine& line) {
  const std::string path = args[at];
  auto recording = Recording::open(path);
  if (!recording) {
    return recording.error().number == EINVAL
               ? "replay requires --schedule, as rondo explore prints it, or a file that --record wrote"
               : "cannot read '" + path + "'";
  }
  const RecordedStart& start = (*recording)->start();
  if (chdir(start.folder.c_str()) < 0) return "the program's folder '" + start.folder + "' cannot be entered";
  clearenv();
  for (const std::string& entry : start.environment) {
    const size_t equals = entry.find('=');
    if (equals != std::string::npos) setenv(entry.substr(0, equals).c_str(), entry.c_str() + equals + 1, 1);
  }
  args = start.arguments;
  at = 0;
  line.recording = std::move(*recording);
  return "";
}

std::string begin_recording(CommandLine& line, const std::string& path) {
  RecordedStart start;
  std::vector<char> folder(PATH_MAX);
  if (path.empty() || !getcwd(folder.data(), folder.size())) return "--record needs the name of a file";
  start.folder = folder.data();
  start.arguments = without_record(line.given);
  for (char** entry = environ; *entry; entry++) start.environment.emplace_back(*entry);
  const auto given = line.options.find("--seed");
  if (given != line.options.end())
    start.seed = static_cast<uint32_t>(std::get<double>(given->second));
  else
    fill_random(std::as_writable_bytes(std::span(&start.seed, 1)));
  start.began_at =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
          .count();
  start.pid = getpid();
  start.parent_pid = getppid();
  start.input = descriptor_kind_of(STDIN_FILENO);
  auto recording = Recording::create(path, std::move(start));
  if (!recording) return "cannot write '" + path + "'";
  line.recording = std::move(*recording);
  line.exec_argv = without_record(line.exec_argv);
  line.options.erase(kRecord);
  return "";
}

}  // namespace

// --schedule stands before or behind the program. The processes of `rondo explore` get theirs later.
std::string take_schedule(std::vector<std::string>& args, size_t& at, CommandLine& line) {
  const bool is_replay = args[0] == "replay";
  line.is_explore_server = !is_replay;
  for (size_t i = 1; is_replay && i < args.size() && args[i] != "--";) {
    const auto word = args.begin() + static_cast<long>(i);
    if (args[i] == "--schedule" && i + 1 < args.size()) {
      line.schedule = args[i + 1];
      args.erase(word, word + 2);
    } else if (args[i].starts_with(kSchedule)) {
      line.schedule = args[i].substr(strlen(kSchedule));
      args.erase(word);
    } else {
      i++;
    }
  }
  for (at = 1; at < args.size(); at++) {
    if (args[at] == "--real-fs")
      line.real_files = true;
    else if (!is_replay && args[at].starts_with(kRunLimit))
      line.explore_limit = atoi(args[at].c_str() + strlen(kRunLimit));
    else
      break;
  }
  if (!is_replay) return line.schedule = "0", "";
  if (line.schedule.empty() && args.size() == at + 1) return take_recording(args, at, line);
  if (line.schedule.empty())
    return "replay requires --schedule, as rondo explore prints it, or a file that --record wrote";
  return parse_schedule(line.schedule) ? "" : "'" + line.schedule + "' is no schedule of rondo explore";
}

// A run of Node's loop on the virtual clock is the default schedule, with the real files.
std::string explore_refusal(CommandLine& line, bool is_replay) {
  const auto given = line.options.find("--seed");
  const double seed = given == line.options.end() ? 1 : std::get<double>(given->second);
  if (!(seed >= 0 && seed <= UINT32_MAX && seed == std::floor(seed)))
    return "--seed is a whole number from 0 to 4294967295";
  if (given != line.options.end() && line.is_html) return "--seed is for Node's loop";
  if (given != line.options.end() && is_replay && !line.recording) return "the seed of a replay is in its schedule";
  const bool is_program =
      (line.action == Action::File || line.action == Action::Eval || line.action == Action::Print) && !line.watches;
  const auto is_virtual = line.options.find("--virtual-time");
  if (is_virtual != line.options.end() && std::get<bool>(is_virtual->second) && !line.is_html && is_program &&
      line.schedule.empty()) {
    line.schedule = "s" + std::to_string(static_cast<uint32_t>(seed)) + ":0";
    line.real_files = true;
  }
  if (const auto record = line.options.find(kRecord); record != line.options.end()) {
    if (!line.schedule.empty() || line.is_html || !is_program || line.recording)
      return "--record is for a script or -e code on Node's loop, with the real clock";
    return begin_recording(line, std::get<std::string>(record->second));
  }
  if (line.schedule.empty()) return "";
  if (line.is_html) return "explore and replay are for Node's loop, not for --loop=html";
  return is_program ? "" : "explore and replay take a script or -e code";
}

}  // namespace rondo::cli
