// The choices of step 1; see the header.
#include "rondo/html/policy.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <system_error>

namespace rondo::html {
namespace {

std::size_t oldest(std::span<const ReadyQueue> ready) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < ready.size(); i++) {
    if (ready[i].oldest < ready[best].oldest) best = i;
  }
  return best;
}

}  // namespace

std::size_t FifoPolicy::choose(std::span<const ReadyQueue> ready) { return oldest(ready); }

// As many queues as there are sources may become impatient at once, so patience ends that much before the bound; those of
// sources that were added come on top of it.
std::size_t PriorityPolicy::choose(std::span<const ReadyQueue> ready) {
  constexpr std::size_t kPatience = kPriorityBound - kTaskSources;
  std::size_t chosen = oldest(ready);
  for (std::size_t i = 0; i < ready.size(); i++) {
    if (ready[i].source == TaskSource::UserInteraction) chosen = i;
  }
  std::size_t longest = kPatience - 1;
  for (std::size_t i = 0; i < ready.size(); i++) {
    if (waited_[ready[i].index] <= longest) continue;
    longest = waited_[ready[i].index];
    chosen = i;
  }
  std::size_t waited[kMaxTaskSources] = {};
  for (std::size_t i = 0; i < ready.size(); i++) {
    if (i != chosen) waited[ready[i].index] = waited_[ready[i].index] + 1;
  }
  std::copy(std::begin(waited), std::end(waited), waited_);
  return chosen;
}

// xorshift64*: good enough to reach every order, and the same everywhere.
std::size_t SeededPolicy::choose(std::span<const ReadyQueue> ready) {
  state_ ^= state_ >> 12;
  state_ ^= state_ << 25;
  state_ ^= state_ >> 27;
  return ((state_ * 2685821657736338717u) >> 33) % ready.size();
}

std::unique_ptr<ChoicePolicy> make_policy(std::string_view name) {
  if (name == "fifo") return std::make_unique<FifoPolicy>();
  if (name == "priority") return std::make_unique<PriorityPolicy>();
  constexpr std::string_view kSeed = "seed:";
  if (!name.starts_with(kSeed)) return nullptr;
  name.remove_prefix(kSeed.size());
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), seed);
  if (error != std::errc() || end != name.data() + name.size()) return nullptr;
  return std::make_unique<SeededPolicy>(seed);
}

}  // namespace rondo::html
