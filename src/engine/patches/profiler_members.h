// Private members of the engine's sampling profiler, by explicit instantiation, which may name them: profiler.*member_of(Unprocessed()).
#pragma once

#include "engine/core/jsc.h"

#include <JavaScriptCore/SamplingProfiler.h>

namespace rondo::engine::profiler_members {

template <class Name, typename Name::Member member>
struct Opened {
  friend typename Name::Member member_of(Name) { return member; }
};
struct Unprocessed {
  using Member = WTF::Vector<JSC::SamplingProfiler::UnprocessedStackTrace> JSC::SamplingProfiler::*;
  friend Member member_of(Unprocessed);
};
struct CurrentFrames {
  using Member = WTF::Vector<JSC::SamplingProfiler::UnprocessedStackFrame> JSC::SamplingProfiler::*;
  friend Member member_of(CurrentFrames);
};
template struct Opened<Unprocessed, &JSC::SamplingProfiler::m_unprocessedStackTraces>;
template struct Opened<CurrentFrames, &JSC::SamplingProfiler::m_currentFrames>;

}  // namespace rondo::engine::profiler_members
