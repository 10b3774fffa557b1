// SPDX-License-Identifier: Apache-2.0 OR MIT
// Remembers temporary files, so that a signal that ends the command removes them first: for file
// systems that have no files without a name.
#ifndef CODEKEM_CLI_TEMPORARY_FILES_HPP
#define CODEKEM_CLI_TEMPORARY_FILES_HPP

#include <string>

namespace codekem {

// Installs the handlers of all signals that end a process (on Windows of Ctrl+C and the like) that
// remove the files noted below, and makes SIGPIPE and SIGXFSZ errors of the write that causes them.
void install_signal_handlers();

// Notes path before it is created; forgets it after it is gone. No command has more than
// two outputs; more than the table holds is a programming error and throws std::logic_error.
void note_temporary_file(const std::string &path);
void forget_temporary_file(const std::string &path);

// Blocks the signals above until the end of a scope; scopes nest.
class signals_held {
 public:
  signals_held();
  ~signals_held();
  signals_held(const signals_held &) = delete;
  signals_held &operator=(const signals_held &) = delete;
};

}  // namespace codekem

#endif
