// SPDX-License-Identifier: Apache-2.0 OR MIT
// Reads files and standard input, never more than asked for.
#ifndef CODEKEM_CLI_FILE_INPUT_HPP
#define CODEKEM_CLI_FILE_INPUT_HPP

#include <cstddef>
#include <string>

#include "bytes.hpp"

namespace codekem {

// Returns path for messages: "-" is "standard input".
std::string input_name(const std::string &path);

// Reads path ("-": standard input) to its end, or its first limit bytes if it is longer.
bytes read_input(const std::string &path, std::size_t limit);

// Refuses two inputs from the same stream, in particular from standard input.
void require_separate_inputs(const std::string &first_path, const std::string &second_path);

// Returns "; what to do" for a failed system call.
std::string advice(int error_number);

}  // namespace codekem

#endif
