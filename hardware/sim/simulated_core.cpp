// SPDX-License-Identifier: Apache-2.0 OR MIT
// Drives the Verilator model of a core; see the header.
#include "simulated_core.hpp"

#include <stdexcept>

#include "Vkem_core.h"
#include "Vkem_core___024root.h"
#include "verilated.h"
#if VM_COVERAGE
#include "verilated_cov.h"
#else
#include "verilated_save.h"
#endif

namespace hardware {

namespace {
#if !VM_COVERAGE
// Collects what Verilator would save to a file.
class StateWriter final : public VerilatedSerialize {
 public:
  void flush() override {
    bytes.insert(bytes.end(), m_bufp, m_cp);
    m_cp = m_bufp;
  }
  std::vector<std::uint8_t> bytes;
};
#endif

constexpr std::uint64_t forever = 20'000'000;  // more cycles than any operation of any preset
}  // namespace

SimulatedCore::SimulatedCore(unsigned seed) : context_(std::make_unique<VerilatedContext>()) {
  context_->randReset(2);  // random values, before the model is made
  context_->randSeed(static_cast<int>(seed));
  core_ = std::make_unique<Vkem_core>(context_.get());
  reset();
}

SimulatedCore::~SimulatedCore() { core_->final(); }

void SimulatedCore::tick() {
  core_->clk_i = 1;
  core_->eval();
  core_->clk_i = 0;
  core_->eval();
}

void SimulatedCore::release_inputs() {
  core_->start_i = 0;
  core_->op_i = 0;
  core_->in_valid_i = 0;
  core_->in_data_i = 0;
  core_->in_last_i = 0;
  core_->out_ready_i = 0;
}

void SimulatedCore::reset() {
  release_inputs();
  core_->rst_ni = 0;
  core_->clk_i = 0;
  core_->eval();
  tick();
  tick();
  core_->rst_ni = 1;
  core_->eval();
  for (std::uint64_t i = 0; core_->busy_o; ++i) {
    if (i == forever) throw std::runtime_error("the core stays busy after reset");
    tick();
  }
}

Result SimulatedCore::run(unsigned op, const std::vector<std::uint32_t> &in,
                          const Disturbance &disturbance) {
  Result result{};
  std::uint32_t random = disturbance.pauses;
  const auto pause = [&random] {  // xorshift; half of the cycles
    random ^= random << 13;
    random ^= random >> 17;
    random ^= random << 5;
    return (random & 1) != 0;
  };
  std::size_t taken = 0;
  core_->op_i = op;
  core_->start_i = 1;
  for (;; ++result.cycles) {
    if (result.cycles == forever) throw std::runtime_error("the core does not finish");
    if (disturbance.stop_at != 0 && result.cycles == disturbance.stop_at) {
      reset();
      return result;
    }
    const bool left = taken < in.size();
    core_->in_valid_i = left && !pause();
    core_->in_data_i = left ? in[taken] : 0;
    core_->in_last_i = taken + 1 == in.size();
    core_->out_ready_i = !pause();
    core_->eval();
    if (core_->done_o) break;
    if (core_->in_valid_i && core_->in_ready_o) ++taken;
    if (core_->out_valid_o && core_->out_ready_i) {
      result.out.push_back(core_->out_data_o);
      result.last = core_->out_last_o;
    }
    tick();
    core_->start_i = disturbance.start_again != 0 && result.cycles + 1 == disturbance.start_again;
    core_->op_i = ~op & 7U;  // it counts in the cycle of the start only
  }
  result.error = core_->error_o;
  release_inputs();
  tick();
  return result;
}

void SimulatedCore::write_coverage(const std::string &path) const {
#if VM_COVERAGE
  context_->coveragep()->write(path);
#else
  throw std::runtime_error("this core was built without coverage, there is nothing to write to " +
                           path);
#endif
}

std::vector<std::uint8_t> SimulatedCore::polynomials() const {
  const auto &memory = core_->rootp->KEM_SLOTS;  // its name, by sim/build.py
  const auto *bytes = reinterpret_cast<const std::uint8_t *>(&memory);
  return {bytes, bytes + sizeof memory};
}

std::vector<std::uint8_t> SimulatedCore::state() {
#if VM_COVERAGE
  throw std::runtime_error("a core built with coverage does not tell its state");
#else
  release_inputs();
  core_->eval();
  StateWriter writer;
  writer << *core_;
  writer.flush();
  return writer.bytes;
#endif
}

}  // namespace hardware
