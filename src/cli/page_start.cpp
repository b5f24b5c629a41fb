// See page_start.h.
#include "cli/page_start.h"

#include "fence/page_fence.h"
#include "runtime/permission.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace rondo::cli {

namespace {

std::string text_of(const CommandLine& line, const char* name, const char* otherwise) {
  const auto option = line.options.find(name);
  return option == line.options.end() ? otherwise : std::get<std::string>(option->second);
}

bool is_remote(const std::string& page) {
  return strncasecmp(page.c_str(), "http://", 7) == 0 || strncasecmp(page.c_str(), "https://", 8) == 0;
}

std::string folder_of(const std::string& path) { return path.substr(0, std::max<size_t>(path.rfind('/'), 1)); }

fence::PageNeeds needs_of(const CommandLine& line, Action action) {
  using runtime::LastLink;
  fence::PageNeeds needs;
  const std::string home = folder_of(line.exec_path);
  needs.readable = {home + "/html.pack", home + "/../share/rondo/html.pack"};
#if RONDO_DEV
  if (const char* library = getenv("RONDO_LIB")) needs.readable.emplace_back(library);
#endif
  if (action == Action::Eval) {
    needs.readable.push_back(runtime::absolute_path("."));
  } else if (!is_remote(line.text)) {
    // The folder in which the page's name stands, and the file itself, which may be a link to elsewhere.
    needs.readable.push_back(folder_of(runtime::absolute_path(line.text)));
    needs.readable.push_back(runtime::without_links(line.text, LastLink::Follow));
  }
  if (const auto storage = text_of(line, "--storage", ""); !storage.empty()) {
    std::error_code failed;  // lib/html/start.js says so when it cannot be had
    std::filesystem::create_directories(storage, failed);
    needs.writable.push_back(storage);
  }
  return needs;
}

}  // namespace

bool fence_page(const CommandLine& line, Action action) {
  const std::string wish = text_of(line, "--fence", "best");
  if (wish == "off") return true;
  const auto report = fence::fence_page(needs_of(line, action));
  if (wish == "require" && !report.missing.empty()) {
    fprintf(stderr, "rondo: --fence=require: %s\n", fence::sentence(report).c_str());
    return false;
  }
  const bool is_told = wish == "print" || (!report.missing.empty() && fence::is_possible());
  if (is_told) fprintf(stderr, "rondo: fence: %s\n", fence::sentence(report).c_str());
  return true;
}

}  // namespace rondo::cli
