// JSON for the command line's own files: strict (RFC 8259), whole texts, small ones. Programs have the engine's.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::cli {

struct JsonMember;

struct JsonValue {
  enum class Kind { Null, False, True, Number, String, Array, Object };

  Kind kind = Kind::Null;
  std::string text;  // of a string; of a number as it is written
  std::vector<JsonValue> items;  // of an array
  std::vector<JsonMember> members;  // of an object, in their order, doubles too
};

struct JsonMember {
  std::string name;
  JsonValue value;
};

// Nothing when `text` is not one JSON value, or nests deeper than 100.
std::optional<JsonValue> parse_json(std::string_view text);

}  // namespace rondo::cli
