// SPDX-License-Identifier: Apache-2.0 OR MIT
// Drives the Verilator model of bike_axi or hqc_axi as a processor with DMA or FIFOs would; see the
// header.
#include "simulated_bus.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "Vkem_axi.h"
#include "verilated.h"

namespace {

constexpr unsigned patience = 1'000'000;  // cycles, more than any operation and any answer

class Bus {
 public:
  kem_bus bus{};
  kem_device device{};
  unsigned waits = 0;
  std::vector<std::uint32_t> in_copy, out_copy;  // where the DMA reads and writes

  explicit Bus(int way, std::uint32_t limit) {
    context_->randReset(2);
    axi_ = std::make_unique<Vkem_axi>(context_.get());
    fifo_.put = put;
    fifo_.take = take;
    fifo_.context = this;
    bus.read32 = read32;
    bus.write32 = write32;
    bus.registers = this;
    bus.limit = limit;
    if (way == KEM_BUS_SIMULATED_DMA) {
      bus.begin = dma_begin;
      bus.end = dma_end;
      bus.streams = this;
    } else {
      bus.begin = kem_fifo_begin;
      bus.progress = kem_fifo_progress;
      bus.end = kem_fifo_end;
      bus.streams = &fifo_;
    }
    if (way != KEM_BUS_SIMULATED_FIFO) {
      bus.wait = wait;
      bus.interrupt = this;
    }
    reset();
  }
  ~Bus() { axi_->final(); }
  Bus(const Bus &) = delete;
  Bus &operator=(const Bus &) = delete;

  void reset() {
    axi_->s_axil_awvalid = axi_->s_axil_wvalid = axi_->s_axil_bready = axi_->s_axil_arvalid = 0;
    axi_->s_axil_rready = axi_->s_axis_tvalid = axi_->m_axis_tready = 0;
    axi_->aresetn = 0;
    for (int i = 0; i < 3; ++i) tick();
    axi_->aresetn = 1;
    while ((read32(this, 0x18) & 1) != 0) {
    }
  }

 private:
  // One clock cycle; the DMA moves a word of each stream in it.
  void tick() {
    const bool sending = sent_ < in_copy.size() && dma_;
    if (dma_) {
      axi_->s_axis_tvalid = sending;
      axi_->s_axis_tdata = sending ? in_copy[sent_] : 0;
      axi_->s_axis_tlast = sent_ + 1 == in_copy.size();
      axi_->m_axis_tready = 1;
      axi_->eval();
      if (sending && axi_->s_axis_tready) ++sent_;
      if (axi_->m_axis_tvalid) {
        if (received_ < out_copy.size()) out_copy[received_] = axi_->m_axis_tdata;
        ++received_;
      }
    }
    axi_->aclk = 0;
    axi_->eval();
    axi_->aclk = 1;
    axi_->eval();
  }

  static std::uint32_t read32(void *context, std::uint32_t offset) {
    auto *self = static_cast<Bus *>(context);
    auto &axi = *self->axi_;
    axi.s_axil_araddr = offset;
    axi.s_axil_arvalid = 1;
    while (!axi.s_axil_arready) self->tick();
    self->tick();
    axi.s_axil_arvalid = 0;
    axi.s_axil_rready = 1;
    while (!axi.s_axil_rvalid) self->tick();
    const std::uint32_t value = axi.s_axil_rdata;
    self->tick();
    axi.s_axil_rready = 0;
    return value;
  }

  static void write32(void *context, std::uint32_t offset, std::uint32_t value) {
    auto *self = static_cast<Bus *>(context);
    auto &axi = *self->axi_;
    axi.s_axil_awaddr = offset;
    axi.s_axil_wdata = value;
    axi.s_axil_wstrb = 15;
    axi.s_axil_awvalid = axi.s_axil_wvalid = 1;
    while (axi.s_axil_awvalid || axi.s_axil_wvalid) {
      const bool address = axi.s_axil_awready;
      const bool data = axi.s_axil_wready;
      self->tick();
      if (address) axi.s_axil_awvalid = 0;
      if (data) axi.s_axil_wvalid = 0;
    }
    axi.s_axil_bready = 1;
    while (!axi.s_axil_bvalid) self->tick();
    self->tick();
    axi.s_axil_bready = 0;
  }

  static bool put(void *context, std::uint32_t word, bool last) {
    auto *self = static_cast<Bus *>(context);
    if (!self->axi_->s_axis_tready) return false;
    self->axi_->s_axis_tdata = word;
    self->axi_->s_axis_tlast = last;
    self->axi_->s_axis_tvalid = 1;
    self->tick();
    self->axi_->s_axis_tvalid = 0;
    return true;
  }

  static bool take(void *context, std::uint32_t *word) {
    auto *self = static_cast<Bus *>(context);
    if (!self->axi_->m_axis_tvalid) return false;
    *word = self->axi_->m_axis_tdata;
    self->axi_->m_axis_tready = 1;
    self->tick();
    self->axi_->m_axis_tready = 0;
    return true;
  }

  static int wait(void *context) {
    auto *self = static_cast<Bus *>(context);
    ++self->waits;
    for (unsigned i = 0; i < patience && !self->axi_->irq; ++i) self->tick();
    return self->axi_->irq ? 0 : -1;
  }

  static int dma_begin(void *context, const std::uint32_t *in, std::size_t in_words,
                       std::uint32_t *out, std::size_t out_words) {
    auto *self = static_cast<Bus *>(context);
    self->in_copy.assign(in, in + in_words);
    self->out_copy.assign(out_words, 0);
    self->out_ = out;
    self->sent_ = self->received_ = 0;
    self->dma_ = true;
    return 0;
  }

  static int dma_end(void *context) {
    auto *self = static_cast<Bus *>(context);
    self->dma_ = false;
    self->axi_->s_axis_tvalid = self->axi_->m_axis_tready = 0;
    const bool all =
        self->sent_ == self->in_copy.size() && self->received_ == self->out_copy.size();
    if (all) std::copy(self->out_copy.begin(), self->out_copy.end(), self->out_);
    std::fill(self->in_copy.begin(), self->in_copy.end(), 0);
    std::fill(self->out_copy.begin(), self->out_copy.end(), 0);
    return all ? 0 : -1;
  }

  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  std::unique_ptr<Vkem_axi> axi_;
  kem_fifo fifo_{};
  bool dma_ = false;
  std::size_t sent_ = 0, received_ = 0;
  std::uint32_t *out_ = nullptr;
};

Bus *of(kem_bus *bus) { return static_cast<Bus *>(bus->registers); }

}  // namespace

kem_bus *kem_bus_simulated_open(int way, uint32_t limit) {
  try {
    return &(new Bus(way, limit))->bus;
  } catch (const std::exception &) {  // nothing may pass C code
    return nullptr;
  }
}

void kem_bus_simulated_close(kem_bus *bus) { delete of(bus); }

void kem_bus_simulated_reset(kem_bus *bus) { of(bus)->reset(); }

kem_device *kem_bus_simulated_device(kem_bus *bus) {
  return KEM_BUS_OPEN(&of(bus)->device, bus) ? &of(bus)->device : nullptr;
}

bool kem_bus_simulated_is_wiped(kem_bus *bus) {
  const auto zero = [](std::uint32_t word) { return word == 0; };
  return std::all_of(of(bus)->in_copy.begin(), of(bus)->in_copy.end(), zero) &&
         std::all_of(of(bus)->out_copy.begin(), of(bus)->out_copy.end(), zero);
}

unsigned kem_bus_simulated_waits(kem_bus *bus) { return of(bus)->waits; }
