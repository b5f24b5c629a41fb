// The microtask queue of a program, written in JavaScript of the engine's own kind (decision 0011). The engine's promises and async
// functions reach their queue through functions that it looks up when it links them; those are ours here, so that queueing a job,
// running it and resuming an async function never leave compiled JavaScript.
//
//  Q1  one queue for the program and all its vm contexts: first in, first out, promise jobs and queueMicrotask alike
//  Q2  installed before any code of the realm runs: what is linked earlier would keep the engine's queue
//  Q3  when a job is queued into an empty queue, flags[0] becomes 1: the runtime knows that there is something to run
//  Q4  a job that throws is reported; the next one runs
#pragma once

#include "engine/core/realm.h"

namespace rondo::engine {

// Where its functions say they come from. Stack traces leave them out.
constexpr std::string_view kMicrotaskQueueUrl = "node:internal/microtask_queue";

// `flags`: an Int32Array. `report`: called with what a job threw.
void install_microtask_queue(Realm* realm, JSC::JSObject* flags, JSC::JSObject* report);
// A vm context queues where its program queues, and has its async context; its async functions resume as the engine has it. Runs no JavaScript: a context can be
// made with the last of the stack.
void share_microtask_queue(JSC::JSGlobalObject* context, Realm* main);

// While this lives, jobs go to a queue of their own; what is left in it then is dropped.
class SeparateMicrotasks {
 public:
  explicit SeparateMicrotasks(Realm* realm);
  ~SeparateMicrotasks();
  SeparateMicrotasks(const SeparateMicrotasks&) = delete;
  SeparateMicrotasks& operator=(const SeparateMicrotasks&) = delete;

  void run();

 private:
  Realm* realm_;
  JSC::Strong<JSC::Unknown> outer_;
};

}  // namespace rondo::engine
