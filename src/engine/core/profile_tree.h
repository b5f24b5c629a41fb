// Functions in chains of calls, as profiles show them: each node is a function called by its parent's.
#pragma once

#include "engine/core/native.h"

#include <JavaScriptCore/ScriptExecutable.h>

#include <map>

namespace WTF {
class StringBuilder;
}

namespace rondo::engine {

struct ProfileFrame {
  std::string name;
  std::string url;  // as stacks show it
  uint32_t script = 0;
  int line = -1;  // of the function, zero-based
  int column = -1;
  auto operator<=>(const ProfileFrame&) const = default;
};

ProfileFrame frame_named(std::string name);
// `finds_async`: the body of an async function gets the function's name, which takes a look at all functions of its file.
ProfileFrame frame_of_script(JSC::ScriptExecutable& script, bool finds_async);

class ProfileTree {
 public:
  // Node 0 is (root).
  ProfileTree();

  uint32_t index_of(ProfileFrame frame);
  // The node of `frame` called by `parent`.
  uint32_t child(uint32_t parent, uint32_t frame);
  size_t size() const { return nodes_.size(); }
  const std::map<uint32_t, uint32_t>& children(uint32_t node) const { return nodes_[node].children; }
  // {"functionName":…}
  void write_call_frame(WTF::StringBuilder& out, uint32_t node) const;
  void clear();

 private:
  struct Node {
    uint32_t frame = 0;
    std::map<uint32_t, uint32_t> children;  // frame → node
  };
  std::vector<ProfileFrame> frames_;
  std::map<ProfileFrame, uint32_t> indexes_;
  std::vector<Node> nodes_;
};

}  // namespace rondo::engine
