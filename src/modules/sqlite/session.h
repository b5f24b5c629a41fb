// Sessions record the changes of a connection; a changeset of one is applied to another.
#pragma once

#include "modules/sqlite/connection.h"

struct sqlite3_session;

namespace rondo::modules::sqlite {

class Session final : public NativeObject {
 public:
  Session(std::shared_ptr<Connection> connection, sqlite3_session* handle);
  ~Session() override;

  void end();

  std::shared_ptr<Connection> connection;
  sqlite3_session* handle;
};

void put_session_functions(runtime::Runtime& runtime, JSC::JSObject* target);

}  // namespace rondo::modules::sqlite
