// See explore_options.h.
#include "cli/explore_options.h"

#include "cli/explore_run.h"

#include <cmath>
#include <cstdlib>
#include <cstring>

namespace rondo::cli {

namespace {

constexpr const char* kRunLimit = "--run-limit=";
constexpr const char* kSchedule = "--schedule=";

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
  if (line.schedule.empty()) return "replay requires --schedule, as rondo explore prints it";
  return parse_schedule(line.schedule) ? "" : "'" + line.schedule + "' is no schedule of rondo explore";
}

// A run of Node's loop on the virtual clock is the default schedule, with the real files.
std::string explore_refusal(CommandLine& line, bool is_replay) {
  const auto given = line.options.find("--seed");
  const double seed = given == line.options.end() ? 1 : std::get<double>(given->second);
  if (!(seed >= 0 && seed <= UINT32_MAX && seed == std::floor(seed)))
    return "--seed is a whole number from 0 to 4294967295";
  if (given != line.options.end() && line.is_html) return "--seed is for Node's loop";
  if (given != line.options.end() && is_replay) return "the seed of a replay is in its schedule";
  const bool is_program =
      (line.action == Action::File || line.action == Action::Eval || line.action == Action::Print) && !line.watches;
  const auto is_virtual = line.options.find("--virtual-time");
  if (is_virtual != line.options.end() && std::get<bool>(is_virtual->second) && !line.is_html && is_program &&
      line.schedule.empty()) {
    line.schedule = "s" + std::to_string(static_cast<uint32_t>(seed)) + ":0";
    line.real_files = true;
  }
  if (line.schedule.empty()) return "";
  if (line.is_html) return "explore and replay are for Node's loop, not for --loop=html";
  return is_program ? "" : "explore and replay take a script or -e code";
}

}  // namespace rondo::cli
