// See profile_tree.h.
#include "engine/core/profile_tree.h"

#include "engine/core/source.h"
#include "engine/errors/async_wrapper.h"

#include <JavaScriptCore/FunctionExecutable.h>
#include <wtf/text/StringBuilder.h>

#include <algorithm>

namespace rondo::engine {

ProfileFrame frame_named(std::string name) {
  ProfileFrame frame;
  frame.name = std::move(name);
  return frame;
}

ProfileFrame frame_of_script(JSC::ScriptExecutable& script, bool finds_async) {
  ProfileFrame made;
  auto* function = JSC::jsDynamicCast<JSC::FunctionExecutable*>(&script);
  if (function) {
    auto* async = finds_async ? wrapper_of_async_body(function) : nullptr;
    if (async) function = async;
    made.name = to_utf8(function->ecmaName().string());
  }
  auto* provider = script.source().provider();
  if (!provider || (function && function->isBuiltinFunction())) return made;
  const JSC::ScriptExecutable& place = function ? *function : script;
  const int before = static_cast<int>(lines_before(*provider)), line = place.firstLine() - 1 - before;
  made.url = to_utf8(provider->sourceURL());
  made.script = static_cast<uint32_t>(provider->asID());
  made.line = std::max(0, line);
  made.column = line < 0 ? 0 : std::max(0, static_cast<int>(place.startColumn()) - 1);
  if (line < 0) made.name.clear();  // the function around a CommonJS file
  return made;
}

ProfileTree::ProfileTree() { clear(); }

void ProfileTree::clear() {
  frames_.clear();
  indexes_.clear();
  nodes_.assign(1, {});
  index_of(frame_named("(root)"));
}

uint32_t ProfileTree::index_of(ProfileFrame frame) {
  const auto [found, is_new] = indexes_.try_emplace(frame, static_cast<uint32_t>(frames_.size()));
  if (is_new) frames_.push_back(std::move(frame));
  return found->second;
}

uint32_t ProfileTree::child(uint32_t parent, uint32_t frame) {
  const auto found = nodes_[parent].children.find(frame);
  if (found != nodes_[parent].children.end()) return found->second;
  const auto index = static_cast<uint32_t>(nodes_.size());
  nodes_.push_back({.frame = frame, .children = {}});
  nodes_[parent].children.emplace(frame, index);
  return index;
}

void ProfileTree::write_call_frame(WTF::StringBuilder& out, uint32_t node) const {
  const auto& frame = frames_[nodes_[node].frame];
  out.append("{\"functionName\":"_s);
  out.appendQuotedJSONString(to_wtf(frame.name));
  out.append(",\"scriptId\":\""_s, frame.script, "\",\"url\":"_s);
  out.appendQuotedJSONString(to_wtf(frame.url));
  out.append(",\"lineNumber\":"_s, frame.line, ",\"columnNumber\":"_s, frame.column, '}');
}

}  // namespace rondo::engine
