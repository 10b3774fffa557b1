// SPDX-License-Identifier: Apache-2.0 OR MIT
// Runs operations of the Verilator model of a core: packets in, packets out, cycles counted.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

class Vkem_core;
class VerilatedContext;

namespace hardware {

enum class Operation : std::uint8_t { keygen = 1, encaps = 2, decaps = 3, wipe = 4 };

struct Result {
  unsigned error = 0;                 // err_e of kem_pkg.sv
  std::uint64_t cycles = 0;           // from the start to done_o
  std::vector<std::uint32_t> out;   // the output packet
  bool last = false;                // its last word was marked so
};

// What a test may do to an operation; times in cycles from the start.
struct Disturbance {
  std::uint32_t pauses = 0;        // seed of random pauses of both streams; 0: none
  std::uint64_t stop_at = 0;       // reset then, and return; 0: do not
  std::uint64_t start_again = 0;   // a second start then; 0: none
};

class SimulatedCore {
 public:
  // Registers and memories begin with random values, as after power-up; seed: 1 to 2^31 - 1.
  explicit SimulatedCore(unsigned seed = 1);
  ~SimulatedCore();
  SimulatedCore(const SimulatedCore &) = delete;
  SimulatedCore &operator=(const SimulatedCore &) = delete;

  // Resets the core and waits until it has wiped itself.
  void reset();
  // Runs an operation on an input packet; throws std::runtime_error if it takes forever.
  Result run(unsigned op, const std::vector<std::uint32_t> &in,
             const Disturbance &disturbance = {});
  // Writes what was covered so far, in a build that counts it; throws std::runtime_error otherwise.
  void write_coverage(const std::string &path) const;
  // The polynomial memory, lowest word first.
  std::vector<std::uint8_t> polynomials() const;
  // Everything that the model holds, all registers and memories, while its inputs are zero: two
  // cores with the same state behave the same from then on, and anything that is not in this state
  // is nowhere in the core.
  std::vector<std::uint8_t> state();

 private:
  void tick();
  void release_inputs();

  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Vkem_core> core_;
};

}  // namespace hardware
