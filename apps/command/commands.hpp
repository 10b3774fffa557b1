// SPDX-License-Identifier: Apache-2.0 OR MIT
// The subcommands: each function adds one to the command line.
#ifndef CODEKEM_CLI_COMMANDS_HPP
#define CODEKEM_CLI_COMMANDS_HPP

#include <CLI/CLI.hpp>
#include <functional>

namespace codekem {

// What the command line asks for; returns the exit status, or throws failure. Set while the
// command line is parsed and run afterwards.
using action = std::function<int()>;

void add_list(CLI::App &app, action &chosen);
void add_keygen(CLI::App &app, action &chosen);
void add_encaps(CLI::App &app, action &chosen);
void add_decaps(CLI::App &app, action &chosen);
void add_kat(CLI::App &app, action &chosen);
void add_acvp(CLI::App &app, action &chosen);
void add_selftest(CLI::App &app, action &chosen);
void add_speed(CLI::App &app, action &chosen);
#ifdef CODEKEM_HAVE_SOFIA
void add_sign_keygen(CLI::App &app, action &chosen);
void add_sign(CLI::App &app, action &chosen);
void add_verify(CLI::App &app, action &chosen);
#endif

}  // namespace codekem

#endif
