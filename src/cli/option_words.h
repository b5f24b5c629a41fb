// The words of NODE_OPTIONS.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rondo::cli {

// Words between spaces; double quotes hold spaces together, a backslash inside them keeps the next character as it is. False when a quote
// is not closed.
bool split_words(std::string_view text, std::vector<std::string>& words);

}  // namespace rondo::cli
