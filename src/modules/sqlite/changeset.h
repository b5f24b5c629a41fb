// The form of changesets and patchsets, checked before SQLite applies one: 3.40 reads a value that is missing and crashes, and looks for
// the end of a table's name for ever (fixed in 3.51). https://www.sqlite.org/session/c_changeset_abort.html, sqlite3session.c
#pragma once

#include <cstdint>
#include <span>

namespace rondo::modules::sqlite {

// Whether the bytes are whole and every change has the values that its kind needs.
bool is_changeset(std::span<const uint8_t> bytes);

}  // namespace rondo::modules::sqlite
