// Browsing contexts, their tree and their groups: https://html.spec.whatwg.org/#browsing-contexts. A context presents documents,
// one at a time; nested ones (frames) hang on a document of their parent. Every context has a loop that coordinates it from its
// making to its end; a window loop ends with the last of its contexts. Loop's thread only.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rondo/base/function.h"

namespace rondo {
namespace [[gnu::visibility("default")]] html {

class Document;
class EventLoop;

class BrowsingContext {
 public:
  // A top-level one (a tab, a window), or one nested in `container` (a frame).
  explicit BrowsingContext(EventLoop& loop, Document* container = nullptr);
  BrowsingContext(const BrowsingContext&) = delete;
  BrowsingContext& operator=(const BrowsingContext&) = delete;
  // Discards it: tasks of its documents are dropped, and a window loop that has no other context left is destroyed.
  ~BrowsingContext();

  EventLoop& loop() const { return loop_; }
  Document* container() const { return container_; }
  bool is_top_level() const { return container_ == nullptr; }
  Document* active_document() const { return active_; }
  // Navigates: `document`, one of this context, is presented from now on. Null: none.
  void present(Document* document);
  const std::vector<BrowsingContext*>& nested() const { return nested_; }

 private:
  friend class Document;
  void update_activity();

  EventLoop& loop_;
  Document* container_;
  Document* active_ = nullptr;
  std::vector<Document*> documents_;
  std::vector<BrowsingContext*> nested_;
};

// Windows that can reach one another. Which of them share a loop: similar-origin windows do when sharing is on; otherwise
// each context has a loop of its own, as each cross-origin one has in any case.
class BrowsingContextGroup {
 public:
  // Makes the loop for a new agent, which lives at least until its last context is gone.
  using MakeLoop = Function<EventLoop&(std::string_view origin)>;
  explicit BrowsingContextGroup(MakeLoop make_loop, bool shares_loops = true)
      : make_loop_(std::move(make_loop)), shares_loops_(shares_loops) {}

  // "Obtain a similar-origin window agent."
  EventLoop& obtain_a_similar_origin_window_agent(std::string_view origin);
  std::unique_ptr<BrowsingContext> create(std::string_view origin, Document* container = nullptr);
  // The loop has been destroyed: the next window of its origin gets another.
  void forget(EventLoop& loop);

 private:
  MakeLoop make_loop_;
  bool shares_loops_;
  std::vector<std::pair<std::string, EventLoop*>> agents_;
};

}  // namespace html
}  // namespace rondo
