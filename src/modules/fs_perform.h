// The operations of node:fs that are more than one system call. Called by FsRequest::perform only.
#pragma once

#include "modules/fs_request.h"

namespace rondo::modules {

void make_directory(FsRequest& r);
void make_temporary_directory(FsRequest& r);
void read_directory(FsRequest& r);
void copy_file(FsRequest& r);
void read_file(FsRequest& r);
void write_file(FsRequest& r);

}  // namespace rondo::modules
