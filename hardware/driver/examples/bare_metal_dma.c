/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The driver without a system, as an example: registers by volatile accesses, packets by a DMA with
   the registers of Vivado's AXI DMA in its simple mode, `done` polled. Not run on hardware by us.

   Set the two addresses. The DMA must see the memory where this program's buffers lie; with a data
   cache in between, replace clean() and invalidate() by what the processor has. */
#include "bike_bus.h"

#ifndef CORE_BASE
#define CORE_BASE 0x43c00000u
#endif
#ifndef DMA_BASE
#define DMA_BASE 0x40400000u
#endif

/* Of each channel: memory to stream at 0x00, stream to memory at 0x30. */
enum { TO_STREAM = 0x00, TO_MEMORY = 0x30 };
enum { DMA_CONTROL = 0x00, DMA_STATUS = 0x04, DMA_ADDRESS = 0x18, DMA_LENGTH = 0x28 };
enum { CONTROL_RUN = 1, CONTROL_RESET = 4, STATUS_IDLE = 2, STATUS_ERRORS = 0x70 };
enum { PATIENCE = 1000000 };

struct dma {
  uintptr_t base;
  bool in, out; /* which channels have a packet */
};

static volatile uint32_t *at(uintptr_t address) {
  return (volatile uint32_t *)address;
}

static uint32_t read32(void *base, uint32_t offset) {
  return *at((uintptr_t)base + offset);
}

static void write32(void *base, uint32_t offset, uint32_t value) {
  *at((uintptr_t)base + offset) = value;
}

static void clean(const void *data, size_t bytes) {
  (void)data, (void)bytes;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static void invalidate(void *data, size_t bytes) {
  (void)data, (void)bytes;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static void start_channel(const struct dma *dma, uintptr_t channel, const void *data,
                          size_t words) {
  *at(dma->base + channel + DMA_CONTROL) = CONTROL_RUN;
  *at(dma->base + channel + DMA_ADDRESS) = (uint32_t)(uintptr_t)data;
  *at(dma->base + channel + DMA_LENGTH) = (uint32_t)(4 * words); /* starts it */
}

static int begin(void *context, const uint32_t *in, size_t in_words, uint32_t *out,
                 size_t out_words) {
  struct dma *dma = context;
  dma->in = in_words != 0;
  dma->out = out_words != 0;
  clean(in, 4 * in_words);
  invalidate(out, 4 * out_words);
  if (dma->out) start_channel(dma, TO_MEMORY, out, out_words);
  if (dma->in) start_channel(dma, TO_STREAM, in, in_words);
  return 0;
}

static bool is_idle(const struct dma *dma, uintptr_t channel) {
  const uint32_t status = *at(dma->base + channel + DMA_STATUS);
  return (status & STATUS_IDLE) != 0 && (status & STATUS_ERRORS) == 0;
}

/* The core is done and its words are on their way; a channel that still waits gets nothing. */
static int end(void *context) {
  struct dma *dma = context;
  bool all = false;
  for (uint32_t i = 0; i < PATIENCE && !all; ++i) {
    all = (!dma->in || is_idle(dma, TO_STREAM)) && (!dma->out || is_idle(dma, TO_MEMORY));
  }
  if (!all) { /* either channel's reset stops both */
    *at(dma->base + DMA_CONTROL) = CONTROL_RESET;
    for (uint32_t i = 0; i < PATIENCE; ++i) {
      if ((*at(dma->base + DMA_CONTROL) & CONTROL_RESET) == 0) break;
    }
  }
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  return all ? 0 : -1;
}

static struct dma dma = {.base = DMA_BASE};
static kem_bus bus = {
    .read32 = read32,
    .write32 = write32,
    .begin = begin,
    .end = end,
    .streams = &dma,
    .limit = 10000000,
};

/* A shared secret from a ciphertext; the status is that of bike_device_decaps(). The driver wipes
   the packets, which are on its stack. */
int decapsulate(uint8_t *shared_secret, const uint8_t *ciphertext, const uint8_t *secret_key);
int decapsulate(uint8_t *shared_secret, const uint8_t *ciphertext, const uint8_t *secret_key) {
  bike_device device;
  bus.registers = (void *)(uintptr_t)CORE_BASE;
  if (!bike_bus_open(&device, &bus)) return BIKE_DEVICE_TRANSPORT;
  return bike_device_decaps(&device, shared_secret, ciphertext, secret_key);
}
