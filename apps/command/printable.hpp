// SPDX-License-Identifier: Apache-2.0 OR MIT
// Text from outside (file names, labels in files, the environment) made fit to be shown.
#ifndef CODEKEM_CLI_PRINTABLE_HPP
#define CODEKEM_CLI_PRINTABLE_HPP

#include <string>
#include <string_view>

namespace codekem {

// Returns text on one line that a terminal shows and does not obey. Printable characters of UTF-8
// stay as they are. Control characters, line ends, characters that change the direction of writing
// and bytes that are not UTF-8 become \n, \xNN or \u{NNNN}. What is printable already is unchanged.
std::string printable(std::string_view text);

}  // namespace codekem

#endif
