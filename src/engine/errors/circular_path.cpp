// See circular_path.h.
#include "engine/errors/circular_path.h"

#include <JavaScriptCore/PropertyNameArray.h>
#include <wtf/text/StringBuilder.h>
#include <wtf/text/StringConcatenateNumbers.h>

namespace rondo::engine {

namespace {

using WTF::String;
using WTF::StringBuilder;

// Structures are walked as JSON.stringify walks them, but only plain values are read. `seen` keeps a wide structure from being
// walked again from every parent.
class Circle {
 public:
  explicit Circle(JSC::JSGlobalObject* realm) : realm_(realm), vm_(realm->vm()) {}

  bool find(JSC::JSObject* object) {
    if (path_.size() > kMaxDepth || !vm_.isSafeToRecurse() || object->type() == JSC::ProxyObjectType) return false;
    if (!seen_.add(object).isNewEntry) return false;
    path_.append({object, {}});
    auto* array = JSC::jsDynamicCast<JSC::JSArray*>(object);
    if (array ? find_in_array(array) : find_in_object(object)) return true;
    path_.removeLast();
    return false;
  }

  String draw() const {
    StringBuilder out;
    out.append("\n    --> starting at object with constructor "_s, constructor_of(path_[start_].object));
    // Node shows the first step and the last one before the end of a long way.
    const size_t steps = path_.size() - 1 - start_;
    for (size_t i = 0; i < steps; i++) {
      if (steps > 3 && i == 2) out.append("\n    |     ..."_s);
      if (steps > 3 && i >= 2 && i + 1 < steps) continue;
      out.append("\n    |     "_s, path_[start_ + i].key, " -> object with constructor "_s,
                 constructor_of(path_[start_ + i + 1].object));
    }
    out.append("\n    --- "_s, path_.last().key, " closes the circle"_s);
    return out.toString();
  }

 private:
  static constexpr size_t kMaxDepth = 2000;

  struct Step {
    JSC::JSObject* object;
    String key;  // of the next step
  };

  bool enter(Value value, String&& key) {
    if (!value || !value.isObject() || value.isCallable()) return false;
    auto* object = JSC::asObject(value);
    path_.last().key = std::move(key);
    for (size_t i = 0; i < path_.size(); i++) {
      if (path_[i].object != object) continue;
      start_ = i;
      return true;
    }
    return find(object);
  }

  bool find_in_array(JSC::JSArray* array) {
    for (unsigned i = 0; i < array->length(); i++) {
      if (array->canGetIndexQuickly(i) && enter(array->getIndexQuickly(i), makeString("index "_s, i))) return true;
    }
    return false;
  }

  bool find_in_object(JSC::JSObject* object) {
    JSC::PropertyNameArray names(vm_, JSC::PropertyNameMode::Strings, JSC::PrivateSymbolMode::Exclude);
    JSC::JSObject::getOwnPropertyNames(object, realm_, names, JSC::DontEnumPropertiesMode::Exclude);
    for (auto& name : names) {
      Value value = object->getDirect(vm_, name);
      if (value && enter(value, makeString("property '"_s, name.string(), '\''))) return true;
    }
    return false;
  }

  static String constructor_of(JSC::JSObject* object) {
    return makeString('\'', JSC::JSObject::calculatedClassName(object), '\'');
  }

  JSC::JSGlobalObject* realm_;
  JSC::VM& vm_;
  WTF::Vector<Step> path_;
  WTF::HashSet<JSC::JSObject*> seen_;
  size_t start_ = 0;
};

}  // namespace

String circular_path(JSC::JSGlobalObject* realm, Value root) {
  if (!root || !root.isObject()) return ""_s;
  auto scope = DECLARE_CATCH_SCOPE(realm->vm());
  Circle circle(realm);
  const bool found = circle.find(JSC::asObject(root));
  scope.clearException();
  return found ? circle.draw() : String(""_s);
}

}  // namespace rondo::engine
