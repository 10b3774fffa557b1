// SPDX-License-Identifier: Apache-2.0 OR MIT
// Runs operations of the Verilator model of a core: packets in, packets out, cycles counted.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

class Vkem_core;
class VerilatedContext;

namespace hardware {

enum class Operation : std::uint8_t { keygen = 1, encaps = 2, decaps = 3, wipe = 4 };

struct Result {
  unsigned error = 0;                 // err_e of kem_pkg.sv
  std::uint64_t cycles = 0;           // from the start to done_o, or from the abort
  std::vector<std::uint32_t> out;   // the output packet
  bool last = false;                // its last word was marked so
};

// A bit of a register or of a memory of the model.
struct Place {
  std::string name;         // "u_shell.u_control.state_q", below the core
  std::uint8_t *byte = nullptr;
  unsigned bit = 0;
};

// What a test may do to an operation; times in cycles from the start.
struct Disturbance {
  std::uint32_t pauses = 0;        // seed of random pauses of both streams; 0: none
  std::uint64_t stop_at = 0;       // reset then, and return; 0: do not
  std::uint64_t start_again = 0;   // a second start then; 0: none
  std::uint64_t abort_at = 0;      // an abort then; 0: none
  std::uint64_t words = ~0ULL;     // of the packet that come; then the stream stands still
  bool blocked = false;            // no word of the output is taken
  bool wipe_after = false;         // the option of that name
  std::uint64_t flip_at = 0;       // in this cycle the bit below flips; 0: none does
  Place flip;
};

// What became of an operation in which one bit flipped.
enum class Fate : std::uint8_t {
  same,      // the result is that of an undisturbed one
  accepted,  // it is the one that must not come out
  other,     // it is another one, or of another length
  upset,     // it was found: error 7, and the core wipes itself
  failed,    // another error
  hung,      // it stood still until a watchdog aborted it
  lost,      // no watchdog ends it: words come for ever, or an abort does not end it
};
// How often, for each register with bits that flipped.
using Flips = std::map<std::string, std::array<std::uint64_t, 7>>;

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
  // Runs an operation many times, each time with one bit of places() that flips in a cycle from
  // first to last: `count` of them, drawn by seed, or with 0 each bit in each cycle. accepted: the
  // packet that must not come out. last 0: to the end. A run ends as soon as the core comes into a
  // state whose end is known, which makes all bits in all cycles a matter of minutes. Throws
  // std::runtime_error if the undisturbed one fails.
  Flips flips(unsigned op, const std::vector<std::uint32_t> &in,
              const std::vector<std::uint32_t> &accepted, std::uint64_t first, std::uint64_t last,
              std::uint64_t count, std::uint32_t seed);
  // The bits of the registers of these modules that can be flipped (sim/public.vlt), by the names
  // of their instances.
  std::vector<Place> places() const;
  // The polynomial memory, lowest word first.
  std::vector<std::uint8_t> polynomials() const;
  // Everything that the model holds, all registers and memories, while its inputs are zero: two
  // cores with the same state behave the same from then on, and anything that is not in this state
  // is nowhere in the core.
  std::vector<std::uint8_t> state();

 private:
  struct Course;  // how far an operation has come
  class Fates;    // of the states that were met

  void tick();
  void release_inputs();
  bool advance(Course &course, const std::vector<std::uint32_t> &in, bool abort);
  Fate fate_of(Course &course, const std::vector<std::uint32_t> &in, std::uint64_t end,
               Fates &fates);

  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Vkem_core> core_;
};

}  // namespace hardware
