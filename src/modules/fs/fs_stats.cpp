#include "modules/fs/fs_stats.h"

#include <sys/sysmacros.h>

namespace rondo::modules {

using namespace engine;
using runtime::Runtime;

namespace {

constexpr const char* kNames[] = {"dev", "mode", "nlink",  "uid",     "gid",     "rdev",    "blksize",
                                  "ino", "size", "blocks", "atimeMs", "mtimeMs", "ctimeMs", "birthtimeMs"};
constexpr unsigned kPlainFields = 10, kTimes = 4, kNamed = kPlainFields + kTimes;
constexpr unsigned kSlots = kNamed + kTimes;  // the nanoseconds of each time, under names no program can see
constexpr unsigned kSharedValues = 18;

struct Shape {
  JSC::Strong<JSC::Structure> structure;
  double* numbers = nullptr;
  int64_t* bigints = nullptr;
};

struct Fields {
  explicit Fields(const struct statx& s)
      : plain{makedev(s.stx_dev_major, s.stx_dev_minor),   s.stx_mode,    s.stx_nlink, s.stx_uid,  s.stx_gid,
              makedev(s.stx_rdev_major, s.stx_rdev_minor), s.stx_blksize, s.stx_ino,   s.stx_size, s.stx_blocks},
        times{&s.stx_atime, &s.stx_mtime, &s.stx_ctime, &s.stx_btime} {}
  uint64_t plain[kPlainFields];
  const struct statx_timestamp* times[kTimes];
};

Value set_stats_prototype(Call& call) {
  auto* realm = call.realm();
  auto* prototype = call.object(0);
  if (!prototype) return call.undefined();
  auto& vm = realm->vm();
  auto* sample = JSC::constructEmptyObject(realm, prototype, kSlots);
  for (const char* name : kNames) sample->putDirect(vm, identifier(vm, name), JSC::jsNumber(0));
  for (unsigned i = 0; i < kTimes; i++) {
    JSC::PrivateName hidden(JSC::PrivateName::PrivateSymbol, "nanoseconds"_s);
    sample->putDirect(vm, hidden, JSC::jsNumber(0));
  }
  Runtime::from(realm).local<Shape>().structure.set(vm, sample->structure());
  return call.undefined();
}

// (stats, which) → the nanoseconds within the second of a time of a Stats that was made here, else undefined.
Value stat_nanoseconds(Call& call) {
  auto* object = call.object(0);
  unsigned which = call.uint32(1);
  auto& shape = Runtime::from(call.realm()).local<Shape>();
  if (!object || object->structure() != shape.structure.get() || which >= kTimes) return call.undefined();
  return call.value(object->getDirect(static_cast<JSC::PropertyOffset>(kNamed + which)));
}

template <class Element, class Array>
Element* make_shared(JSC::JSGlobalObject* realm, JSC::JSObject* target, const char* name, JSC::TypedArrayType type) {
  auto buffer = JSC::ArrayBuffer::create(kSharedValues, sizeof(Element));
  auto* data = static_cast<Element*>(buffer->data());
  put(realm, target, name,
      Array::create(realm, realm->typedArrayStructure(type, false), WTFMove(buffer), 0, kSharedValues));
  return data;
}

constexpr FunctionSpec kFunctions[] = {{"setStatsPrototype", native<set_stats_prototype>, 1},
                                       {"statNanoseconds", native<stat_nanoseconds>, 2}};

}  // namespace

Value make_stats(Runtime& runtime, const struct statx& info) {
  auto& vm = runtime.vm();
  const Fields fields(info);
  auto* made = JSC::JSFinalObject::create(vm, runtime.local<Shape>().structure.get());
  JSC::PropertyOffset slot = 0;
  for (uint64_t value : fields.plain) made->putDirectOffset(vm, slot++, JSC::jsNumber(static_cast<double>(value)));
  for (auto* time : fields.times) {
    double milliseconds = static_cast<double>(time->tv_sec) * 1000 + static_cast<double>(time->tv_nsec) / 1e6;
    made->putDirectOffset(vm, slot++, JSC::jsNumber(milliseconds));
  }
  for (auto* time : fields.times) {
    made->putDirectOffset(vm, slot++, JSC::jsNumber(static_cast<int32_t>(time->tv_nsec)));
  }
  return made;
}

void share_stat(Runtime& runtime, const struct statx& info) {
  const Fields fields(info);
  int64_t* out = runtime.local<Shape>().bigints;
  for (uint64_t value : fields.plain) *out++ = static_cast<int64_t>(value);
  for (auto* time : fields.times) {
    *out++ = time->tv_sec;
    *out++ = time->tv_nsec;
  }
}

void share_statfs(Runtime& runtime, const struct statfs& s, bool bigint) {
  auto& shape = runtime.local<Shape>();
  const uint64_t values[] = {static_cast<uint64_t>(s.f_type),
                             static_cast<uint64_t>(s.f_bsize),
                             static_cast<uint64_t>(s.f_frsize),
                             s.f_blocks,
                             s.f_bfree,
                             s.f_bavail,
                             s.f_files,
                             s.f_ffree};
  for (int i = 0; i < 8; i++) {
    if (bigint)
      shape.bigints[i] = static_cast<int64_t>(values[i]);
    else
      shape.numbers[i] = static_cast<double>(values[i]);
  }
}

void init_fs_stats(Runtime& runtime, JSC::JSObject* target) {
  auto* realm = runtime.realm();
  auto& shape = runtime.local<Shape>();
  put_functions(realm, target, kFunctions);
  shape.numbers = make_shared<double, JSC::JSFloat64Array>(realm, target, "statNumbers", JSC::TypeFloat64);
  shape.bigints = make_shared<int64_t, JSC::JSBigInt64Array>(realm, target, "statBigInts", JSC::TypeBigInt64);
}

}  // namespace rondo::modules
