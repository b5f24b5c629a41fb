// See promise_functions.h. Names with @ in the sources below are intrinsics and link-time constants of the engine.
#include "engine/patches/promise_functions.h"

#include "engine/patches/delegating_yield.h"
#include "engine/patches/microtask_queue.h"

#include <JavaScriptCore/BuiltinUtils.h>
#include <JavaScriptCore/LazyPropertyInlines.h>
#include <JavaScriptCore/LinkTimeConstant.h>
#include <JavaScriptCore/UnlinkedFunctionExecutable.h>

namespace rondo::engine {

namespace {

using JSC::LinkTimeConstant;

// P1. Promises of the module loader are adopted at once, as the engine has it: no program sees them.
constexpr WTF::ASCIILiteral kResolvePromise = R"JS((function (promise, resolution)
{
    "use strict";
    var tell = @getInternalField(@asyncContext, 1);
    if (!@isObject(resolution)) {
        if (tell)
            tell(4, promise);
        return @fulfillPromise(promise, resolution);
    }
    if (resolution === promise)
        return @rejectPromise(promise, @makeTypeError("Cannot resolve a promise with itself"));
    try {
        var then = resolution.then;
    } catch (error) {
        return @rejectPromise(promise, error);
    }
    if (!@isCallable(then)) {
        if (tell)
            tell(4, promise);
        return @fulfillPromise(promise, resolution);
    }
    if (@isPromise(resolution)) {
        if (then === @defaultPromiseThen)
            return @enqueueJob(@promiseResolveThenableJobFast, resolution, promise, @undefined, @getInternalField(@asyncContext, 0));
        if (then === @InternalPromise.prototype.then)
            return @performPromiseThen(resolution, @undefined, @undefined, promise, @undefined);
    }
    @enqueueJob(@promiseResolveThenableJob, resolution, then, @createResolvingFunctions(promise), @getInternalField(@asyncContext, 0));
}))JS"_s;

// The job of a promise whose then() is the language's own.
constexpr WTF::ASCIILiteral kAdoptPromise = R"JS((function (thenable, promise, unused, asyncContext)
{
    "use strict";
    var outer = @getInternalField(@asyncContext, 0);
    @putInternalField(@asyncContext, 0, asyncContext);
    var tell = @getInternalField(@asyncContext, 1);
    var entered = tell ? tell(2, promise) : @undefined;
    try {
        var constructor = @speciesConstructor(thenable, @Promise);
        if (tell && constructor === @Promise) {
            var functions = @createResolvingFunctions(promise);
            @performPromiseThen(thenable, functions.resolve, functions.reject, @newPromise(), @undefined);
        } else if (constructor === @Promise || constructor === @InternalPromise)
            @performPromiseThen(thenable, @undefined, @undefined, promise, @undefined);
        else
            @promiseResolveThenableJobWithDerivedPromise(thenable, constructor, @createResolvingFunctions(promise));
    } catch (error) {
        @rejectPromise(promise, error);
    } finally {
        if (tell)
            tell(3, entered);
        @putInternalField(@asyncContext, 0, outer);
    }
}))JS"_s;

// The job of any other object with a then().
constexpr WTF::ASCIILiteral kAdoptThenable = R"JS((function (thenable, then, resolvingFunctions, asyncContext)
{
    "use strict";
    var outer = @getInternalField(@asyncContext, 0);
    @putInternalField(@asyncContext, 0, asyncContext);
    try {
        then.@call(thenable, resolvingFunctions.resolve, resolvingFunctions.reject);
    } catch (error) {
        resolvingFunctions.reject.@call(@undefined, error);
    } finally {
        @putInternalField(@asyncContext, 0, outer);
    }
}))JS"_s;

// P5. Reactions always have handlers: performPromiseThen sees to it.
constexpr WTF::ASCIILiteral kReact = R"JS((function (promiseOrCapability, handler, argument, context)
{
    "use strict";
    var tell = @getInternalField(@asyncContext, 1);
    if (!promiseOrCapability) {
        var entered = tell ? tell(2, context) : @undefined;
        @promiseReactionJobWithoutPromiseUnwrapAsyncContext(handler, argument, context);
        if (tell)
            tell(3, entered);
        return;
    }
    if (@isJSArray(context)) {
        var outer = @getInternalField(@asyncContext, 0);
        @putInternalField(@asyncContext, 0, context[1]);
        try {
            @promiseReactionJob(promiseOrCapability, handler, argument, context[0]);
        } finally {
            @putInternalField(@asyncContext, 0, outer);
        }
        return;
    }
    var entered = tell ? tell(2, promiseOrCapability) : @undefined;
    try {
        var result = context ? handler(argument, context) : handler(argument);
    } catch (error) {
        if (@isPromise(promiseOrCapability))
            @rejectPromise(promiseOrCapability, error);
        else
            promiseOrCapability.reject.@call(@undefined, error);
        if (tell)
            tell(3, entered);
        return;
    }
    if (@isPromise(promiseOrCapability))
        @resolvePromise(promiseOrCapability, result);
    else
        promiseOrCapability.resolve.@call(@undefined, result);
    if (tell)
        tell(3, entered);
}))JS"_s;

// P2.
constexpr WTF::ASCIILiteral kResolveWithoutPromise = R"JS((function (resolution, onFulfilled, onRejected, context)
{
    "use strict";
    var tell = @getInternalField(@asyncContext, 1);
    if (!tell && !@isObject(resolution)) {
        @fulfillWithoutPromise(resolution, onFulfilled, onRejected, context);
        return;
    }
    var promise = @newPromise();
    if (tell)
        tell(0, promise, @isGenerator(context) ? @getGeneratorInternalField(context, @generatorFieldContext) : @undefined);
    @resolvePromiseWithFirstResolvingFunctionCallCheck(promise, resolution);
    @performPromiseThen(promise, onFulfilled, onRejected, @undefined, context);
}))JS"_s;

// P4.
constexpr WTF::ASCIILiteral kAwait = R"JS((function (value, onFulfilled, onRejected, context)
{
    "use strict";
    if (@isPromise(value)) {
        try {
            var constructor = value.constructor;
        } catch (error) {
            onRejected(error, context);
            return;
        }
        if (constructor === @Promise || constructor === @InternalPromise) {
            @performPromiseThen(value, onFulfilled, onRejected, @undefined, context);
            return;
        }
    }
    @resolveWithoutPromise(value, onFulfilled, onRejected, context);
}))JS"_s;

// How an async function goes on. Common operands of await (a plain value, a promise that is already fulfilled) need no reaction: the
// job to resume it is queued at once. And what it mostly returns to (a promise nobody waits for yet) needs only its two fields.
constexpr WTF::ASCIILiteral kResume = R"JS((function (generator, sent, mode, asyncContext)
{
    "use strict";
    if (asyncContext) {
        var outer = @getInternalField(@asyncContext, 0);
        @putInternalField(@asyncContext, 0, asyncContext);
        try {
            @asyncFunctionResume(generator, sent, mode);
        } finally {
            @putInternalField(@asyncContext, 0, outer);
        }
        return;
    }

    var state = @getGeneratorInternalField(generator, @generatorFieldState);
    var tell = @getInternalField(@asyncContext, 1);
    if (tell && state === 0)
        tell(0, @getGeneratorInternalField(generator, @generatorFieldContext));
    @putGeneratorInternalField(generator, @generatorFieldState, @GeneratorStateExecuting);
    try {
        var value = @getGeneratorInternalField(generator, @generatorFieldNext).@call(@getGeneratorInternalField(generator, @generatorFieldThis), generator, state, sent, mode, @getGeneratorInternalField(generator, @generatorFieldFrame));
    } catch (error) {
        @rejectPromiseWithFirstResolvingFunctionCallCheck(@getGeneratorInternalField(generator, @generatorFieldContext), error);
        return;
    }

    if (@getGeneratorInternalField(generator, @generatorFieldState) === @GeneratorStateExecuting) {
        var promise = @getGeneratorInternalField(generator, @generatorFieldContext);
        var flags = @getPromiseInternalField(promise, @promiseFieldFlags);
        if (tell || @isObject(value) || (flags & @promiseFlagsIsFirstResolvingFunctionCalled) || @getPromiseInternalField(promise, @promiseFieldReactionsOrResult)) {
            @resolvePromiseWithFirstResolvingFunctionCallCheck(promise, value);
            return;
        }
        @putPromiseInternalField(promise, @promiseFieldReactionsOrResult, value);
        @putPromiseInternalField(promise, @promiseFieldFlags, flags | @promiseFlagsIsFirstResolvingFunctionCalled | @promiseStateFulfilled);
        return;
    }

    if (tell) {
        @resolveWithoutPromiseForAsyncAwait(value, @asyncFunctionResumeOnFulfilled, @asyncFunctionResumeOnRejected, generator);
        return;
    }
    if (!@isObject(value)) {
        @enqueueJob(@asyncFunctionResume, generator, value, @GeneratorResumeModeNormal, @getInternalField(@asyncContext, 0));
        return;
    }
    if (@isPromise(value)) {
        var flags = @getPromiseInternalField(value, @promiseFieldFlags);
        if ((flags & @promiseStateMask) === @promiseStateFulfilled) {
            try {
                var constructor = value.constructor;
            } catch (error) {
                @asyncFunctionResume(generator, error, @GeneratorResumeModeThrow);
                return;
            }
            if (constructor === @Promise || constructor === @InternalPromise) {
                @putPromiseInternalField(value, @promiseFieldFlags, flags | @promiseFlagsIsHandled);
                @enqueueJob(@asyncFunctionResume, generator, @getPromiseInternalField(value, @promiseFieldReactionsOrResult), @GeneratorResumeModeNormal, @getInternalField(@asyncContext, 0));
                return;
            }
            @resolveWithoutPromise(value, @asyncFunctionResumeOnFulfilled, @asyncFunctionResumeOnRejected, generator);
            return;
        }
    }
    @resolveWithoutPromiseForAsyncAwait(value, @asyncFunctionResumeOnFulfilled, @asyncFunctionResumeOnRejected, generator);
}))JS"_s;

// P3. What the name of the first call says in the engine is of no use any more once P2 holds; here it says whether the generator
// stands in a yield* (kDelegatesSlot).
constexpr WTF::ASCIILiteral kYield = R"JS((function (generator, value)
{
    "use strict";
    if (@createResolvingFunctionsWithoutPromise(generator)) {
        @asyncGeneratorYieldAwaited(value, generator);
        return;
    }
    @putAsyncGeneratorInternalField(generator, @asyncGeneratorFieldSuspendReason, @AsyncGeneratorSuspendReasonAwait);
    @awaitValue(generator, value, @asyncGeneratorYieldAwaited);
}))JS"_s;
constexpr auto kDelegatesSlot = LinkTimeConstant::createResolvingFunctionsWithoutPromise;

// P6.
constexpr WTF::ASCIILiteral kAsyncFromSync = R"JS((function (syncIterator, nextMethod)
{
    "use strict";
    if (!@isObject(syncIterator))
        @throwTypeError("Only objects can be wrapped by async-from-sync wrapper");

    function reject(promise, error)
    {
        @rejectPromiseWithFirstResolvingFunctionCallCheck(promise, error);
        return promise;
    }

    function methodOf(name)
    {
        var method = syncIterator[name];
        if (!@isUndefinedOrNull(method) && !@isCallable(method))
            @throwTypeError("Iterator method is not a function");
        return method;
    }

    function abandon(error)
    {
        try {
            var method = methodOf("return");
            if (!@isUndefinedOrNull(method))
                method.@call(syncIterator);
        } catch { }
        throw error;
    }

    function settle(promise, result, mayClose)
    {
        if (!@isObject(result))
            @throwTypeError("Iterator result interface is not an object.");
        var done = !!result.done;
        var value = result.value;
        var closes = mayClose && !done;
        try {
            var awaited = @promiseResolve(@Promise, value);
        } catch (error) {
            if (closes)
                abandon(error);
            throw error;
        }
        @performPromiseThen(awaited, (value) => ({ value, done }), closes ? abandon : @undefined, promise, @undefined);
        return promise;
    }

    return {
        next: function (value)
        {
            var promise = @newPromise();
            try {
                return settle(promise, @argumentCount() === 0 ? nextMethod.@call(syncIterator) : nextMethod.@call(syncIterator, value), true);
            } catch (error) {
                return reject(promise, error);
            }
        },

        return: function (value)
        {
            var promise = @newPromise();
            try {
                var method = methodOf("return");
                if (@isUndefinedOrNull(method)) {
                    @resolvePromiseWithFirstResolvingFunctionCallCheck(promise, { value, done: true });
                    return promise;
                }
                return settle(promise, @argumentCount() === 0 ? method.@call(syncIterator) : method.@call(syncIterator, value), false);
            } catch (error) {
                return reject(promise, error);
            }
        },

        throw: function (value)
        {
            var promise = @newPromise();
            try {
                var method = methodOf("throw");
                if (!@isUndefinedOrNull(method))
                    return settle(promise, @argumentCount() === 0 ? method.@call(syncIterator) : method.@call(syncIterator, value), true);
                var close = methodOf("return");
                if (!@isUndefinedOrNull(close) && !@isObject(close.@call(syncIterator)))
                    @throwTypeError("Iterator result interface is not an object.");
                @throwTypeError("The iterator does not provide a 'throw' method.");
            } catch (error) {
                return reject(promise, error);
            }
        },
    };
}))JS"_s;

// P7. The functions below tell async hooks of promises (lib/internal/async_hooks/promises.js): the second field of the async
// context's cell is the function to tell, or undefined. Its first argument: 0 a promise is made, 1 chained to or awaited, 2 and 3
// its reaction begins and ends, 4 it is settled. Else they do as the engine's do.

// `new Promise`. A constructor's `this` is new.target here.
constexpr WTF::ASCIILiteral kConstruct = R"JS((function (executor)
{
    "use strict";
    if (!@isCallable(executor))
        @throwTypeError("Promise constructor takes a function argument");
    var promise = @createPromise(this, false);
    var settled = promise;
    var tell = @getInternalField(@asyncContext, 1);
    if (tell)
        tell(0, promise);
    try {
        executor(
            (resolution) => {
                return @resolvePromiseWithFirstResolvingFunctionCallCheck(settled, resolution);
            },
            (reason) => {
                return @rejectPromiseWithFirstResolvingFunctionCallCheck(settled, reason);
            });
    } catch (error) {
        @rejectPromiseWithFirstResolvingFunctionCallCheck(promise, error);
    }
    return promise;
}))JS"_s;

// Promise.resolve(), and await of another realm's promise.
constexpr WTF::ASCIILiteral kStaticResolve = R"JS((function (constructor, value)
{
    "use strict";
    if (@isPromise(value) && value.constructor === constructor)
        return value;
    if (constructor !== @Promise)
        return @promiseResolveSlow(constructor, value);
    var promise = @newPromise();
    var tell = @getInternalField(@asyncContext, 1);
    if (tell)
        tell(0, promise);
    @resolvePromiseWithFirstResolvingFunctionCallCheck(promise, value);
    return promise;
}))JS"_s;

// Promise.all() and its kin.
constexpr WTF::ASCIILiteral kNewCapability = R"JS((function (constructor)
{
    "use strict";
    if (constructor !== @Promise)
        return @newPromiseCapabilitySlow(constructor);
    var promise = @newPromise();
    var settled = promise;
    var tell = @getInternalField(@asyncContext, 1);
    if (tell)
        tell(0, promise);
    function @resolve(resolution) {
        return @resolvePromiseWithFirstResolvingFunctionCallCheck(settled, resolution);
    }
    function @reject(reason) {
        return @rejectPromiseWithFirstResolvingFunctionCallCheck(settled, reason);
    }
    return { resolve: @resolve, reject: @reject, promise };
}))JS"_s;

// Promise.reject().
constexpr WTF::ASCIILiteral kStaticReject = R"JS((function (reason)
{
    "use strict";
    if (!@isObject(this))
        @throwTypeError("|this| is not an object");
    if (this !== @Promise)
        return @promiseRejectSlow(this, reason);
    var promise = @newPromise();
    var tell = @getInternalField(@asyncContext, 1);
    if (tell)
        tell(0, promise);
    @rejectPromiseWithFirstResolvingFunctionCallCheck(promise, reason);
    return promise;
}))JS"_s;

constexpr WTF::ASCIILiteral kRejectPromise = R"JS((function (promise, reason)
{
    "use strict";
    var tell = @getInternalField(@asyncContext, 1);
    if (tell)
        tell(4, promise);
    var flags = @getPromiseInternalField(promise, @promiseFieldFlags);
    var reactions = @getPromiseInternalField(promise, @promiseFieldReactionsOrResult);
    @putPromiseInternalField(promise, @promiseFieldReactionsOrResult, reason);
    @putPromiseInternalField(promise, @promiseFieldFlags, flags | @promiseStateRejected);
    if (!(flags & @promiseFlagsIsHandled))
        @hostPromiseRejectionTracker(promise, @promiseRejectionReject);
    @triggerPromiseReactions(@promiseStateRejected, reactions, reason);
}))JS"_s;

// then(), and await of a promise: without a derived promise, and with what awaits as the context.
constexpr WTF::ASCIILiteral kThen = R"JS((function (promise, onFulfilled, onRejected, promiseOrCapability, context)
{
    "use strict";
    var tell = @getInternalField(@asyncContext, 1);
    if (tell)
        tell(1, promise, promiseOrCapability ? promiseOrCapability : @newPromise(), context);
    if (!@isCallable(onFulfilled))
        onFulfilled = @promiseEmptyOnFulfilled;
    if (!@isCallable(onRejected))
        onRejected = @promiseEmptyOnRejected;
    var flags = @getPromiseInternalField(promise, @promiseFieldFlags);
    var state = flags & @promiseStateMask;
    var value = @getPromiseInternalField(promise, @promiseFieldReactionsOrResult);
    if (state === @promiseStatePending)
        @pushNewPromiseReaction(promise, value, promiseOrCapability, onFulfilled, onRejected, context);
    else {
        var handler = onFulfilled;
        if (state === @promiseStateRejected) {
            handler = onRejected;
            if (!(flags & @promiseFlagsIsHandled))
                @hostPromiseRejectionTracker(promise, @promiseRejectionHandle);
        }
        var asyncContext = @getInternalField(@asyncContext, 0);
        @enqueueJob(@promiseReactionJob, promiseOrCapability, handler, value, asyncContext ? [context, asyncContext] : context);
    }
    @putPromiseInternalField(promise, @promiseFieldFlags, @getPromiseInternalField(promise, @promiseFieldFlags) | @promiseFlagsIsHandled);
}))JS"_s;

JSC::SourceCode source_of(WTF::ASCIILiteral text) {
  return JSC::makeSource(text, JSC::SourceOrigin(), JSC::SourceTaintedOrigin::Untainted, to_wtf(kMicrotaskQueueUrl));
}

// A vm context's function is the main realm's code, linked to the context.
JSC::JSFunction* make_function(JSC::JSGlobalObject* global, LinkTimeConstant constant, WTF::ASCIILiteral text) {
  auto* main = Realm::main(global);
  if (main == global) return make_builtin(global, text);
  auto& vm = global->vm();
  auto* unlinked =
      JSC::jsCast<JSC::JSFunction*>(main->linkTimeConstant(constant))->jsExecutable()->unlinkedExecutable();
  return JSC::JSFunction::create(vm, unlinked->link(vm, nullptr, source_of(text)), global);
}

template <LinkTimeConstant constant, const WTF::ASCIILiteral& source>
void replace_later(JSC::JSGlobalObject* global) {
  global->m_linkTimeConstants[static_cast<unsigned>(constant)].initLater(
      [](const JSC::LazyProperty<JSC::JSGlobalObject, JSC::JSCell>::Initializer& slot) {
        slot.set(make_function(slot.owner, constant, source));
      });
}

}  // namespace

void install_promise_functions(JSC::JSGlobalObject* global) {
  replace_later<LinkTimeConstant::resolvePromise, kResolvePromise>(global);
  replace_later<LinkTimeConstant::promiseResolveThenableJobFast, kAdoptPromise>(global);
  replace_later<LinkTimeConstant::promiseResolveThenableJob, kAdoptThenable>(global);
  replace_later<LinkTimeConstant::promiseReactionJob, kReact>(global);
  replace_later<LinkTimeConstant::resolveWithoutPromise, kResolveWithoutPromise>(global);
  replace_later<LinkTimeConstant::resolveWithoutPromiseForAsyncAwait, kAwait>(global);
  replace_later<LinkTimeConstant::asyncFunctionResume, kResume>(global);
  replace_later<LinkTimeConstant::promiseResolve, kStaticResolve>(global);
  replace_later<LinkTimeConstant::newPromiseCapability, kNewCapability>(global);
  replace_later<LinkTimeConstant::rejectPromise, kRejectPromise>(global);
  replace_later<LinkTimeConstant::performPromiseThen, kThen>(global);
  replace_later<LinkTimeConstant::asyncGeneratorYield, kYield>(global);
  replace_later<LinkTimeConstant::createAsyncFromSyncIterator, kAsyncFromSync>(global);
  global->m_linkTimeConstants[static_cast<unsigned>(kDelegatesSlot)].initLater(
      [](const JSC::LazyProperty<JSC::JSGlobalObject, JSC::JSCell>::Initializer& slot) {
        slot.set(JSC::JSFunction::create(slot.vm, slot.owner, 1, "delegates"_s, stands_in_delegating_yield,
                                         JSC::ImplementationVisibility::Private));
      });
}

JSC::JSFunction* make_builtin(JSC::JSGlobalObject* global, WTF::ASCIILiteral text) {
  auto& vm = global->vm();
  auto source = source_of(text);
  auto* unlinked = JSC::createBuiltinExecutable(vm, source, JSC::Identifier::fromString(vm, "microtasks"_s),
                                                JSC::ImplementationVisibility::Private, JSC::ConstructorKind::None,
                                                JSC::ConstructAbility::CannotConstruct);
  return JSC::JSFunction::create(vm, unlinked->link(vm, nullptr, source), global);
}

void replace_constant(JSC::JSGlobalObject* global, LinkTimeConstant constant, JSC::JSObject* function) {
  global->m_linkTimeConstants[static_cast<unsigned>(constant)].set(global->vm(), global, function);
}

}  // namespace rondo::engine

namespace {

JSC::FunctionExecutable* make_executable(JSC::VM& vm, WTF::ASCIILiteral text, const JSC::Identifier& name,
                                         JSC::ConstructorKind kind, JSC::ConstructAbility ability) {
  auto source = JSC::makeSource(text, JSC::SourceOrigin(), JSC::SourceTaintedOrigin::Untainted);
  auto* unlinked = JSC::createBuiltinExecutable(vm, source, name, JSC::ImplementationVisibility::Public, kind, ability);
  return unlinked->link(vm, nullptr, source);
}

}  // namespace

// The engine has a function for each of its own that makes the code for a realm.
JSC::FunctionExecutable* wrap_promise_constructor(JSC::VM& vm) asm(
    "__wrap__ZN3JSC49promiseConstructorPromiseConstructorCodeGeneratorERNS_2VME");
JSC::FunctionExecutable* wrap_promise_constructor(JSC::VM& vm) {
  return make_executable(vm, rondo::engine::kConstruct, vm.propertyNames->Promise, JSC::ConstructorKind::Naked,
                         JSC::ConstructAbility::CanConstruct);
}

JSC::FunctionExecutable* wrap_promise_reject(JSC::VM& vm) asm(
    "__wrap__ZN3JSC37promiseConstructorRejectCodeGeneratorERNS_2VME");
JSC::FunctionExecutable* wrap_promise_reject(JSC::VM& vm) {
  return make_executable(vm, rondo::engine::kStaticReject, JSC::Identifier::fromString(vm, "reject"_s),
                         JSC::ConstructorKind::None, JSC::ConstructAbility::CannotConstruct);
}
