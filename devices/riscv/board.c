/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The system's registers, its DMA and its interrupts; docs/results/soc-registers.md lists them. */
#include "board.h"

#include <string.h>

#include "bike_bus.h"
#include "hqc_bus.h"
#include "soc_map.h"
#include "soc_registers.h"

#define SOC(name) (*(volatile uint32_t *)(SYSTEM_SOC + offsetof(soc_t, name)))

/* Cycles in which any operation of any core has long ended. */
#define PATIENCE 100000000u

/* Interrupts of the processor: those of the cores, and the timer's. */
#define EXTERNAL (1u << 11)
#define TIMER (1u << 7)

void board_write(const void *bytes, size_t length) {
  const uint8_t *next = bytes;

  for (; length > 0; length--) {
    while ((SOC(OUTPUT_STATUS) & SOC__OUTPUT_STATUS__ROOM_bm) == 0) {
    }
    SOC(OUTPUT) = *next++;
  }
}

bool board_read(void *buffer, size_t length) {
  uint8_t *next = buffer;

  while (length > 0) {
    const uint32_t input = SOC(INPUT);
    if ((input & SOC__INPUT__VALID_bm) != 0) {
      *next++ = (uint8_t)input;
      length--;
    } else if ((input & SOC__INPUT__ENDED_bm) != 0) {
      return false;
    }
  }
  return true;
}

_Noreturn void board_exit(int status) {
  SOC(EXIT) = (uint32_t)status & SOC__EXIT__STATUS_bm;
  for (;;) {
  }
}

uint32_t board_time(void) {
  return SOC(TIME);
}

static void write_hex(uint32_t number) {
  static const char digits[] = "0123456789abcdef";

  for (int shift = 28; shift >= 0; shift -= 4) {
    board_write(&digits[number >> shift & 15], 1);
  }
}

_Noreturn void board_trapped(uint32_t cause, uint32_t address);

_Noreturn void board_trapped(uint32_t cause, uint32_t address) {
  static const char text[] = "\nfault: exception ", at[] = " at ";

  board_write(text, sizeof text - 1);
  write_hex(cause);
  board_write(at, sizeof at - 1);
  write_hex(address);
  board_write("\n", 1);
  board_exit(3);
}

/* --- The cores -------------------------------------------------------------------------------- */

static uint32_t read32(void *registers, uint32_t offset) {
  return *(volatile uint32_t *)((uintptr_t)registers + offset);
}

static void write32(void *registers, uint32_t offset, uint32_t value) {
  *(volatile uint32_t *)((uintptr_t)registers + offset) = value;
}

static uint32_t length_and_end(size_t length, bool last) {
  return (uint32_t)length | (last ? SOC__DMA_IN__LAST_bm : 0);
}

/* The data cache writes through: what the DMA reads is in the RAM. */
static int begin_fields(void *streams, const kem_in_field *in, size_t in_fields,
                        const kem_out_field *out, size_t out_fields) {
  SOC(DMA_CONTROL) = *(const uint32_t *)streams;
  for (size_t i = 0; i < out_fields; i++) {
    SOC(DMA_OUT_ADDRESS) = (uint32_t)(uintptr_t)out[i].bytes;
    SOC(DMA_OUT) = length_and_end(out[i].length, i + 1 == out_fields);
  }
  for (size_t i = 0; i < in_fields; i++) {
    SOC(DMA_IN_ADDRESS) = (uint32_t)(uintptr_t)in[i].bytes;
    SOC(DMA_IN) = length_and_end(in[i].length, i + 1 == in_fields);
  }
  return (SOC(DMA_STATUS) & SOC__DMA_STATUS__REFUSED_bm) == 0 ? 0 : -1;
}

static int begin(void *streams, const uint32_t *in, size_t in_words, uint32_t *out,
                 size_t out_words) {
  const kem_in_field given = {(const uint8_t *)in, 4 * in_words};
  const kem_out_field taken = {(uint8_t *)out, 4 * out_words};

  return begin_fields(streams, &given, in_words != 0, &taken, out_words != 0);
}

/* The core is done. Its words are in the RAM; a word that the cache still holds may be older. */
static int end(void *streams) {
  const uint32_t status = SOC(DMA_STATUS);

  __asm__ volatile(".word 0x500f" : : : "memory"); /* VexRiscv: empties the data cache */
  if (status == 0) {
    return 0;
  }
  SOC(DMA_CONTROL) = *(const uint32_t *)streams | SOC__DMA_CONTROL__ABORT_bm;
  return -1;
}

/* Sleeps until a core or the timer raises its interrupt. They are not taken (mstatus.MIE is 0). */
static int wait(void *interrupt) {
  uint32_t pending;

  (void)interrupt;
  SOC(ALARM) = SOC(TIME) + PATIENCE;
  SOC(ALARM_CONTROL) = SOC__ALARM_CONTROL__ENABLE_bm;
  __asm__ volatile(
      ".option push\n"
      ".option arch, +zicsr\n" /* the compiler does not know that the processor has them */
      "csrw 0xbc0, %1\n" /* VexRiscv: which of the cores' interrupts count */
      "csrw mie, %2\n"
      "wfi\n"
      "csrr %0, mip\n"
      ".option pop\n"
      : "=r"(pending)
      : "r"(UINT32_MAX), "r"(EXTERNAL | TIMER)
      : "memory");
  SOC(ALARM_CONTROL) = 0;
  return (pending & EXTERNAL) != 0 ? 0 : -1;
}

static kem_bus bus;

bool board_core(kem_device *device, const char *scheme, enum board_waiting waiting) {
  static uint32_t stream;
  const bool is_hqc = strncmp(scheme, "HQC", 3) == 0;

  stream = is_hqc ? SOC__DMA_CONTROL__CORE_bm : 0;
  if ((SOC(CORES) & (is_hqc ? SOC__CORES__HQC_bm : SOC__CORES__BIKE_bm)) == 0) {
    return false;
  }
  bus = (kem_bus){
      .read32 = read32,
      .write32 = write32,
      .registers = (void *)(is_hqc ? SYSTEM_HQC : SYSTEM_BIKE), /* NOLINT: an address of the map */
      .begin = begin,
      .begin_fields = begin_fields,
      .end = end,
      .streams = &stream,
      .wait = waiting == BOARD_INTERRUPT ? wait : NULL,
      .limit = PATIENCE / 16,
  };
  return is_hqc ? hqc_bus_open(device, &bus) : bike_bus_open(device, &bus);
}

uint32_t board_core_cycles(void) {
  return kem_bus_cycles(&bus);
}
