// A CPU profile of one VM by the engine's sampling profiler, in the form that Chrome opens (.cpuprofile). Several profiles may run at the
// same time; they share the samples. Code without JavaScript is (program), the collector's (garbage collector), waiting (idle).
//
// Thread: the VM's.
#pragma once

#include "engine/core/native.h"
#include "engine/core/profile_tree.h"
#include "engine/patches/sample_ticks.h"

#include <map>
#include <memory>
#include <unordered_map>

namespace rondo::engine {

class CpuProfiler {
 public:
  explicit CpuProfiler(JSC::VM& vm) : vm_(vm) {}
  ~CpuProfiler();
  CpuProfiler(const CpuProfiler&) = delete;
  CpuProfiler& operator=(const CpuProfiler&) = delete;

  // A number for stop(). The shortest interval of all profiles that run is the one of all. At most `most` samples are kept for this one.
  uint32_t start(WTF::Seconds interval, size_t most);
  // The profile as JSON; empty when there is no such profile. Addresses of scripts are as stacks show them.
  std::string stop(uint32_t profile);

 private:
  struct Sample {
    double time = 0;  // in microseconds
    uint32_t node = 0;
    int line = 0;  // of the innermost frame, one-based; 0 when unknown
  };
  struct Profile {
    double start = 0;  // in microseconds
    WTF::Seconds interval;
    size_t most = 0;
  };
  using FrameIndexes = std::unordered_map<JSC::ExecutableBase*, uint32_t>;

  // Takes what the engine has gathered so far.
  void collect();
  void add_current_stack();
  void add(const Tick& tick, JSC::SamplingProfiler::StackTrace* stack, FrameIndexes& seen);
  uint32_t frame_of(JSC::SamplingProfiler::StackFrame& frame, FrameIndexes& seen);
  void set_interval();
  void end_sampling();
  std::string write(const Profile& profile, double end) const;
  void write_node(WTF::StringBuilder& out, uint32_t node, size_t hits, const std::map<int, size_t>& lines) const;

  JSC::VM& vm_;
  std::unique_ptr<SampleTicks> ticks_;  // while a profile runs
  uint32_t last_ = 0;
  std::map<uint32_t, Profile> profiles_;
  ProfileTree tree_;
  std::vector<Sample> samples_;
};

}  // namespace rondo::engine
