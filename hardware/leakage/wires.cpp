// SPDX-License-Identifier: Apache-2.0 OR MIT
// Simulates a core as gates with delays, and tells two sets of traces apart by how often each wire
// changes, glitches too, and by how many wires of a unit change at once. A trace is a bit of a
// vector, so all of them run side by side.
//
// usage: wires NETLIST STIMULUS OPERATION SEED PART PARTS
//   NETLIST   lines of core_wires.py: "delays D...", by wire; "units U...", by wire; "gate Q TABLE
//             PINS..."; "register Q D"; "memory DEPTH WIDTH", its rows that are not zero as "row
//             NUMBER BITS", its ports as "read ENABLE RESET ADDRESS... - DATA...", without a
//             clock "look ADDRESS... - DATA...", and "write ADDRESS... - ENABLES... - DATA...";
//             "input NAME WIRES..."; "output NAME WIRES..."
//   STIMULUS  the number of lanes of the packet, the set of each trace as a vector, and for each
//             lane its bits as vectors; 64-bit words
//
// The core is reset and runs one operation; a word of the packet comes as soon as the last one is
// taken, random words come in each cycle. Traces must take the same time. In one of PARTS cycles,
// that of number PART and so on, a gate gives at a step what its inputs were its delay before, and
// changes are looked at; in the others each gate changes once. Prints a JSON object:
//   {"cycles", "changes": of a wire in a step, "first": {"most": |t|, "at": [cycle, step], "wire"},
//    "above": changes with |t| above LIMIT, "samples": of a unit in a step, "units": {"most", "at",
//    "unit"}, "out": [hex of each trace's lanes, its shares joined]}
// t is Welch's, of the means.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "wires_simulation.hpp"

namespace wires {
namespace {

constexpr std::size_t lane_bits = 64;

// xoshiro256** (Blackman, Vigna), for masks.
class Random {
 public:
  explicit Random(std::uint64_t seed) {
    for (std::uint64_t &one : state_) one = seed = seed * 0x5851F42D4C957F2D + 0x14057B7EF767814F;
    for (int i = 0; i < 64; ++i) next();
  }
  std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9, moved = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= moved;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }
  Vector vector() {
    Vector v;
    for (std::uint64_t &word : v.word) word = next();
    return v;
  }

 private:
  std::array<std::uint64_t, 4> state_{};
};

class Operation {
 public:
  Operation(Simulation &simulation, std::vector<std::vector<Vector>> lanes, std::uint64_t seed)
      : simulation_(simulation), lanes_(std::move(lanes)), random_(seed) {
    for (const char *name :
         {"start_i", "op_i", "abort_i", "wipe_after_i", "in_valid_i", "in_data_i", "in_last_i"}) {
      simulation_.set(name, 0);
    }
    simulation_.set("out_ready_i", 1);
    simulation_.set("random_valid_i", 7);
  }
  // Returns the cycles of the operation, from its start; looks at one of so many.
  std::uint64_t run(std::uint64_t op, std::uint64_t part, std::uint64_t parts) {
    simulation_.set("rst_ni", 0);
    for (int i = 0; i < 4; ++i) cycle(false);
    simulation_.set("rst_ni", 1);
    cycle(false);
    for (std::uint64_t i = 0; simulation_.output("busy_o"); ++i) {
      if (i == forever) throw std::runtime_error("the core stays busy after reset");
      cycle(false);
    }
    simulation_.begin();
    simulation_.set("start_i", 1);
    simulation_.set("op_i", op);
    std::uint64_t cycles = 0;
    std::size_t taken = 0;
    for (; !simulation_.output("done_o"); ++cycles) {
      if (cycles == forever) throw std::runtime_error("the core does not end");
      if (cycles == 1) simulation_.set("start_i", 0);
      const bool left = taken < lanes_.size();
      offer(left, taken);
      cycle(cycles % parts == part);
      taken += left && simulation_.output("in_ready_o");
      if (simulation_.output("out_valid_o")) take();
    }
    for (const Wire wire : simulation_.net().outputs.at("error_o")) {
      if (simulation_.same(wire)) throw std::runtime_error("the operation fails");
    }
    return cycles;
  }
  // The lanes that came out, of each bit a vector.
  std::vector<Vector> out;

 private:
  void offer(bool left, std::size_t taken) {
    simulation_.set("in_valid_i", left);
    simulation_.set("in_last_i", taken + 1 == lanes_.size());
    const std::vector<Wire> &data = simulation_.net().inputs.at("in_data_i");
    for (std::size_t i = 0; i < data.size(); ++i) {
      simulation_.set(data[i], left ? lanes_[taken][i] : Vector{});
    }
  }
  void cycle(bool with_delays) {
    for (const Wire wire : simulation_.net().inputs.at("random_i")) {
      simulation_.set(wire, random_.vector());
    }
    simulation_.cycle(with_delays);
  }
  void take() {
    const std::vector<Wire> &data = simulation_.net().outputs.at("out_data_o");
    for (std::size_t i = 0; i < lane_bits; ++i) {
      out.push_back(simulation_.value(data[i]) ^ simulation_.value(data[i + lane_bits]));
    }
  }

  Simulation &simulation_;
  std::vector<std::vector<Vector>> lanes_;
  Random random_;
};

std::string shown(const Found &found, const char *who) {
  char text[160];
  std::snprintf(text, sizeof text, "{\"most\": %.2f, \"at\": [%llu, %llu], \"%s\": %llu}",
                found.most, static_cast<unsigned long long>(found.cycle),
                static_cast<unsigned long long>(found.step), who,
                static_cast<unsigned long long>(found.who));
  return text;
}

void print(const Simulation &simulation, std::uint64_t cycles, const std::vector<Vector> &out) {
  std::printf(
      "{\"cycles\": %llu, \"changes\": %llu, \"above\": %llu, \"first\": %s, "
      "\"samples\": %llu, \"units\": %s, \"out\": [",
      static_cast<unsigned long long>(cycles), static_cast<unsigned long long>(simulation.changes),
      static_cast<unsigned long long>(simulation.above), shown(simulation.first, "wire").c_str(),
      static_cast<unsigned long long>(simulation.samples), shown(simulation.units, "unit").c_str());
  for (std::size_t trace = 0; trace < 64 * words; ++trace) {
    std::printf(trace == 0 ? "\"" : ", \"");
    for (std::size_t i = 0; i < out.size(); i += 8) {
      unsigned byte = 0;
      for (std::size_t k = 0; k < 8; ++k) {
        byte |= static_cast<unsigned>(out[i + k].word[trace / 64] >> trace % 64 & 1) << k;
      }
      std::printf("%02x", byte);
    }
    std::printf("\"");
  }
  std::printf("]}\n");
}

void run(const std::string &netlist, const std::string &stimulus,
         const std::array<std::uint64_t, 4> &numbers) {
  const auto [op, seed, part, parts] = numbers;
  if (part >= parts) throw std::runtime_error("PART is one of 0 to PARTS - 1");
  std::ifstream file(stimulus, std::ios::binary);
  const auto take = [&file](void *to, std::size_t bytes) {
    if (!file.read(static_cast<char *>(to), static_cast<std::streamsize>(bytes))) {
      throw std::runtime_error("the stimulus is too short");
    }
  };
  std::uint64_t count = 0;
  Vector random_set;
  take(&count, sizeof count);
  take(&random_set, sizeof random_set);
  std::vector<std::vector<Vector>> lanes(count, std::vector<Vector>(2 * lane_bits));
  for (std::vector<Vector> &lane : lanes) take(lane.data(), lane.size() * sizeof(Vector));
  Simulation simulation(read_netlist(netlist), random_set);
  Operation operation(simulation, std::move(lanes), seed);
  const std::uint64_t cycles = operation.run(op, part, parts);
  print(simulation, cycles, operation.out);
}

}  // namespace
}  // namespace wires

int main(int argc, char **argv) {
  try {
    if (argc != 7) {
      throw std::runtime_error("usage: wires NETLIST STIMULUS OPERATION SEED PART PARTS");
    }
    std::array<std::uint64_t, 4> numbers{};
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = std::stoull(argv[3 + i]);
    wires::run(argv[1], argv[2], numbers);
  } catch (const std::exception &error) {
    std::cerr << "wires: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
