// Defining properties as an addon describes them: napi_define_properties and napi_define_class share it.
#pragma once

#include "modules/napi/cells.h"

namespace rondo::modules::napi {

// `receiver_class`: the class whose instances alone may be `this` of a method; null: anything may.
napi_status define_property(napi_env env, JSC::JSObject* object, const napi_property_descriptor& property,
                            AddonFunction* receiver_class);

}  // namespace rondo::modules::napi
