// See landlock.h.
#include "fence/landlock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

namespace rondo::fence {

namespace {

constexpr long kCreateRuleset = 444, kAddRule = 445, kRestrictSelf = 446;
constexpr unsigned kAskVersion = 1;
constexpr int kPathBeneath = 1;

// The kernel's structures. Fields that an older kernel lacks are cut off by the size that is passed.
struct RulesetAttributes {
  uint64_t files, ports, outside;
};
struct __attribute__((packed)) PathRule {
  uint64_t allowed;
  int32_t parent;
};

// By ABI: how many bits of `files` there are, and how long the structure is.
struct Version {
  int file_bits;
  size_t size;
};
constexpr Version kVersions[] = {
    {0, 0}, {13, 8}, {14, 8}, {15, 8}, {15, 16}, {16, 16}, {16, 24},
};

Version version_of(int abi) {
  constexpr int kNewest = static_cast<int>(std::size(kVersions)) - 1;
  return kVersions[std::clamp(abi, 0, kNewest)];
}

// The rights that a rule on something that is no folder may have.
constexpr FileRights kFileOnly =
    bits(FileRight::Execute, FileRight::WriteFile, FileRight::ReadFile, FileRight::Truncate, FileRight::DeviceControl);

}  // namespace

int Landlock::abi() {
  const long version = syscall(kCreateRuleset, nullptr, 0, kAskVersion);
  return version > 0 ? static_cast<int>(version) : 0;
}

Landlock::Landlock(const Handled& handled) {
  const auto version = version_of(abi());
  files_ = handled.files & ((FileRights{1} << version.file_bits) - 1);
  const RulesetAttributes attributes{files_, handled.ports, handled.outside};
  if (version.size == 0) return;
  ruleset_ = UniqueFd(static_cast<int>(syscall(kCreateRuleset, &attributes, version.size, 0)));
}

bool Landlock::allow(const std::string& path, FileRights rights) {
  const UniqueFd place(::open(path.c_str(), O_PATH | O_CLOEXEC));
  struct stat status{};
  if (!place || fstat(place.get(), &status) != 0) return false;
  if (!S_ISDIR(status.st_mode)) rights &= kFileOnly;
  const PathRule rule{rights & files_, place.get()};
  return syscall(kAddRule, ruleset_.get(), kPathBeneath, &rule, 0) == 0;
}

bool Landlock::restrict_self() { return syscall(kRestrictSelf, ruleset_.get(), 0) == 0; }

}  // namespace rondo::fence
