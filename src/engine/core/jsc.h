// The one place where JavaScriptCore's headers are included (also the precompiled header of every target that names it).
// The engine is contained, not abstracted: code above src/engine uses JSC's value and cell types through this file and
// the helpers of native.h, and nothing else of it.
#pragma once

#include "cmakeconfig.h"

#include <wtf/Platform.h>

#include <JavaScriptCore/JSCJSValueInlines.h>

#include <JavaScriptCore/ArrayBuffer.h>
#include <JavaScriptCore/CallData.h>
#include <JavaScriptCore/CatchScope.h>
#include <JavaScriptCore/Completion.h>
#include <JavaScriptCore/Error.h>
#include <JavaScriptCore/ErrorInstance.h>
#include <JavaScriptCore/Exception.h>
#include <JavaScriptCore/ExceptionHelpers.h>
#include <JavaScriptCore/FunctionPrototype.h>
#include <JavaScriptCore/GlobalObjectMethodTable.h>
#include <JavaScriptCore/InitializeThreading.h>
#include <JavaScriptCore/InternalFieldTuple.h>
#include <JavaScriptCore/Interpreter.h>
#include <JavaScriptCore/JSArray.h>
#include <JavaScriptCore/JSArrayBuffer.h>
#include <JavaScriptCore/JSDestructibleObject.h>
#include <JavaScriptCore/JSFunction.h>
#include <JavaScriptCore/JSGlobalObject.h>
#include <JavaScriptCore/JSInternalPromise.h>
#include <JavaScriptCore/JSLock.h>
#include <JavaScriptCore/JSMap.h>
#include <JavaScriptCore/JSModuleLoader.h>
#include <JavaScriptCore/JSModuleNamespaceObject.h>
#include <JavaScriptCore/JSModuleRecord.h>
#include <JavaScriptCore/JSPromise.h>
#include <JavaScriptCore/JSScriptFetchParameters.h>
#include <JavaScriptCore/JSSourceCode.h>
#include <JavaScriptCore/JSTypedArrays.h>
#include <JavaScriptCore/Microtask.h>
#include <JavaScriptCore/ObjectConstructor.h>
#include <JavaScriptCore/Options.h>
#include <JavaScriptCore/SourceCode.h>
#include <JavaScriptCore/SourceProvider.h>
#include <JavaScriptCore/StackFrame.h>
#include <JavaScriptCore/StrongInlines.h>
#include <JavaScriptCore/JSMapInlines.h>
#include <JavaScriptCore/TypedArrayInlines.h>
#include <JavaScriptCore/VM.h>

#include <JavaScriptCore/JSCInlines.h>

#include <wtf/Deque.h>
