// SPDX-License-Identifier: Apache-2.0 OR MIT
// Runs packets from standard input on the simulated core, for tests and scripts.
//
// usage: packets [initial=SEED] [coverage=FILE]
//   initial   other values of registers and memories at the begin; SEED: 1 to 2147483647
//   coverage  what was covered goes to FILE at the end, if the core was built to count it
//
// Each line gives one line; words are 8 hex digits, a packet is "-" if empty:
//   OP PACKET [DISTURBANCE]...                           ->  ERROR CYCLES LAST PACKET
//     pauses=SEED  stop=CYCLE  again=CYCLE  abort=CYCLE  words=COUNT  blocked=1  wipe_after=1
//     flip=NUMBER  at=CYCLE      see struct Disturbance; flip: of the list that `places` gives
//   flips OP PACKET ACCEPTED FIRST LAST COUNT SEED       ->  NAME=NUMBERS... of Flips, by Fate
//   places                                               ->  names of the bits that can be flipped
//   reset                                                ->  0
//   polynomials                                          ->  the polynomial memory, bytes in hex
//   state                                                ->  all registers and memories, likewise
#include <charconv>
#include <cstdio>
#include <exception>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "simulated_core.hpp"

namespace {

std::vector<std::uint32_t> words_of(const std::string &text) {
  std::vector<std::uint32_t> words;
  if (text == "-") return words;
  for (std::size_t i = 0; i < text.size(); i += 8) {
    words.push_back(static_cast<std::uint32_t>(std::stoul(text.substr(i, 8), nullptr, 16)));
  }
  return words;
}

hardware::Disturbance disturbance_of(const hardware::SimulatedCore &core, std::istream &fields) {
  hardware::Disturbance disturbance;
  for (std::string field; fields >> field;) {
    const std::size_t equals = field.find('=');
    const std::string name = field.substr(0, equals);
    const unsigned long value = std::stoul(field.substr(equals + 1));
    if (name == "pauses") {
      disturbance.pauses = static_cast<std::uint32_t>(value);
    } else if (name == "stop") {
      disturbance.stop_at = value;
    } else if (name == "again") {
      disturbance.start_again = value;
    } else if (name == "abort") {
      disturbance.abort_at = value;
    } else if (name == "words") {
      disturbance.words = value;
    } else if (name == "blocked") {
      disturbance.blocked = value != 0;
    } else if (name == "wipe_after") {
      disturbance.wipe_after = value != 0;
    } else if (name == "flip") {
      disturbance.flip = core.places().at(value);
    } else if (name == "at") {
      disturbance.flip_at = value;
    } else {
      throw std::runtime_error("unknown option " + name);
    }
  }
  return disturbance;
}

void print_hex(std::uint32_t value, int digits) { std::printf("%0*x", digits, value); }

void run_line(hardware::SimulatedCore &core, const std::string &line) {
  std::istringstream fields(line);
  std::string op;
  std::string packet;
  fields >> op >> packet;
  if (op == "reset") {
    core.reset();
    std::printf("0");
  } else if (op == "polynomials") {
    for (const std::uint8_t byte : core.polynomials()) print_hex(byte, 2);
  } else if (op == "state") {
    for (const std::uint8_t byte : core.state()) print_hex(byte, 2);
  } else if (op == "flips") {
    std::string accepted;
    unsigned number = 0;
    std::uint64_t first = 0, last = 0, count = 0;
    std::uint32_t seed = 0;
    std::string in;
    number = static_cast<unsigned>(std::stoul(packet));
    if (!(fields >> in >> accepted >> first >> last >> count >> seed)) {
      throw std::runtime_error("flips OP PACKET ACCEPTED FIRST LAST COUNT SEED");
    }
    const hardware::Flips found =
        core.flips(number, words_of(in), words_of(accepted), first, last, count, seed);
    for (const auto &[name, numbers] : found) {
      std::printf("%s=", name.c_str());
      for (const std::uint64_t one : numbers) {
        std::printf("%llu,", static_cast<unsigned long long>(one));
      }
      std::printf(" ");
    }
  } else if (op == "places") {
    for (const hardware::Place &place : core.places()) std::printf("%s ", place.name.c_str());
  } else {
    const hardware::Result result = core.run(static_cast<unsigned>(std::stoul(op)),
                                             words_of(packet), disturbance_of(core, fields));
    std::printf("%u %llu %d ", result.error, static_cast<unsigned long long>(result.cycles),
                result.last);
    for (const std::uint32_t word : result.out) print_hex(word, 8);
    if (result.out.empty()) std::printf("-");
  }
  std::printf("\n");
  std::fflush(stdout);
}

struct Options {
  unsigned initial = 1;
  std::string coverage;
};

Options options_of(const std::vector<std::string> &arguments) {
  Options options;
  for (const std::string &argument : arguments) {
    if (argument.rfind("initial=", 0) == 0) {
      const char *const end = argument.data() + argument.size();
      const auto [rest, error] = std::from_chars(argument.data() + 8, end, options.initial);
      if (error != std::errc() || rest != end || options.initial < 1 ||
          options.initial > 0x7fffffff) {
        throw std::runtime_error(argument + ": SEED is 1 to 2147483647");
      }
    } else if (argument.rfind("coverage=", 0) == 0) {
      options.coverage = argument.substr(9);
    } else {
      throw std::runtime_error("usage: packets [initial=SEED] [coverage=FILE]");
    }
  }
  return options;
}

}  // namespace

int main(int count, char **arguments) {
  try {
    const Options options = options_of({arguments + 1, arguments + count});
    hardware::SimulatedCore core(options.initial);
    for (std::string line; std::getline(std::cin, line);) run_line(core, line);
    if (!options.coverage.empty()) core.write_coverage(options.coverage);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "packets: %s\n", error.what());
    return 1;
  }
  return 0;
}
