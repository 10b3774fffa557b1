// SPDX-License-Identifier: Apache-2.0 OR MIT
// What a measurement depends on: the processor, the system, the compiler; and the clocks.
#ifndef CODEKEM_CLI_MACHINE_HPP
#define CODEKEM_CLI_MACHINE_HPP

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace codekem {

// True if the processor has a time-stamp counter that read_cycles can read.
bool has_cycle_counter();

// Reads the time-stamp counter after all earlier instructions and before all later ones; 0 where
// there is none. It counts at a constant rate, whatever the clock of the core is at that moment.
std::uint64_t read_cycles();

// Measures the rate of the time-stamp counter, in Hz, in about a twentieth of a second.
std::optional<std::uint64_t> measure_cycle_rate();

// Describes this machine and build; null where something cannot be found out.
nlohmann::ordered_json describe_machine();

}  // namespace codekem

#endif
