// The text of --help with colours for a terminal: titles bold, options green, variables of the environment magenta, addresses blue.
#pragma once

#include <string>
#include <string_view>

namespace rondo::cli {

// Adds escape sequences and nothing else: without them the text is the one given.
std::string color_help(std::string_view help);
// Whether standard output wants colours: FORCE_COLOR, else a terminal without NO_COLOR and NODE_DISABLE_COLORS.
bool wants_colors();

}  // namespace rondo::cli
