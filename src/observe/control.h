// The watched side of `rondo doctor`, `why`, `top`, `see` and `trace PID`: a thread that connects to the watcher's socket, answers its
// questions about the runtimes of this process, and sends pulses and records. The program's own threads do no more than fill
// counters and the ring. Nothing here exists until a watcher asks.
//
// A watcher asks by starting the program with RONDO_WATCHED_BY set to the path of its socket, or by SIGURG with a token: the path follows
// from user, sender and token. Whichever way, the process connects; it never listens. The peer must belong to the same user.
//
// The wire: frames of [length u32][type u8][bytes] to the watcher, type 'J' one object of JSON, 'R' records (record.h), 'N' names
// ([number u32][length u16][text] each); lines of words from it.
#pragma once

#include "runtime/runtime.h"

#include <string>

namespace rondo::observe {

// The command line, once: the process can be attached to. `runtime` is the main one, and is not destroyed.
void enable_attach(runtime::Runtime& runtime);
// The environment names a watcher: connects to it. Before a fence that lets the process make no such socket any more.
void open_watcher_connection();
// Tells that watcher of the program, and waits for its first commands. Before the program's first code.
void connect_to_watcher(runtime::Runtime& runtime, const std::string& script);
// The program ends: the watcher is told what is left unsettled, and the code.
void tell_watcher_of_exit(int code);
// Whom a worker's loop tells from its start; null: nobody. On the worker's thread.
void watch_new_worker(runtime::Runtime& runtime);
void forget_worker(runtime::Runtime& runtime);

// The folder of the sockets of watchers: below it only this user may make any.
std::string watch_folder();
constexpr const char* kWatchedBy = "RONDO_WATCHED_BY";

}  // namespace rondo::observe
