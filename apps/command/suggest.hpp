// SPDX-License-Identifier: Apache-2.0 OR MIT
// "Did you mean": the known word nearest to a mistyped one.
#ifndef CODEKEM_CLI_SUGGEST_HPP
#define CODEKEM_CLI_SUGGEST_HPP

#include <string>
#include <vector>

namespace codekem {

// Returns the candidate nearest to word, or "" if none is near enough to be meant.
std::string nearest(const std::string &word, const std::vector<std::string> &candidates);

// Returns "; did you mean 'X'?" for the nearest candidate, otherwise "; " and the fallback.
std::string did_you_mean(const std::string &word, const std::vector<std::string> &candidates,
                         const std::string &fallback);

// Returns the words with ", " between them.
std::string joined(const std::vector<std::string> &words);

}  // namespace codekem

#endif
