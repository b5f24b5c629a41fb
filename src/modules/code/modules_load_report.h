// Under --watch the parent process wants to know which files the program loads: their names go to a pipe, one after the
// other, each ended by a zero byte. Off (the usual case) it costs a comparison for each file loaded.
#pragma once

#include "runtime/runtime.h"

#include <string>

namespace rondo::modules {

// To RuntimeOptions::load_report.
void report_load(runtime::Runtime& runtime, const std::string& path);

}  // namespace rondo::modules
