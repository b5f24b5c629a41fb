// An object as V8's messages show it, without running a program's code.
#pragma once

#include "engine/core/native.h"

namespace rondo::engine {

// The value of a property that no getter or proxy has a say in; empty when there is none.
Value plain_property(JSC::JSGlobalObject* realm, JSC::JSObject* object, JSC::PropertyName name);

// Of what is no function: an error by its name and message, other objects by their constructor's name (#<Map>), or by their tag where
// they have a toString() of their own or no such name ([object Date]). A proxy is shown as its target.
WTF::String object_text(JSC::JSGlobalObject* realm, JSC::JSObject* object);

}  // namespace rondo::engine
