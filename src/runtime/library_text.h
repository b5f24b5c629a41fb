// The text of a file of lib/, for the few that run elsewhere than here: the page of `rondo see` is sent to a browser.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rondo::runtime {

// As it is compiled: a function expression (kWrapperHead in embedded.h). Empty when there is no such file.
std::optional<std::string> library_text(std::string_view id);

}  // namespace rondo::runtime
