// One call of node:fs on its way: librondo's FileRequest, which does the work, plus what JavaScript needs when it is done.
// A synchronous call runs its request on the spot; an asynchronous one starts it on the loop and is done after its
// callback has run or its promise is settled. Tasks are kept for reuse (FsCall::take, give_back), so a call in a steady state allocates nothing.
#pragma once

#include "engine/core/native.h"
#include "engine/core/pinned_bytes.h"
#include "runtime/handle_object.h"

#include "rondo/fs.h"

#include <string>
#include <vector>

namespace rondo::modules {

// The form of the result.
enum class FsAnswer : uint8_t { Nothing, Number, Text, Names, Stats, StatFs, Data };

struct FsCall final : runtime::Request {
  runtime::Runtime* runtime = nullptr;
  FileRequest request;
  FsAnswer answer = FsAnswer::Nothing;
  bool as_bytes = false;  // names as bytes, not text
  bool with_types = false;
  bool as_text = false;  // Data: decoded as UTF-8
  bool bigint = false;
  bool missing_is_error = true;
  bool shows_path = true;
  bool is_free = false;  // of --permission
  bool is_promised = false;  // settles a promise, calls no callback
  bool is_sync = true;
  const char* call_name = nullptr;  // the name in an error, where it is not the request's own
  std::vector<iovec> parts;  // readv, writev
  std::string text;  // what is written, when it came as a string
  std::string given[2];  // the names, where the request was given others (--permission)
  JSC::Strong<JSC::JSObject> refusal;  // --permission forbids it: the error
  runtime::Continuation then;  // the callback, or the promise to settle
  std::vector<engine::PinnedBytes> pinned;  // memory the request reads or writes

  static FsCall* take(runtime::Runtime& runtime);
  static void give_back(FsCall* task);
  void cancel() override { request.cancel(); }

  int error() const { return request.result() < 0 ? static_cast<int>(-request.result()) : 0; }
  bool is_missing() const { return error() == ENOENT || (error() == ENOTDIR && request.kind() != FileKind::Lstat); }
  // The result as a value; call only without an error. Fills the shared arrays for BigIntStats and StatFs.
  engine::Value answer_value();
  JSC::JSObject* error_value();
  // readFile's limit is passed: lib/ makes the error (FsState::make_too_large) of the file's size.
  bool is_too_large() const { return error() == EFBIG && answer == FsAnswer::Data && !refusal; }
  engine::Value size_in_error() const { return JSC::jsNumber(static_cast<double>(request.status().stx_size)); }
};

inline constexpr int64_t kMostFileBytes = (int64_t{1} << 31) - 1;  // readFile's limit, as Node's

// State of the module in its runtime.
struct FsState {
  JSC::Symbol* use_promise = nullptr;  // held by the native module's object
  JSC::Strong<JSC::JSObject> make_too_large;
  uint32_t traced = 0;  // kTrace… of fs_trace.h
  std::vector<std::unique_ptr<FsCall>> spare;
  int taken = 0;  // tasks in use
  int promised = 0;  // those of them that settle promises
};

// One entry into JavaScript: the callback or the promise, then everything it led to. Gives the task back.
void complete(FsCall* task);

// fs_watch.cpp
void init_fs_watch(runtime::Runtime& runtime, JSC::JSObject* target);

}  // namespace rondo::modules
