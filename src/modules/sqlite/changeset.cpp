// See changeset.h. The form:
//
//   table   'T' or 'P' (patchset), number of columns, a byte for each (not 0: part of the key), name, 0
//   change  SQLITE_INSERT, _UPDATE or _DELETE, indirect or not, then records of values
//   value   0 none, 1 integer, 2 real: 8 bytes; 3 text, 4 blob: size and bytes; 5 null
#include "modules/sqlite/changeset.h"

#include <sqlite3.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace rondo::modules::sqlite {

namespace {

class Reader {
 public:
  explicit Reader(std::span<const uint8_t> bytes) : rest_(bytes) {}

  bool is_at_end() const { return rest_.empty(); }
  uint8_t peek() const { return rest_[0]; }

  std::optional<uint8_t> byte() {
    if (rest_.empty()) return {};
    const uint8_t value = rest_[0];
    rest_ = rest_.subspan(1);
    return value;
  }

  bool skip(uint64_t size) {
    if (size > rest_.size()) return false;
    rest_ = rest_.subspan(size);
    return true;
  }

  // SQLite's varint: seven bits a byte, the highest first; the ninth byte has eight. Sizes beyond 31 bits are refused.
  std::optional<uint64_t> varint() {
    uint64_t value = 0;
    for (int i = 0; i < 9; i++) {
      const auto next = byte();
      if (!next) return {};
      if (i == 8) return {};
      value = value << 7 | (*next & 0x7f);
      if (!(*next & 0x80)) return value <= INT32_MAX ? std::optional(value) : std::nullopt;
    }
    return {};
  }

  bool table() {
    is_patchset_ = byte() == 'P';
    const auto columns = varint();
    if (!columns || *columns == 0 || *columns > rest_.size()) return false;
    keys_.assign(rest_.begin(), rest_.begin() + static_cast<ptrdiff_t>(*columns));
    skip(*columns);
    const auto end = std::find(rest_.begin(), rest_.end(), 0);
    return end != rest_.end() && skip(static_cast<uint64_t>(end - rest_.begin()) + 1);
  }

  bool change() {
    const auto operation = byte();
    if (!operation || !byte() || keys_.empty()) return false;
    switch (*operation) {
      case SQLITE_INSERT:
        return record(Needed::All, Present::All);
      case SQLITE_DELETE:
        return is_patchset_ ? record(Needed::Key, Present::Key) : record(Needed::All, Present::All);
      case SQLITE_UPDATE:
        if (is_patchset_) return record(Needed::Key, Present::All);
        return record(Needed::Key, Present::All) && record(Needed::None, Present::All);
      default:
        return false;
    }
  }

 private:
  enum class Needed { None, Key, All };
  enum class Present { Key, All };

  bool record(Needed needed, Present present) {
    for (const uint8_t key : keys_) {
      if (present == Present::Key && !key) continue;
      const auto type = byte();
      if (!type) return false;
      if (*type == 0 && (needed == Needed::All || (needed == Needed::Key && key))) return false;
      if (!value(*type)) return false;
    }
    return true;
  }

  bool value(uint8_t type) {
    switch (type) {
      case 0:
      case SQLITE_NULL:
        return true;
      case SQLITE_INTEGER:
      case SQLITE_FLOAT:
        return skip(8);
      case SQLITE_TEXT:
      case SQLITE_BLOB: {
        const auto size = varint();
        return size && skip(*size);
      }
      default:
        return false;
    }
  }

  std::span<const uint8_t> rest_;
  std::vector<uint8_t> keys_;
  bool is_patchset_ = false;
};

}  // namespace

bool is_changeset(std::span<const uint8_t> bytes) {
  Reader reader(bytes);
  while (!reader.is_at_end()) {
    const bool is_table = reader.peek() == 'T' || reader.peek() == 'P';
    if (!(is_table ? reader.table() : reader.change())) return false;
  }
  return true;
}

}  // namespace rondo::modules::sqlite
