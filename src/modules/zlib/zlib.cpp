// native('zlib'): compression for lib/internal/zlib. A codec (modules/zlib/zlib_codec.h) is a native object; it works on the spot or on
// the thread pool, one piece of input into one piece of output (streams) or everything in one go (gzipSync, gzip and so on).
// Sizes come back in a Float64Array: [room left, input left].
#include "modules/zlib/zlib_codec.h"

#include "engine/core/buffer_class.h"
#include "engine/core/native_object.h"
#include "engine/core/pinned_bytes.h"
#include "runtime/handle_object.h"
#include "runtime/native_class.h"

#include "rondo/thread_pool.h"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace rondo::modules {

using namespace engine;
using runtime::Continuation;
using runtime::method;
using runtime::Runtime;
using zlib::Codec;
using zlib::Failure;
using zlib::Mode;
using zlib::Window;

namespace {

constexpr runtime::Source kZlib{"zlib", "ZLIB"};

// [message, errno, code]
Value failure_value(JSC::JSGlobalObject* realm, const Failure& failure) {
  JSC::MarkedArgumentBuffer parts;
  parts.append(make_string(realm->vm(), failure.message));
  parts.append(JSC::jsNumber(failure.number));
  parts.append(make_string(realm->vm(), failure.code));
  return make_array(realm, parts);
}

// Everything that comes out of one input, in memory that grows and is given to JavaScript in the end.
class Output {
 public:
  Output() = default;
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output() { std::free(memory_); }

  // Returns when all is done, when there is too much, or when `is_cancelled()`.
  template <class Stop>
  std::optional<Failure> fill(Codec& codec, Window& window, int flush, size_t first, size_t most, Stop is_cancelled) {
    // One byte beyond the limit shows that there is too much.
    const size_t limit = most + 1;
    for (size_t room = std::min(std::max<size_t>(first, 64), limit); !is_cancelled();
         room = std::min(limit, std::max(room * 2, room + window.in_left))) {
      auto* larger = static_cast<uint8_t*>(std::realloc(memory_, room));
      if (!larger) return too_large();
      memory_ = larger;
      while (size_ < room && !is_cancelled()) {
        // Slices, so that a program that ends need not wait for long.
        const size_t slice = std::min(room - size_, kSlice);
        window.out = memory_ + size_;
        window.out_left = slice;
        auto failure = codec.run(window, flush);
        size_ += slice - window.out_left;
        if (failure) return failure;
        if (window.out_left != 0) return size_ > most ? too_large() : std::nullopt;
      }
      if (size_ == limit) return too_large();
    }
    return {};
  }

  JSC::JSUint8Array* give(JSC::JSGlobalObject* realm) {
    // A small result in a large block would keep all of it.
    if (auto* fitting = size_ ? std::realloc(memory_, size_) : nullptr) memory_ = static_cast<uint8_t*>(fitting);
    if (size_ == 0) return make_buffer(realm, {});
    return adopt_buffer(realm, std::exchange(memory_, nullptr), size_);
  }

 private:
  static constexpr size_t kSlice = 4 * 1024 * 1024;
  // Without a message: lib/ knows the limit.
  static std::optional<Failure> too_large() { return Failure{{}, "ERR_BUFFER_TOO_LARGE", 0}; }

  uint8_t* memory_ = nullptr;
  size_t size_ = 0;
};

class CodecObject final : public NativeObject {
 public:
  CodecObject(Runtime& runtime, std::unique_ptr<Codec> codec, bool is_stream)
      : runtime(runtime), codec(std::move(codec)) {
    if (is_stream) origin.capture(runtime, kZlib);
  }

  // While a pool thread works with it, it stays; the work's end closes it then.
  void close() {
    is_closed = true;
    if (is_busy) return;
    codec.reset();
    if (origin.is_tracked && !runtime.is_stopped()) runtime.end_tracked(origin.context.get());
    origin.context.clear();
    origin.is_tracked = false;
  }

  Runtime& runtime;
  std::unique_ptr<Codec> codec;
  runtime::StartPoint origin;
  bool is_busy = false;
  bool is_closed = false;
};

// A method for which the codec must be open and idle; otherwise it does nothing.
template <Value (*kMethod)(Call&, CodecObject&)>
Value ready(Call& call, CodecObject& object) {
  return object.codec && !object.is_busy && !object.is_closed ? kMethod(call, object) : call.undefined();
}

// One piece of work on the pool. It frees itself.
struct PoolWork : Job, runtime::Request {
  PoolWork(CodecObject& codec, Continuation then) : object(codec), then(std::move(then)) {
    job_class = JobClass::User;
    work = [](Job& job) { static_cast<PoolWork&>(job).run(); };
    on_done = [](Job& job, int) { static_cast<PoolWork&>(job).end(); };
    on_dropped = [](Job& job) { delete static_cast<PoolWork*>(&job); };
  }
  ~PoolWork() override = default;

  void start() {
    object.is_busy = true;
    begin(object.runtime);
    ThreadPool::shared().submit(object.runtime.loop(), *this);
  }
  void cancel() override { ThreadPool::shared().cancel(*this); }

  virtual void run() = 0;
  virtual void answer(JSC::JSGlobalObject* realm, JSC::MarkedArgumentBuffer& arguments) = 0;

  void end() {
    Continuation last = std::move(then);  // keeps the object
    runtime::Request::unlink();
    auto& owner = object;
    owner.is_busy = false;
    const bool is_dead = last.is_dead();
    JSC::MarkedArgumentBuffer arguments;
    if (!is_dead) answer(owner.runtime.realm(), arguments);
    delete this;
    if (owner.is_closed) owner.close();
    if (!is_dead) last(arguments);
  }

  CodecObject& object;
  Continuation then;
  PinnedBytes input;
  Window window;
  int flush = 0;
  std::optional<Failure> failure;
};

// The first arguments of write and writeSync: flush, in, inOffset, inSize, out, outOffset, outSize
struct Piece {
  explicit Piece(const Call& call) : flush(call.int32(0)), in(part(call, 1)), out(part(call, 4)) {}
  Window window() const { return {in.data(), in.size(), out.data(), out.size()}; }

  static std::span<uint8_t> part(const Call& call, unsigned at) {
    auto bytes = call.bytes(at);
    const auto offset = std::min(bytes.size(), static_cast<size_t>(std::max(0.0, call.number(at + 1))));
    return bytes.subspan(offset,
                         std::min(bytes.size() - offset, static_cast<size_t>(std::max(0.0, call.number(at + 2)))));
  }

  int flush;
  std::span<uint8_t> in, out;
};

void tell_sizes(std::span<uint8_t> array, const Window& window) {
  const double sizes[] = {static_cast<double>(window.out_left), static_cast<double>(window.in_left)};
  if (array.size() == sizeof sizes) memcpy(array.data(), sizes, sizeof sizes);
}

struct PieceWork final : PoolWork {
  using PoolWork::PoolWork;
  void run() override { failure = object.codec->run(window, flush); }
  void answer(JSC::JSGlobalObject* realm, JSC::MarkedArgumentBuffer& arguments) override {
    tell_sizes(sizes.bytes(), window);
    if (failure) arguments.append(failure_value(realm, *failure));
  }

  PinnedBytes output;
  PinnedBytes sizes;
};

// write(flush, in, inOffset, inSize, out, outOffset, outSize, sizes, callback(failure or undefined)): on the pool
Value write(Call& call, CodecObject& object) {
  auto then = Continuation(object.runtime, call.function(8), object.origin, kZlib).keeping(call.self().asCell());
  auto* work = new PieceWork(object, std::move(then));
  work->input = PinnedBytes(call.at(1));
  work->output = PinnedBytes(call.at(4));
  work->sizes = PinnedBytes(call.at(7));
  // Only now: pinning may have moved the bytes.
  const Piece piece(call);
  work->window = piece.window();
  work->flush = piece.flush;
  work->start();
  return call.value(true);
}

// writeSync(flush, in, inOffset, inSize, out, outOffset, outSize, sizes) → failure or undefined
Value write_sync(Call& call, CodecObject& object) {
  const Piece piece(call);
  Window window = piece.window();
  auto failure = object.codec->run(window, piece.flush);
  tell_sizes(call.bytes(7), window);
  return failure ? failure_value(call.realm(), *failure) : call.undefined();
}

size_t size_at(const Call& call, unsigned index) {
  constexpr double kMost = 9007199254740991;
  return static_cast<size_t>(std::clamp(call.number(index), 0.0, kMost));
}

// lib/ says how many bytes there are: a view may lie about it.
bool exceeds(const Call& call, unsigned bytes, unsigned size) {
  if (call.number(size) <= static_cast<double>(call.bytes(bytes).size())) return false;
  raise_with_code(call.realm(), JSC::ErrorType::RangeError, "ERR_OUT_OF_RANGE"_s, "input buffer is out of bounds"_s);
  return true;
}

struct WholeWork final : PoolWork {
  using PoolWork::PoolWork;
  void run() override {
    failure = output.fill(*object.codec, window, flush, first, most, [this] { return is_cancelled(); });
  }
  void answer(JSC::JSGlobalObject* realm, JSC::MarkedArgumentBuffer& arguments) override {
    tell_sizes(sizes.bytes(), window);
    arguments.append(failure ? failure_value(realm, *failure) : Value(output.give(realm)));
  }

  Output output;
  PinnedBytes sizes;
  size_t first = 0, most = 0;
};

// all(flush, in, chunkSize, maxOutput, sizes, inSize, callback(Buffer or failure)): on the pool
Value all(Call& call, CodecObject& object) {
  if (exceeds(call, 1, 5)) return {};
  auto then = Continuation(object.runtime, call.function(6), kZlib).keeping(call.self().asCell());
  auto* work = new WholeWork(object, std::move(then));
  work->input = PinnedBytes(call.at(1));
  work->sizes = PinnedBytes(call.at(4));
  work->window = {work->input.bytes().data(), work->input.bytes().size()};
  work->flush = call.int32(0);
  work->first = size_at(call, 2);
  work->most = size_at(call, 3);
  work->start();
  return call.value(true);
}

// allSync(flush, in, chunkSize, maxOutput, sizes, inSize) → Buffer or failure
Value all_sync(Call& call, CodecObject& object) {
  if (exceeds(call, 1, 5)) return {};
  auto in = call.bytes(1);
  Window window{in.data(), in.size()};
  Output output;
  auto failure =
      output.fill(*object.codec, window, call.int32(0), size_at(call, 2), size_at(call, 3), [] { return false; });
  tell_sizes(call.bytes(4), window);
  return failure ? failure_value(call.realm(), *failure) : call.value(output.give(call.realm()));
}

// reset() → failure, undefined, or false while it works
Value reset(Call& call, CodecObject& object) {
  if (object.is_busy) return call.value(false);
  if (!object.codec) return call.undefined();
  auto failure = object.codec->reset();
  return failure ? failure_value(call.realm(), *failure) : call.undefined();
}

// params(level, strategy) → failure or undefined
Value params(Call& call, CodecObject& object) {
  auto failure = object.codec->set_params(call.int32(0), call.int32(1));
  return failure ? failure_value(call.realm(), *failure) : call.undefined();
}

Value close(Call& call, CodecObject& object) {
  object.close();
  return call.undefined();
}

constexpr FunctionSpec kMethods[] = {{"write", method<CodecObject, ready<write>>, 9},
                                     {"writeSync", method<CodecObject, ready<write_sync>>, 8},
                                     {"all", method<CodecObject, ready<all>>, 7},
                                     {"allSync", method<CodecObject, ready<all_sync>>, 6},
                                     {"reset", method<CodecObject, reset>},
                                     {"params", method<CodecObject, ready<params>>, 2},
                                     {"close", method<CodecObject, close>}};

std::vector<uint8_t> copy_of(std::span<const uint8_t> bytes) { return {bytes.begin(), bytes.end()}; }

Value publish(const Call& call, std::unique_ptr<Codec> codec, bool is_stream) {
  auto& runtime = Runtime::from(call.realm());
  return runtime::make_instance(runtime, std::make_unique<CodecObject>(runtime, std::move(codec), is_stream), kMethods);
}

Value publish(const Call& call, zlib::Made made, bool is_stream) {
  if (made.failure) return failure_value(call.realm(), *made.failure);
  return publish(call, std::move(made.codec), is_stream);
}

// newZlib(isStream, mode, windowBits, level, memLevel, strategy, dictionary, rejectGarbage) → codec
Value new_zlib(Call& call) {
  zlib::ZlibSettings settings;
  settings.mode = static_cast<Mode>(std::clamp(call.int32(1), 1, 7));
  settings.window_bits = call.int32(2);
  settings.level = call.int32(3);
  settings.memory_level = call.int32(4);
  settings.strategy = call.int32(5);
  settings.dictionary = copy_of(call.bytes(6));
  settings.rejects_garbage = call.boolean(7);
  return publish(call, zlib::make_zlib(std::move(settings)), call.boolean(0));
}

// Pairs of a Float64Array: key, value
zlib::Parameters parameters_at(const Call& call, unsigned index) {
  auto bytes = call.bytes(index);
  zlib::Parameters parameters;
  double pair[2];
  for (; bytes.size() >= sizeof pair; bytes = bytes.subspan(sizeof pair)) {
    memcpy(pair, bytes.data(), sizeof pair);
    parameters.emplace_back(static_cast<int>(pair[0]), static_cast<uint32_t>(static_cast<int64_t>(pair[1])));
  }
  return parameters;
}

// newBrotli(isStream, mode, parameters) → codec or failure
Value new_brotli(Call& call) {
  auto made = zlib::make_brotli(static_cast<Mode>(call.int32(1)), parameters_at(call, 2));
  return publish(call, std::move(made), call.boolean(0));
}

// newZstd(isStream, mode, parameters, pledged size or undefined, dictionary) → codec or failure
Value new_zstd(Call& call) {
  std::optional<uint64_t> pledged;
  if (call.has(3)) pledged = static_cast<uint64_t>(call.int64(3));
  auto made = zlib::make_zstd(static_cast<Mode>(call.int32(1)), parameters_at(call, 2), pledged, call.bytes(4));
  return publish(call, std::move(made), call.boolean(0));
}

// crc32(bytes, start)
Value checksum(Call& call) {
  auto bytes = call.bytes(0);
  return call.value(static_cast<double>(::crc32_z(call.uint32(1), bytes.data(), bytes.size())));
}

constexpr FunctionSpec kFunctions[] = {{"newZlib", native<new_zlib>, 8},
                                       {"newBrotli", native<new_brotli>, 3},
                                       {"newZstd", native<new_zstd>, 5},
                                       {"crc32", native<checksum>, 2}};

}  // namespace

void init_zlib(Runtime& runtime, JSC::JSObject* target) {
  put_functions(runtime.realm(), target, kFunctions);
  put(runtime.realm(), target, "version", JSC::jsNumber(ZLIB_VERNUM));
  auto* versions = make_object(runtime.realm());
  auto& vm = runtime.vm();
  put(runtime.realm(), versions, "zlib", make_string(vm, zlibVersion()));
  put(runtime.realm(), versions, "brotli", make_string(vm, zlib::brotli_version()));
  put(runtime.realm(), versions, "zstd", make_string(vm, zlib::zstd_version()));
  put(runtime.realm(), target, "versions", versions);
}

}  // namespace rondo::modules
