// SPDX-License-Identifier: Apache-2.0 OR MIT
// Runs a program on the simulated system.
//
// usage: soc PROGRAM [--cycles LIMIT] [--memory FILE]
//
// PROGRAM is what the RAM begins with. Standard input and output are the program's; the exit status
// is the program's, or 124 if it had not ended after LIMIT cycles, or 2 if nothing could be run.
// Writes the RAM to FILE at the end.
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <string>

#include "simulated_soc.hpp"

namespace {

struct Options {
  std::string program, memory;
  std::uint64_t limit = ~std::uint64_t{0};
};

bool read_options(int count, char **words, Options &options) {
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--cycles" && i + 1 < count) {
      options.limit = std::stoull(words[++i]);
    } else if (word == "--memory" && i + 1 < count) {
      options.memory = words[++i];
    } else if (options.program.empty() && word.rfind('-', 0) != 0) {
      options.program = word;
    } else {
      return false;
    }
  }
  return !options.program.empty();
}

int run(const Options &options) {
  hardware::SimulatedSoc soc(
      hardware::read_program(options.program),
      [] {
        std::fflush(stdout);
        const int next = std::getchar();
        return next == EOF ? hardware::SimulatedSoc::input_ended : next;
      },
      [](std::uint8_t byte) { std::putchar(byte); });
  bool more = true;
  while (more && soc.cycles() < options.limit) more = soc.step();
  std::fflush(stdout);
  if (!options.memory.empty()) {
    const auto bytes = soc.memory();
    std::ofstream file(options.memory, std::ios::binary);
    file.write(reinterpret_cast<const char *>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
  return more ? 124 : soc.status();
}

}  // namespace

int main(int count, char **words) {
  Options options;
  try {
    if (read_options(count, words, options)) return run(options);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "soc: %s\n", error.what());
    return 2;
  }
  std::fprintf(stderr, "usage: soc PROGRAM [--cycles LIMIT] [--memory FILE]\n");
  return 2;
}
