// See config_file.h.
#include "cli/config_file.h"

#include "cli/json_text.h"
#include "cli/option_scopes.h"
#include "cli/option_table.h"
#include "runtime/node_version.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

namespace rondo::cli {

namespace {

using Kind = JsonValue::Kind;
constexpr std::string_view kOption = "--experimental-config-file", kDefault = "--experimental-default-config-file";
constexpr std::string_view kDefaultName = "node.config.json";
// Fields whose name is an option that they imply.
constexpr std::string_view kImplied[] = {"permission", "test", "watch"};

std::string major() {
  const std::string_view version = runtime::kNodeVersion;
  return std::string(version.substr(0, version.find('.')));
}

// Options that a field may have.
bool belongs(std::string_view field, std::string_view option) {
  const auto is_of = [&](std::string_view name) {
    return option == name || option.starts_with(std::string(name) + "-");
  };
  if (field == "permission") return is_of("--permission") || option.starts_with("--allow-");
  if (field == "test") return is_of("--test") || option.starts_with("--experimental-test-");
  return field == "watch" && is_of("--watch");
}

class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path) {}

  ConfigFile run() {
    std::ifstream file(path_, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file) {
      file_.wrong = "Cannot read configuration from " + path_ + ": " + strerror(errno == 0 ? ENOENT : errno) + "\n" +
                    path_ + ": not found";
      return std::move(file_);
    }
    const auto root = parse_json(text);
    bool is_good = false;
    if (!root)
      tell("Can't parse " + path_);
    else if (root->kind != Kind::Object)
      tell("Root value unexpected not an object for " + path_);
    else
      is_good = take_root(*root);
    if (!is_good) tell(path_ + ": invalid content");
    return std::move(file_);
  }

 private:
  bool tell(const std::string& line) {
    file_.wrong += (file_.wrong.empty() ? "" : "\n") + line;
    return false;
  }
  std::string unexpected(const std::string& what, const char* wanted) const {
    return "\"" + what + "\" value unexpected for " + path_ + " (should be " + wanted + ")";
  }

  bool take_root(const JsonValue& root) {
    const auto is = [](std::string_view name) { return [name](const auto& member) { return member.name == name; }; };
    const auto configs = std::ranges::find_if(root.members, is("configs"));
    if (configs == root.members.end()) return take_config(root);
    if (std::ranges::any_of(root.members,
                            [](const auto& member) { return member.name != "configs" && member.name != "$schema"; }))
      return tell("\"configs\" cannot be mixed with other configuration fields for " + path_);
    if (configs->value.kind != Kind::Array) return tell(unexpected("configs", "an array"));
    for (size_t i = 0; i < configs->value.items.size(); i++) {
      const auto& item = configs->value.items[i];
      const std::string name = "configs[" + std::to_string(i) + "]";
      if (item.kind != Kind::Object) return tell(unexpected(name, "an object"));
      const auto version = std::ranges::find_if(item.members, is("nodeVersion"));
      if (version == item.members.end()) return tell("\"" + name + ".nodeVersion\" is required for " + path_);
      if (version->value.kind != Kind::Number) return tell(unexpected(name + ".nodeVersion", "an integer"));
      if (version->value.text != major()) continue;
      const auto config = std::ranges::find_if(item.members, is("config"));
      if (config == item.members.end()) return tell("\"" + name + ".config\" is required for " + path_);
      if (config->value.kind != Kind::Object) return tell(unexpected(name + ".config", "an object"));
      if (std::ranges::any_of(config->value.members, is("configs")))
        return tell("\"configs\" is not allowed inside a versioned config for " + path_);
      return take_config(config->value);
    }
    return tell("No config found for current Node.js version " + major() + " in \"configs\" for " + path_);
  }

  bool take_config(const JsonValue& config) {
    std::set<std::string> implied;
    for (const auto& [field, value] : config.members) {
      if (field == "$schema") continue;
      if (field == "nodeVersion") {
        if (value.kind != Kind::Number) return tell(unexpected(field, "an integer"));
        if (value.text == major()) continue;
        return tell("\"nodeVersion\" " + value.text + " does not match current Node.js version " + major() + " for " +
                    path_);
      }
      if (field == "testRunner") return tell("the \"testRunner\" namespace has been removed. Use \"test\" instead.");
      const bool implies = std::ranges::find(kImplied, field) != std::end(kImplied);
      if (!implies && field != "nodeOptions") return tell("Unknown namespace " + field);
      if (implies) implied.insert(field);
      if (value.kind != Kind::Object) return tell(unexpected(field, "an object"));
      for (const auto& [key, given] : value.members)
        if (!take_option(field, key, given)) return false;
    }
    for (const auto& field : implied)
      if (!seen_.contains("--" + field)) file_.other_options.push_back("--" + field);
    return true;
  }

  bool take_option(const std::string& field, const std::string& key, const JsonValue& value) {
    const std::string name = "--" + key;
    const bool is_of_field = field == "nodeOptions" ? !is_for_command_line_only(name) : belongs(field, name);
    if (!is_known_option(name) || name.starts_with("--no-") || !is_of_field)
      return tell("Unknown or not allowed option " + key + " for namespace " + field);
    if (!seen_.insert(name).second) return tell("Option " + name + " is already defined");
    auto& out = field == "nodeOptions" ? file_.node_options : file_.other_options;
    const auto* known = find_option(name);
    const bool is_flag = !known || known->kind == OptionKind::Flag || known->kind == OptionKind::Always ||
                         known->kind == OptionKind::Permission;
    const auto add = [&](const JsonValue& word) { return out.push_back(name + "=" + word.text), true; };
    if (value.kind == Kind::True && (is_flag || known->kind == OptionKind::Address)) return out.push_back(name), true;
    if (value.kind == Kind::False && (is_flag || known->kind == OptionKind::Address))
      return out.push_back("--no-" + key), true;
    if (known && known->kind == OptionKind::Text && value.kind == Kind::String) return add(value);
    if (known && (known->kind == OptionKind::Number || known->kind == OptionKind::Address) &&
        value.kind == Kind::Number)
      return add(value);
    if (known && known->kind == OptionKind::List && value.kind == Kind::String) return add(value);
    if (known && known->kind == OptionKind::List && value.kind == Kind::Array) {
      for (const auto& item : value.items)
        if (item.kind != Kind::String || !add(item)) return tell("Invalid value for " + name);
      return true;
    }
    return tell("Invalid value for " + name);
  }

  std::string path_;
  std::set<std::string> seen_;
  ConfigFile file_;
};

}  // namespace

ConfigFile read_config_file(const std::string& path) { return Reader(path).run(); }

// -e and its like take a word, and are no row of the table.
static bool takes_word(std::string_view arg) {
  constexpr std::string_view kTaking[] = {"-e", "--eval", "-p", "-pe", "--print"};
  return std::ranges::find(kTaking, arg) != std::end(kTaking);
}

std::string config_file_in(const std::vector<std::string>& args) {
  std::string found;
  bool is_value = false;  // of the option before
  for (const auto& arg : args) {
    if (std::exchange(is_value, false)) continue;
    if (arg == "--" || !arg.starts_with('-')) break;
    const auto* option = find_option(with_dashes(arg));
    is_value = takes_word(arg) || (option && (option->kind == OptionKind::Text || option->kind == OptionKind::List ||
                                              option->kind == OptionKind::Number));
    if (arg == kOption || arg == kDefault)
      found = kDefaultName;
    else if (arg.starts_with(std::string(kOption) + "="))
      found = arg.substr(kOption.size() + 1);
  }
  return found;
}

}  // namespace rondo::cli
