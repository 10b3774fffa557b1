// SPDX-License-Identifier: Apache-2.0 OR MIT
// The simulated system on a chip: a program in its RAM, bytes in and out.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

class Vsoc;
class VerilatedContext;

namespace hardware {

class SimulatedSoc {
 public:
  // Where the program's input comes from: returns a byte, or no_input, or input_ended. It is asked
  // when the program looks for input.
  static constexpr int no_input = -1;
  static constexpr int input_ended = -2;
  using Source = std::function<int()>;
  using Sink = std::function<void(std::uint8_t)>;

  // Puts the program (the RAM from address 0) into the RAM and resets the system; throws
  // std::runtime_error if it does not fit. All other memory is random.
  SimulatedSoc(const std::vector<std::uint8_t> &program, Source source, Sink sink);
  ~SimulatedSoc();

  // One clock cycle; returns false when the program has ended.
  bool step();
  int status() const {
    return status_;
  }
  std::uint64_t cycles() const {
    return cycles_;
  }
  // The bytes of the RAM.
  std::vector<std::uint8_t> memory() const;

 private:
  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Vsoc> soc_;
  Source source_;
  Sink sink_;
  std::uint64_t cycles_ = 0;
  int status_ = -1;
};

// Reads a file; throws std::runtime_error if it cannot.
std::vector<std::uint8_t> read_program(const std::string &path);

}  // namespace hardware
