// See microtask_queue.h. The two sources below are compiled as the engine compiles its own: names with @ are its intrinsics and
// link-time constants.
#include "engine/patches/microtask_queue.h"

#include <JavaScriptCore/BuiltinNames.h>
#include <JavaScriptCore/BuiltinUtils.h>
#include <JavaScriptCore/LazyPropertyInlines.h>
#include <JavaScriptCore/LinkTimeConstant.h>
#include <JavaScriptCore/UnlinkedFunctionExecutable.h>

namespace rondo::engine {

namespace {

// An entry is a callback alone, or kJob and a function with four arguments. An empty queue starts again at its first slot, which
// the processor has at hand; one that never empties is moved to the front now and then.
constexpr WTF::ASCIILiteral kQueueSource = R"JS((function (flags, report)
{
    "use strict";
    var kJob = 0;
    var kCompactAt = 4096;
    var kKeep = 65536;
    var queue = [];
    var head = 0;
    var tail = 0;
    var watcher = null;

    function claim()
    {
        if (tail === head) {
            flags[0] = 1;
            return head = 0;
        }
        if (tail < kCompactAt || head * 2 < tail)
            return tail;
        var moved = [];
        for (var from = head; from < tail; from++)
            @putByValDirect(moved, from - head, queue[from]);
        queue = moved;
        head = 0;
        return moved.length;
    }

    // Whom a job concerns: the async function it resumes, or else the handler it calls.
    function subject(first, second, third, fourth)
    {
        var context = @isCallable(first) ? third : fourth;
        if (@isJSArray(context))
            context = context[0];
        var generator = @isGenerator(first) ? first : context;
        if (@isGenerator(generator))
            return @getGeneratorInternalField(generator, @generatorFieldNext);
        return @isCallable(second) ? second : first;
    }

    function enqueueWatched(job, first, second, third, fourth)
    {
        put(watcher(() => job(first, second, third, fourth), subject(first, second, third, fourth)));
    }

    // A reaction brings the async context it belongs to; the job that calls a thenable's then() does not.
    function enqueueThenable(context, job, first, second, third, fourth)
    {
        enqueueCallback(() => {
            var outer = @getInternalField(@asyncContext, 0);
            @putInternalField(@asyncContext, 0, context);
            try {
                job(first, second, third, fourth);
            } finally {
                @putInternalField(@asyncContext, 0, outer);
            }
        });
    }

    function isThenableJob(job)
    {
        return job === @promiseResolveThenableJob || job === @promiseResolveThenableJobFast || job === @promiseResolveThenableJobWithoutPromiseFast;
    }

    function enqueueJob(job, first, second, third, fourth)
    {
        var context = @getInternalField(@asyncContext, 0);
        if (context && isThenableJob(job))
            return enqueueThenable(context, job, first, second, third, fourth);
        if (watcher !== null)
            return enqueueWatched(job, first, second, third, fourth);
        var at = claim();
        @putByValDirect(queue, at, kJob);
        @putByValDirect(queue, at + 1, job);
        @putByValDirect(queue, at + 2, first);
        @putByValDirect(queue, at + 3, second);
        @putByValDirect(queue, at + 4, third);
        @putByValDirect(queue, at + 5, fourth);
        tail = at + 6;
    }

    function put(callback)
    {
        var at = claim();
        @putByValDirect(queue, at, callback);
        tail = at + 1;
    }

    function enqueueCallback(callback)
    {
        put(watcher === null ? callback : watcher(callback, callback));
    }

    function runJob(from, at)
    {
        head = at + 6;
        var job = from[at + 1];
        var first = from[at + 2];
        var second = from[at + 3];
        var third = from[at + 4];
        var fourth = from[at + 5];
        @putByValDirect(from, at + 1, @undefined);
        @putByValDirect(from, at + 2, @undefined);
        @putByValDirect(from, at + 3, @undefined);
        @putByValDirect(from, at + 4, @undefined);
        @putByValDirect(from, at + 5, @undefined);
        job(first, second, third, fourth);
    }

    function run()
    {
        while (head !== tail) {
            var from = queue;
            var at = head;
            var entry = from[at];
            try {
                if (entry === kJob)
                    runJob(from, at);
                else {
                    head = at + 1;
                    @putByValDirect(from, at, @undefined);
                    entry();
                }
            } catch (error) {
                report(error);
            }
        }
        if (queue.length > kKeep) {
            queue = [];
            head = tail = 0;
        }
    }

    function setAside()
    {
        var outer = { queue, head, tail };
        queue = [];
        head = tail = 0;
        return outer;
    }

    function takeBack(outer)
    {
        queue = outer.queue;
        head = outer.head;
        tail = outer.tail;
    }

    // watcher(run, subject): given what a microtask will do and whom it concerns, answers with what to do instead.
    function watch(newWatcher)
    {
        watcher = newWatcher;
    }

    return { enqueueJob, enqueueCallback, run, setAside, takeBack, watch };
}))JS"_s;

// How an async function goes on. What it mostly awaits (a plain value, a promise that is already fulfilled) needs no reaction: the
// job to resume it is queued at once. And what it mostly returns to (a promise nobody waits for yet) needs only its two fields.
constexpr WTF::ASCIILiteral kResumeSource = R"JS((function (enqueueJob)
{
    "use strict";

    function finish(promise, value)
    {
        var flags = @getPromiseInternalField(promise, @promiseFieldFlags);
        if (@isObject(value) || (flags & @promiseFlagsIsFirstResolvingFunctionCalled) || @getPromiseInternalField(promise, @promiseFieldReactionsOrResult)) {
            @resolvePromiseWithFirstResolvingFunctionCallCheck(promise, value);
            return;
        }
        @putPromiseInternalField(promise, @promiseFieldReactionsOrResult, value);
        @putPromiseInternalField(promise, @promiseFieldFlags, flags | @promiseFlagsIsFirstResolvingFunctionCalled | @promiseStateFulfilled);
    }

    function awaitValue(generator, value)
    {
        if (!@isObject(value)) {
            enqueueJob(resumeWith, generator, value, @getInternalField(@asyncContext, 0));
            return;
        }
        if (!@isPromise(value)) {
            @resolveWithoutPromise(value, @asyncFunctionResumeOnFulfilled, @asyncFunctionResumeOnRejected, generator);
            return;
        }
        try {
            var constructor = value.constructor;
        } catch (error) {
            resume(generator, error, @GeneratorResumeModeThrow);
            return;
        }
        if (constructor !== @Promise && constructor !== @InternalPromise) {
            @resolveWithoutPromise(value, @asyncFunctionResumeOnFulfilled, @asyncFunctionResumeOnRejected, generator);
            return;
        }
        var flags = @getPromiseInternalField(value, @promiseFieldFlags);
        if ((flags & @promiseStateMask) !== @promiseStateFulfilled) {
            @performPromiseThen(value, @asyncFunctionResumeOnFulfilled, @asyncFunctionResumeOnRejected, @undefined, generator);
            return;
        }
        @putPromiseInternalField(value, @promiseFieldFlags, flags | @promiseFlagsIsHandled);
        enqueueJob(resumeWith, generator, @getPromiseInternalField(value, @promiseFieldReactionsOrResult), @getInternalField(@asyncContext, 0));
    }

    function resumeWith(generator, value, asyncContext)
    {
        if (!asyncContext) {
            resume(generator, value, @GeneratorResumeModeNormal);
            return;
        }
        var outer = @getInternalField(@asyncContext, 0);
        @putInternalField(@asyncContext, 0, asyncContext);
        try {
            resume(generator, value, @GeneratorResumeModeNormal);
        } finally {
            @putInternalField(@asyncContext, 0, outer);
        }
    }

    function resume(generator, sent, mode)
    {
        var state = @getGeneratorInternalField(generator, @generatorFieldState);
        @putGeneratorInternalField(generator, @generatorFieldState, @GeneratorStateExecuting);
        try {
            var value = @getGeneratorInternalField(generator, @generatorFieldNext).@call(@getGeneratorInternalField(generator, @generatorFieldThis), generator, state, sent, mode, @getGeneratorInternalField(generator, @generatorFieldFrame));
        } catch (error) {
            @rejectPromiseWithFirstResolvingFunctionCallCheck(@getGeneratorInternalField(generator, @generatorFieldContext), error);
            return;
        }
        if (@getGeneratorInternalField(generator, @generatorFieldState) === @GeneratorStateExecuting)
            finish(@getGeneratorInternalField(generator, @generatorFieldContext), value);
        else
            awaitValue(generator, value);
    }

    return resume;
}))JS"_s;

JSC::JSObject* call_builtin(JSC::JSGlobalObject* global, WTF::ASCIILiteral text, const JSC::ArgList& arguments) {
  auto& vm = global->vm();
  auto source =
      JSC::makeSource(text, JSC::SourceOrigin(), JSC::SourceTaintedOrigin::Untainted, to_wtf(kMicrotaskQueueUrl));
  auto* unlinked = JSC::createBuiltinExecutable(vm, source, JSC::Identifier::fromString(vm, "microtasks"_s),
                                                JSC::ImplementationVisibility::Private, JSC::ConstructorKind::None,
                                                JSC::ConstructAbility::CannotConstruct);
  auto* function = JSC::JSFunction::create(vm, unlinked->link(vm, nullptr, source), global);
  auto outcome = call(global, function, JSC::jsUndefined(), arguments);
  RELEASE_ASSERT(!outcome.exception);
  return JSC::asObject(outcome.value);
}

void replace(JSC::JSGlobalObject* global, JSC::LinkTimeConstant constant, JSC::JSObject* function) {
  global->m_linkTimeConstants[static_cast<unsigned>(constant)].set(global->vm(), global, function);
}

JSC::JSObject* queue_function(Realm* realm, const char* name) {
  return JSC::asObject(realm->microtasks()->get(realm, identifier(realm->vm(), name)));
}

}  // namespace

void install_microtask_queue(Realm* realm, JSC::JSObject* flags, JSC::JSObject* report) {
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(flags);
  arguments.append(report);
  realm->set_microtasks(call_builtin(realm, kQueueSource, arguments));
  share_microtask_queue(realm, realm);
  arguments.clear();
  arguments.append(queue_function(realm, "enqueueJob"));
  replace(realm, JSC::LinkTimeConstant::asyncFunctionResume, call_builtin(realm, kResumeSource, arguments));
}

void share_microtask_queue(JSC::JSGlobalObject* context, Realm* main) {
  if (main->microtasks()) replace(context, JSC::LinkTimeConstant::enqueueJob, queue_function(main, "enqueueJob"));
  if (context == main) return;
  // The engine keeps the async context in a cell, which its JavaScript finds under a private name of the global object.
  auto& vm = main->vm();
  auto* cell = main->m_asyncContextData.get();
  auto name = vm.propertyNames->builtinNames().asyncContextPrivateName();
  context->m_asyncContextData.set(vm, context, cell);
  context->putDirect(vm, name, cell,
                     static_cast<unsigned>(JSC::PropertyAttribute::DontEnum | JSC::PropertyAttribute::DontDelete |
                                           JSC::PropertyAttribute::ReadOnly));
}

SeparateMicrotasks::SeparateMicrotasks(Realm* realm) : realm_(realm) {
  auto outcome = call(realm, queue_function(realm, "setAside"), JSC::jsUndefined(), JSC::MarkedArgumentBuffer());
  outer_.set(realm->vm(), outcome.value);
}

SeparateMicrotasks::~SeparateMicrotasks() {
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(outer_.get());
  call(realm_, queue_function(realm_, "takeBack"), JSC::jsUndefined(), arguments);
}

void SeparateMicrotasks::run() {
  call(realm_, queue_function(realm_, "run"), JSC::jsUndefined(), JSC::MarkedArgumentBuffer());
}

}  // namespace rondo::engine
