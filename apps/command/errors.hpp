// SPDX-License-Identifier: Apache-2.0 OR MIT
// The two ways in which a command can fail, and the exit status of each.
#ifndef CODEKEM_CLI_ERRORS_HPP
#define CODEKEM_CLI_ERRORS_HPP

#include <stdexcept>
#include <string>

#include "printable.hpp"

namespace codekem {

constexpr int exit_success = 0;
constexpr int exit_failure = 1;  // the operation failed, or the data are bad
constexpr int exit_usage = 2;    // the command line or the environment is wrong

// Holds "what was wrong; what to do", with the name of the file first if there is one. Whatever the
// message quotes, what() is printable.
class failure : public std::runtime_error {
 public:
  explicit failure(const std::string &message, int exit_status = exit_failure)
      : std::runtime_error(printable(message)), exit_status_(exit_status) {}
  int exit_status() const { return exit_status_; }

 private:
  int exit_status_;
};

class usage_failure : public failure {
 public:
  explicit usage_failure(const std::string &message) : failure(message, exit_usage) {}
};

}  // namespace codekem

#endif
