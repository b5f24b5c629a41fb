// The tree of browsing contexts and who of it shares a loop.
#include "rondo/html/browsing_context.h"

#include <algorithm>

#include "rondo/base/fatal.h"
#include "rondo/html/document.h"
#include "rondo/html/event_loop.h"

namespace rondo::html {

BrowsingContext::BrowsingContext(EventLoop& loop, Document* container) : loop_(loop), container_(container) {
  if (container_) container_->browsing_context().nested_.push_back(this);
  loop_.add(*this);
}

BrowsingContext::~BrowsingContext() {
  if (!documents_.empty()) misuse("a BrowsingContext was destroyed before its documents");
  if (container_) std::erase(container_->browsing_context().nested_, this);
  loop_.remove(*this);
}

void BrowsingContext::present(Document* document) {
  active_ = document;
  update_activity();
}

void BrowsingContext::update_activity() {
  const bool is_container_active = !container_ || container_->is_fully_active();
  for (std::size_t i = 0; i < documents_.size(); i++) {
    documents_[i]->become_active(documents_[i] == active_ && is_container_active);
  }
  for (std::size_t i = 0; i < nested_.size(); i++) nested_[i]->update_activity();
}

EventLoop& BrowsingContextGroup::obtain_a_similar_origin_window_agent(std::string_view origin) {
  if (shares_loops_) {
    for (auto& [known, loop] : agents_) {
      if (known == origin) return *loop;
    }
  }
  EventLoop& made = make_loop_(origin);
  agents_.emplace_back(origin, &made);
  return made;
}

std::unique_ptr<BrowsingContext> BrowsingContextGroup::create(std::string_view origin, Document* container) {
  return std::make_unique<BrowsingContext>(obtain_a_similar_origin_window_agent(origin), container);
}

void BrowsingContextGroup::forget(EventLoop& loop) {
  std::erase_if(agents_, [&](const auto& agent) { return agent.second == &loop; });
}

}  // namespace rondo::html
