// The question a native module asks before it does something that --permission restricts. Without that option it costs one load and
// one branch that is never taken.
//
//     if (auto* refusal = refused(runtime, Scope::Net, host)) return call.raise(refusal);
//
// A refusal is told on the scope's diagnostics channel first, so code of the program may run inside refused(): ask before memory of
// JavaScript's is borrowed. Under --permission-audit it is told and nothing is refused.
#pragma once

#include "engine/core/native.h"
#include "runtime/permission.h"
#include "runtime/runtime.h"

#include <type_traits>

namespace rondo::modules {

using runtime::LastLink;
using runtime::Scope;

// lib/internal/process/permission.js: (permission, resource, option, channel, message or '') → the error. Kept with the runtime.
struct PermissionHandler {
  JSC::Strong<JSC::JSObject> denied;
};

JSC::JSObject* ask_permission(runtime::Runtime& runtime, Scope scope, std::string_view resource, LastLink last);
// For rights that no option grants: the error with this message, or null under --permission-audit.
JSC::JSObject* refused_whatever(runtime::Runtime& runtime, std::string_view message);
// Tells the program that it lacks a right; returns the error, also under --permission-audit.
JSC::JSObject* tell_refusal(runtime::Runtime& runtime, Scope scope, std::string_view resource);

// The error, or null when the program may.
inline JSC::JSObject* refused(runtime::Runtime& runtime, Scope scope, std::string_view resource = {},
                              LastLink last = LastLink::Follow) {
  if (!runtime.permission()) [[likely]]
    return nullptr;
  return ask_permission(runtime, scope, resource, last);
}

// The same where the resource's name has to be made first.
template <class MakeResource>
  requires std::is_invocable_v<MakeResource>
JSC::JSObject* refused(runtime::Runtime& runtime, Scope scope, MakeResource make_resource) {
  if (!runtime.permission()) [[likely]]
    return nullptr;
  return ask_permission(runtime, scope, make_resource(), LastLink::Follow);
}

}  // namespace rondo::modules
