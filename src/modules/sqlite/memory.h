// The memory that SQLite allocates. Debian builds the library without the small blocks that a connection keeps for itself ("lookaside"),
// so each statement allocates its cursors and texts anew; here small blocks come from the memory that a thread keeps for coroutines.
#pragma once

namespace rondo::modules::sqlite {

// Before the first connection is opened.
void install_memory();

}  // namespace rondo::modules::sqlite
