// The HTML Standard's event loop as a library: what a browser's window, worker or worklet runs by. It stands on a rondo::Loop, its
// reactor: what the Standard does "in parallel" are the reactor's callbacks, and they end in "queue a task".
//
//   rondo::Loop reactor;
//   rondo::html::EventLoop loop(reactor, {.kind = rondo::html::LoopKind::Window});
//   loop.queue_a_task(rondo::html::TaskSource::Networking, nullptr, [] { puts("loaded"); });
//   loop.run();
//
// Functions have the Standard's names, blocks in their bodies its steps' numbers.
#pragma once

#include "rondo/html/browsing_context.h"
#include "rondo/html/document.h"
#include "rondo/html/event_loop.h"
#include "rondo/html/host.h"
#include "rondo/html/policy.h"
#include "rondo/html/task.h"
