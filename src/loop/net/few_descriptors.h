// A shortage of descriptors: the process's limit is low as long as this exists, and fill() takes what is left of it. Tests only.
#pragma once

#include <fcntl.h>
#include <sys/resource.h>

#include <utility>
#include <vector>

#include "rondo/base/unique_fd.h"

namespace rondo::testing {

class FewDescriptors {
 public:
  explicit FewDescriptors(rlim_t limit) {
    getrlimit(RLIMIT_NOFILE, &old_);
    const rlimit low{limit, old_.rlim_max};
    setrlimit(RLIMIT_NOFILE, &low);
  }
  FewDescriptors(const FewDescriptors&) = delete;
  FewDescriptors& operator=(const FewDescriptors&) = delete;
  ~FewDescriptors() { end(); }

  void fill() {
    for (;;) {
      UniqueFd fd(::open("/dev/null", O_RDONLY | O_CLOEXEC));
      if (!fd) return;
      hoard_.push_back(std::move(fd));
    }
  }
  void spare_one() {
    if (!hoard_.empty()) hoard_.pop_back();
  }
  void end() {
    hoard_.clear();
    setrlimit(RLIMIT_NOFILE, &old_);
  }

 private:
  rlimit old_{};
  std::vector<UniqueFd> hoard_;
};

}  // namespace rondo::testing
