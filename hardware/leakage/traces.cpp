// SPDX-License-Identifier: Apache-2.0 OR MIT
// How many bits of each module's registers change in each clock cycle of an operation, and how far
// that tells two sets of inputs apart: Welch's t for the means (first order) and for the variances
// (second order), by Schneider and Moradi, "Leakage Assessment Methodology", 2015.
//
// usage: traces OP < PACKETS
//   PACKETS  a line for each trace: "0 " or "1 " for its set, and the words of the input packet, 8
//            hex digits each. The first one says how many cycles an operation takes; traces of
//            another length are counted and left out.
//
// The core is wiped before each operation, and its streams never wait. Prints a JSON object:
//   {"cycles", "sets": [n, n], "other_lengths": [n, n], "leaking": {"first": n, "second": n},
//    "modules": {NAME: {"bits", "toggles", "first": ORDER, "second": ORDER}}}
//   ORDER: {"cycles" with |t| above 4.5, "most": the largest |t|, "at": its cycle}; "most" is null
//          where two sets without any variance differ
//   "leaking": cycles in which any module has |t| above 4.5
// registers.hpp, which measure.py writes, has the registers.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "Vkem_core.h"
#include "Vkem_core___024root.h"
#include "registers.hpp"  // MODULES: name, bits, end in the copy; COPY_BYTES; copy_registers()
#include "verilated.h"

namespace {

constexpr double threshold = 4.5;
constexpr std::uint64_t forever = 20'000'000;
constexpr std::size_t modules = sizeof MODULES / sizeof *MODULES;

using Counts = std::vector<std::uint16_t>;  // of a trace: cycle by cycle, of each module

// Sums of the first four powers, exact: 10^5 traces of 2^12 bits are below 2^64.
struct Sums {
  std::uint64_t traces = 0;
  std::vector<std::array<std::uint64_t, 4>> powers;

  void add(const Counts &trace) {
    ++traces;
    for (std::size_t i = 0; i < trace.size(); ++i) {
      std::uint64_t power = 1;
      for (std::uint64_t &sum : powers[i]) sum += power *= trace[i];
    }
  }
};

struct Moments {
  double mean, variance, fourth;  // the fourth about the mean
};

Moments moments_of(const Sums &sums, std::size_t i) {
  const auto n = static_cast<long double>(sums.traces);
  const auto &powers = sums.powers[i];
  const long double a = powers[0] / n, b = powers[1] / n, c = powers[2] / n, d = powers[3] / n;
  const long double variance = b - a * a;
  const long double fourth = d - 4 * a * c + 6 * a * a * b - 3 * a * a * a * a;
  return {static_cast<double>(a), std::max(0.0, static_cast<double>(variance)),
          std::max(0.0, static_cast<double>(fourth))};
}

// Welch's t; infinite if the two differ and none of them varies.
double welch(double one, double its_variance, double other, double others_variance, double n,
             double m) {
  const double spread = its_variance / n + others_variance / m;
  if (std::fabs(one - other) < 1e-9) return 0;
  return spread < 1e-15 ? INFINITY : std::fabs(one - other) / std::sqrt(spread);
}

class Core {
 public:
  Core() {
    context_.randReset(2);
    core_.rst_ni = 0;
    core_.clk_i = 0;
    core_.out_ready_i = 1;
    core_.eval();
    tick();
    tick();
    core_.rst_ni = 1;
    core_.eval();
    wait_until_idle();
  }
  ~Core() {
    core_.final();
  }

  void wipe() {
    constexpr int wipe_operation = 4;
    start(wipe_operation);
    tick();
    core_.start_i = 0;
    core_.eval();
    wait_until_idle();
  }

  void run(int op, const std::vector<std::uint32_t> &in, Counts &trace) {
    std::size_t taken = 0, now = 0;
    trace.clear();
    copy_registers(*core_.rootp, copies_[0]);
    start(op);
    for (std::uint64_t cycle = 0;; ++cycle) {
      if (cycle == forever) throw std::runtime_error("the core does not finish");
      const bool left = taken < in.size();
      core_.in_valid_i = left;
      core_.in_data_i = left ? in[taken] : 0;
      core_.in_last_i = taken + 1 == in.size();
      core_.eval();
      if (core_.done_o) break;
      taken += left && core_.in_ready_o;
      tick();
      core_.start_i = 0;
      now ^= 1;
      copy_registers(*core_.rootp, copies_[now]);
      count(trace);
    }
    if (core_.error_o != 0) throw std::runtime_error("the operation fails");
    core_.in_valid_i = 0;
    tick();
  }

 private:
  void start(int op) {
    core_.op_i = static_cast<std::uint8_t>(op);
    core_.start_i = 1;
    core_.eval();
  }
  void tick() {
    core_.clk_i = 1;
    core_.eval();
    core_.clk_i = 0;
    core_.eval();
  }
  void wait_until_idle() {
    for (std::uint64_t i = 0; core_.busy_o; ++i) {
      if (i == forever) throw std::runtime_error("the core stays busy");
      tick();
    }
  }
  // Appends how many bits of each module differ between the two copies.
  void count(Counts &trace) const {
    std::size_t at = 0;
    for (const Module &module : MODULES) {
      unsigned changed = 0;
      for (; at < module.end; at += 8) {
        std::uint64_t one = 0, other = 0;
        std::memcpy(&one, copies_[0] + at, 8);
        std::memcpy(&other, copies_[1] + at, 8);
        changed += static_cast<unsigned>(__builtin_popcountll(one ^ other));
      }
      trace.push_back(static_cast<std::uint16_t>(changed));
    }
  }

  VerilatedContext context_;
  Vkem_core core_{&context_};
  alignas(8) std::uint8_t copies_[2][COPY_BYTES] = {};
};

struct Order {
  std::uint64_t cycles = 0, at = 0;
  double most = 0;

  void look(double t, std::uint64_t cycle) {
    cycles += t > threshold;
    if (t > most) {
      most = t;
      at = cycle;
    }
  }
  std::string shown() const {
    char text[96];
    std::snprintf(text, sizeof text, std::isinf(most) ? "null" : "%.1f", most);
    return "{\"cycles\": " + std::to_string(cycles) + ", \"most\": " + text +
           ", \"at\": " + std::to_string(at) + "}";
  }
};

void print(const std::array<Sums, 2> &sums, const std::array<std::uint64_t, 2> &other_lengths,
           std::size_t cycles) {
  const auto n = static_cast<double>(sums[0].traces), m = static_cast<double>(sums[1].traces);
  std::printf("{\"cycles\": %zu, \"sets\": [%.0f, %.0f], \"other_lengths\": [%llu, %llu], ", cycles,
              n, m, static_cast<unsigned long long>(other_lengths[0]),
              static_cast<unsigned long long>(other_lengths[1]));
  std::array<std::vector<bool>, 2> leaking{std::vector<bool>(cycles), std::vector<bool>(cycles)};
  std::string shown;
  for (std::size_t module = 0; module < modules; ++module) {
    std::array<Order, 2> orders;
    double toggles = 0;
    for (std::size_t cycle = 0; cycle < cycles; ++cycle) {
      const std::size_t i = cycle * modules + module;
      const Moments one = moments_of(sums[0], i), other = moments_of(sums[1], i);
      toggles += one.mean;
      const auto spread = [](const Moments &of) {
        return std::max(0.0, of.fourth - of.variance * of.variance);
      };
      const std::array<double, 2> found{
          welch(one.mean, one.variance, other.mean, other.variance, n, m),
          welch(one.variance, spread(one), other.variance, spread(other), n, m)};
      for (std::size_t k = 0; k < orders.size(); ++k) {
        orders[k].look(found[k], cycle);
        if (found[k] > threshold) leaking[k][cycle] = true;
      }
    }
    shown += std::string(module == 0 ? "" : ", ") + '"' + MODULES[module].name +
             "\": {\"bits\": " + std::to_string(MODULES[module].bits) +
             ", \"toggles\": " + std::to_string(std::llround(toggles)) +
             ", \"first\": " + orders[0].shown() + ", \"second\": " + orders[1].shown() + "}";
  }
  const auto number = [](const std::vector<bool> &of) {
    return static_cast<long>(std::count(of.begin(), of.end(), true));
  };
  std::printf("\"leaking\": {\"first\": %ld, \"second\": %ld}, \"modules\": {%s}}\n",
              number(leaking[0]), number(leaking[1]), shown.c_str());
}

void run(int op) {
  Core core;
  std::array<Sums, 2> sums;
  std::array<std::uint64_t, 2> other_lengths{};
  std::size_t length = 0;
  Counts trace;
  for (std::string line; std::getline(std::cin, line);) {
    const std::size_t set = line.at(0) == '1';
    std::vector<std::uint32_t> in;
    for (std::size_t i = 2; i < line.size(); i += 8) {
      in.push_back(static_cast<std::uint32_t>(std::stoul(line.substr(i, 8), nullptr, 16)));
    }
    core.wipe();
    core.run(op, in, trace);
    if (length == 0) {
      length = trace.size();
      for (Sums &of : sums) of.powers.resize(length);
    }
    if (trace.size() == length) {
      sums[set].add(trace);
    } else {
      ++other_lengths[set];
    }
  }
  if (sums[0].traces < 2 || sums[1].traces < 2) throw std::runtime_error("too few traces of a set");
  print(sums, other_lengths, length / modules);
}

}  // namespace

int main(int argc, char **argv) {
  try {
    if (argc != 2) throw std::runtime_error("usage: traces OP < PACKETS");
    run(std::stoi(argv[1]));
  } catch (const std::exception &error) {
    std::cerr << "traces: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
