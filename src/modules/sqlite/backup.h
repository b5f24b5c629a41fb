// backup(): copies a database page by page, each batch on the thread pool.
#pragma once

#include "modules/sqlite/connection.h"

namespace rondo::modules::sqlite {

void put_backup_functions(runtime::Runtime& runtime, JSC::JSObject* target);

}  // namespace rondo::modules::sqlite
