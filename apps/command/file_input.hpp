// SPDX-License-Identifier: Apache-2.0 OR MIT
// Reads files and standard input, never more than asked for.
#ifndef CODEKEM_CLI_FILE_INPUT_HPP
#define CODEKEM_CLI_FILE_INPUT_HPP

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "bytes.hpp"

namespace codekem {

// Returns path for messages: "-" is "standard input".
std::string input_name(const std::string &path);

// Reads path ("-": standard input) to its end, or its first limit bytes if it is longer.
bytes read_input(const std::string &path, std::size_t limit);

// Reads path ("-": standard input) to its end and gives it to take part by part.
void read_in_parts(const std::string &path,
                   const std::function<void(const std::uint8_t *, std::size_t)> &take);

// Says whether path can be read twice and gives the same both times, as far as that is up to it.
bool is_regular_file(const std::string &path);

// Refuses two inputs from the same stream, in particular from standard input.
void require_separate_inputs(const std::string &first_path, const std::string &second_path);

// Returns "; what to do" for a failed system call.
std::string advice(int error_number);

}  // namespace codekem

#endif
