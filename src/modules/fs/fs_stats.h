// fs.Stats objects made in C++: fourteen numbers in the slots of one known structure, so that a stat costs no call into
// JavaScript. lib/internal/fs/stats.js gives the prototype; BigIntStats are made there, from shared arrays.
#pragma once

#include "runtime/runtime.h"

#include <sys/stat.h>
#include <sys/statfs.h>

namespace rondo::modules {

engine::Value make_stats(runtime::Runtime& runtime, const struct statx& info);
// For BigIntStats and StatFs: the values into the arrays that JavaScript reads.
void share_stat(runtime::Runtime& runtime, const struct statx& info);
void share_statfs(runtime::Runtime& runtime, const struct statfs& info, bool bigint);
void init_fs_stats(runtime::Runtime& runtime, JSC::JSObject* target);

}  // namespace rondo::modules
