// The fence around a page (rondo --loop=html): before the engine's first thread the process gives up, for good, every right that no
// page needs. It reads the page's folder, the library's pack and what names and certificates need; writes --storage; connects by TCP and
// UDP; starts nothing, signals nobody. A hole in the library's realm or in the engine then ends here.
//
// Features that the kernel lacks are left out and named in the report. Called once, from the command line.
#pragma once

#include <string>
#include <vector>

namespace rondo::fence {

struct PageNeeds {
  std::vector<std::string> readable;  // the page's folder and file, the library's pack
  std::vector<std::string> writable;  // --storage
};

// The restrictions in force and those that are not, each in a few words.
struct Report {
  std::vector<std::string> enforced;
  std::vector<std::string> missing;
};

Report fence_page(const PageNeeds& needs);
// "files (Landlock 7), …; not enforced: …"
std::string sentence(const Report& report);

// Not in builds with a sanitizer, whose runtime needs more system calls and files.
bool is_possible();

}  // namespace rondo::fence
