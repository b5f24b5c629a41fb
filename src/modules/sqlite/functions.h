// Functions of the program that SQLite calls: user-defined functions, aggregates, the authorizer. Their exceptions go into
// Connection::fail and comes out of the statement that called them.
#pragma once

#include "modules/sqlite/connection.h"

namespace rondo::modules::sqlite {

void put_function_functions(runtime::Runtime& runtime, JSC::JSObject* target);

// Asks the authorizer of the program, if there is one, and --permission, if it is in force, from now on.
void install_authorizer(Connection& connection);

}  // namespace rondo::modules::sqlite
