// Under --watch the parent process wants to know which files the program loads: their names go to a pipe, one after the
// other, each ended by a zero byte. Off (the usual case) it costs a comparison for each file loaded.
#pragma once

#include <string>

namespace rondo::modules {

// From now on names go to this descriptor; it is not inherited by children.
void report_loads_to(int fd);
void report_load(const std::string& path);

}  // namespace rondo::modules
