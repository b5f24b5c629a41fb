// See microtask_queue.h. The sources below are compiled as the engine compiles its own: names with @ are its intrinsics and
// link-time constants.
#include "engine/patches/microtask_queue.h"

#include "engine/core/entry.h"
#include "engine/patches/promise_functions.h"

#include <cstdlib>

#include <JavaScriptCore/BuiltinNames.h>
#include <JavaScriptCore/LinkTimeConstant.h>

namespace rondo::engine {

namespace {

// An entry is a callback alone, or kJob and a function with four arguments. An empty queue starts again at its first slot, which
// the processor has at hand; one that never empties is moved to the front now and then. A debugger's message may interrupt any call of a
// function and any turn of a loop, and add an entry: only run() takes entries away or moves them.
constexpr WTF::ASCIILiteral kQueueSource = R"JS((function (flags, report)
{
    "use strict";
    var kJob = 0;
    var kCompactAt = 4096;
    var kKeep = 65536;
    var queue = [];
    var head = 0;
    var tail = 0;
    var tracer = null;
    var ran = 0;
    var moveAt = kCompactAt;

    function claim()
    {
        if (tail === head) {
            flags[0] = 1;
            return head = 0;
        }
        return tail;
    }

    function moveToFront()
    {
        var moved = [];
        for (var from = head; from < tail; from++)
            @putByValDirect(moved, from - head, queue[from]);
        queue = moved;
        head = 0;
        tail = moved.length;
    }

    // Entries were added until the list has the length at which a move is thought of. What is only drained is never moved.
    function makeRoom()
    {
        if (head * 2 >= tail)
            moveToFront();
        moveAt = tail * 2 > kCompactAt ? tail * 2 : kCompactAt;
    }

    // Whom a job concerns: the async function it resumes, or else the handler it calls.
    function subject(first, second, third, fourth)
    {
        var context = @isCallable(first) ? third : fourth;
        if (@isJSArray(context))
            context = context[0];
        var generator = @isGenerator(first) ? first : context;
        if (@isGenerator(generator))
            return generator;
        return @isCallable(second) ? second : first;
    }

    function enqueueTraced(job, first, second, third, fourth)
    {
        put(tracer(() => job(first, second, third, fourth), subject(first, second, third, fourth)));
    }

    function enqueueJob(job, first, second, third, fourth)
    {
        if (tracer !== null)
            return enqueueTraced(job, first, second, third, fourth);
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

    // `subject`: the function that stands for the callback, for observers.
    function enqueueCallback(callback, subject)
    {
        put(tracer === null ? callback : tracer(callback, subject));
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
            if (tail >= moveAt)
                makeRoom();
            var from = queue;
            var at = head;
            var entry = from[at];
            ran++;
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
        moveAt = kCompactAt;
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

    // tracer(run, subject): given what a microtask will do and whom it concerns, answers with what to do instead.
    function setTracer(newTracer)
    {
        tracer = newTracer;
    }

    function count()
    {
        return ran;
    }

    return { enqueueJob, enqueueCallback, run, setAside, takeBack, setTracer, count, isOurs: true };
}))JS"_s;

// With RONDO_ENGINE_QUEUE=1: jobs go to the engine's queue, which runs them its own way. Nothing is traced, and nothing is set aside.
constexpr WTF::ASCIILiteral kEngineQueueSource = R"JS((function (flags, enqueue, drain)
{
    "use strict";

    function enqueueJob(job, first, second, third, fourth)
    {
        flags[0] = 1;
        enqueue(job, first, second, third, fourth);
    }

    function nothing() { }

    return { enqueueJob, enqueueCallback: (callback) => enqueueJob(callback), run: () => drain(), setAside: nothing, takeBack: nothing, setTracer: nothing, count: () => 0, isOurs: false };
}))JS"_s;

bool uses_engine_queue() {
  const char* value = std::getenv("RONDO_ENGINE_QUEUE");
  return value && *value == '1';
}

JSC_DEFINE_HOST_FUNCTION(drain_engine_queue, (JSC::JSGlobalObject * global, JSC::CallFrame*)) {
  global->vm().drainMicrotasks();
  return JSC::JSValue::encode(JSC::jsUndefined());
}

JSC::JSObject* call_builtin(JSC::JSGlobalObject* global, WTF::ASCIILiteral source, const JSC::ArgList& arguments) {
  auto outcome = call(global, make_builtin(global, source), JSC::jsUndefined(), arguments);
  RELEASE_ASSERT(!outcome.exception);
  return JSC::asObject(outcome.value);
}

JSC::JSObject* queue_function(Realm* realm, const char* name) {
  return JSC::asObject(realm->microtasks()->get(realm, identifier(realm->vm(), name)));
}

}  // namespace

void install_microtask_queue(Realm* realm, JSC::JSObject* flags, JSC::JSObject* report) {
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(flags);
  if (uses_engine_queue()) {
    arguments.append(realm->linkTimeConstant(JSC::LinkTimeConstant::enqueueJob));
    arguments.append(JSC::JSFunction::create(realm->vm(), realm, 0, "drain"_s, drain_engine_queue,
                                             JSC::ImplementationVisibility::Private));
    realm->set_microtasks(call_builtin(realm, kEngineQueueSource, arguments));
  } else {
    arguments.append(report);
    realm->set_microtasks(call_builtin(realm, kQueueSource, arguments));
  }
  share_microtask_queue(realm, realm);
}

void share_microtask_queue(JSC::JSGlobalObject* context, Realm* main) {
  if (auto* queue = main->microtasks()) {
    replace_constant(context, JSC::LinkTimeConstant::enqueueJob, queue_function(main, "enqueueJob"));
    if (queue->get(main, identifier(main->vm(), "isOurs")).isTrue()) install_promise_functions(context);
  }
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

// A script that is being ended runs nothing any more, so that nobody misses the queue.
SeparateMicrotasks::~SeparateMicrotasks() {
  if (realm_->vm().exceptionForInspection()) return;
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(outer_.get());
  call(realm_, queue_function(realm_, "takeBack"), JSC::jsUndefined(), arguments);
}

void SeparateMicrotasks::run() {
  call(realm_, queue_function(realm_, "run"), JSC::jsUndefined(), JSC::MarkedArgumentBuffer());
}

}  // namespace rondo::engine
