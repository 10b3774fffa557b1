// SPDX-License-Identifier: Apache-2.0 OR MIT
// The command `codekem`: reads the command line, runs one subcommand, reports what went wrong.
#include <unistd.h>

#include <cstdio>
#include <exception>

#include "commands.hpp"
#include "errors.hpp"
#include "file_output.hpp"
#include "kems.hpp"
#include "printable.hpp"
#include "suggest.hpp"
#include "system.hpp"
#include "temporary_files.hpp"
#include "terminal.hpp"

namespace codekem {
namespace {

// Returns what stands below the help, with a KEM that this build has.
std::string examples() {
  return std::string("Examples:\n  codekem keygen --kem ") + codekem_kem_at(0)->method_name +
         " --public bob.pub --secret bob.key\n"
         "  codekem encaps --public bob.pub --ciphertext to-bob.ct --shared alice.secret\n"
         "  codekem decaps --secret bob.key --ciphertext to-bob.ct --shared bob.secret\n"
         "\n"
         "Exit status: 0 success; 1 the operation failed or the data are bad; 2 wrong usage.\n"
         "Environment: CODEKEM_CPU names the back end to use; CODEKEM_SIMULATED is the\n"
         "library of the back end 'simulated'; NO_COLOR turns colours off.";
}

void print_error(const std::string &message) {
  const style colours(STDERR_FILENO);
  std::fprintf(stderr, "codekem: %s %s\n", colours.red("error:").c_str(), message.c_str());
}

void add_all(CLI::App &app, action &chosen) {
  app.set_help_flag("-h,--help", "Show this help");
  app.set_version_flag("-V,--version", std::string("codekem ") + codekem_version(),
                       "Show the version");
  app.require_subcommand(0, 1);
  app.get_formatter()->column_width(28);
  add_list(app, chosen);
  add_keygen(app, chosen);
  add_encaps(app, chosen);
  add_decaps(app, chosen);
  add_kat(app, chosen);
  add_acvp(app, chosen);
  add_selftest(app, chosen);
  add_speed(app, chosen);
#ifdef CODEKEM_HAVE_SOFIA
  add_sign_keygen(app, chosen);
  add_sign(app, chosen);
  add_verify(app, chosen);
#endif
  app.footer(examples());  // last, because subcommands inherit what is set when they are added
}

const CLI::App &parsed_command(const CLI::App &app) {
  const std::vector<CLI::App *> commands = app.get_subcommands();
  return commands.empty() ? app : *commands.front();
}

std::string help_advice(const CLI::App &app) {
  const CLI::App &command = parsed_command(app);
  return "see '" + std::string("codekem") + (&command == &app ? "" : " " + command.get_name()) +
         " --help'";
}

// Returns what to say about a word that fits nowhere.
std::string describe_extra(const CLI::App &app, const std::string &word) {
  const CLI::App &command = parsed_command(app);
  std::vector<std::string> known;

  if (word.rfind("-", 0) == 0) {
    for (const CLI::Option *option : command.get_options()) {
      for (const std::string &name : option->get_lnames()) {
        known.push_back("--" + name);
      }
    }
    const std::string name = word.substr(0, word.find('='));
    return "there is no option '" + name + "'" + did_you_mean(name, known, help_advice(app));
  }
  if (&command != &app) {
    return "there is one argument too many, '" + word + "'; " + help_advice(app);
  }
  for (const CLI::App *candidate : app.get_subcommands({})) {
    known.push_back(candidate->get_name());
  }
  return "there is no command '" + word + "'" + did_you_mean(word, known, help_advice(app));
}

// Ends parsing: help and version are no errors, everything else is a usage error.
int handle_parse_error(const CLI::App &app, const CLI::ParseError &error) {
  if (dynamic_cast<const CLI::CallForHelp *>(&error) != nullptr) {
    const CLI::App &command = parsed_command(app);
    write_stdout(command.help(&command == &app ? "" : app.get_name()));
    return exit_success;
  }
  if (dynamic_cast<const CLI::CallForVersion *>(&error) != nullptr) {
    write_stdout(std::string(error.what()) + "\n");
    return exit_success;
  }
  if (dynamic_cast<const CLI::ConversionError *>(&error) != nullptr) {
    const std::string what = error.what();  // "Could not convert: --count = abc"
    throw usage_failure("this is not a number in range: " + what.substr(what.find("--")) + "; " +
                        help_advice(app));
  }
  const std::vector<std::string> extras = app.remaining(true);
  throw usage_failure(extras.empty() ? std::string(error.what()) + "; " + help_advice(app)
                                     : describe_extra(app, extras.front()));
}

int run(int argc, char **argv) {
  CLI::App app("Code-based post-quantum key encapsulation", "codekem");
  action chosen;
  add_all(app, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return handle_parse_error(app, error);
  }
  if (!chosen) {
    throw usage_failure("no command is given; " + help_advice(app));
  }
  require_backend();
  return chosen();
}

}  // namespace
}  // namespace codekem

int main(int argc, char **argv) {
  codekem::system::prepare_standard_streams();
  codekem::system::forbid_strange_libraries();
  codekem::install_signal_handlers();
  try {
    return codekem::run(argc, argv);
  } catch (const codekem::failure &error) {
    codekem::print_error(error.what());
    return error.exit_status();
  } catch (const std::bad_alloc &) {
    codekem::print_error("out of memory; free some and try again");
  } catch (const std::exception &error) {
    codekem::print_error(codekem::printable(error.what()) +
                         "; this is a defect of codekem, report it");
  }
  return codekem::exit_failure;
}
