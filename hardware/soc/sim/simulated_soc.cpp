// SPDX-License-Identifier: Apache-2.0 OR MIT
// The simulated system on a chip; see the header.
#include "simulated_soc.hpp"

#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>

#include "Vsoc.h"
#include "Vsoc___024root.h"
#include "verilated.h"

namespace hardware {

std::vector<std::uint8_t> read_program(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file || bytes.empty()) throw std::runtime_error(path + " cannot be read");
  return bytes;
}

SimulatedSoc::SimulatedSoc(const std::vector<std::uint8_t> &program, Source source, Sink sink)
    : context_(std::make_unique<VerilatedContext>()),
      soc_(std::make_unique<Vsoc>(context_.get())),
      source_(std::move(source)),
      sink_(std::move(sink)) {
  auto &ram = soc_->rootp->soc__DOT__u_ram__DOT__mem;
  constexpr std::size_t words = sizeof(ram) / sizeof(ram[0]);
  if (program.size() > 4 * words) {
    throw std::runtime_error("the program has " + std::to_string(program.size()) +
                             " bytes, the RAM " + std::to_string(4 * words));
  }
  std::minstd_rand random(1);
  for (std::size_t i = 0; i < words; ++i) ram[i] = static_cast<std::uint32_t>(random());
  for (std::size_t i = 0; i < program.size(); ++i) {
    const unsigned shift = 8 * (i % 4);
    ram[i / 4] = (ram[i / 4] & ~(0xffu << shift)) | std::uint32_t{program[i]} << shift;
  }
  soc_->out_ready_i = 1;
  soc_->in_valid_i = soc_->in_ended_i = soc_->in_data_i = 0;
  soc_->rst_ni = 0;
  for (int i = 0; i < 8; ++i) {
    soc_->clk_i = 0;
    soc_->eval();
    soc_->clk_i = 1;
    soc_->eval();
  }
  soc_->rst_ni = 1;
}

SimulatedSoc::~SimulatedSoc() {
  soc_->final();
}

bool SimulatedSoc::step() {
  ++cycles_;
  soc_->clk_i = 0;
  soc_->eval();
  // The program takes a byte in the cycle in which it reads the register, so it must be there.
  const bool asked = soc_->in_ready_o;
  if (asked) {
    const int next = source_();
    soc_->in_valid_i = next >= 0;
    soc_->in_data_i = static_cast<std::uint8_t>(next >= 0 ? next : 0);
    soc_->in_ended_i = next == input_ended;
    soc_->eval();
  }
  if (soc_->out_valid_o) sink_(soc_->out_data_o);
  const bool ends = soc_->exit_o;
  if (ends) status_ = soc_->exit_status_o;
  soc_->clk_i = 1;
  soc_->eval();
  return !ends;
}

std::vector<std::uint8_t> SimulatedSoc::memory() const {
  const auto &ram = soc_->rootp->soc__DOT__u_ram__DOT__mem;
  std::vector<std::uint8_t> bytes;
  bytes.reserve(sizeof(ram));
  for (std::size_t i = 0; i < sizeof(ram) / sizeof(ram[0]); ++i) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
      bytes.push_back(static_cast<std::uint8_t>(ram[i] >> shift));
    }
  }
  return bytes;
}

}  // namespace hardware
