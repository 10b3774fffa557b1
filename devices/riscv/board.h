/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The system of hardware/soc: bytes in and out, time, and the KEM cores behind their driver. */
#ifndef CODEKEM_RISCV_BOARD_H
#define CODEKEM_RISCV_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kem_bus.h"

/* The program. The simulation ends with the status that it returns. */
int main(void);

/* Reads length bytes of input, waiting for them; returns false if the input ends before. */
bool board_read(void *buffer, size_t length);

/* Sends length bytes. */
void board_write(const void *bytes, size_t length);

/* Ends the simulation. */
_Noreturn void board_exit(int status);

/* Returns the lowest 32 bits of the clock cycles since the reset. */
uint32_t board_time(void);

/* How the driver waits for a core. */
enum board_waiting { BOARD_INTERRUPT, BOARD_POLLING };

/* Makes a device of the core for the KEM whose name begins with `scheme`, "BIKE" or "HQC", on the
 * system's bus: packets go by DMA from and to where the caller has the keys, so there are no copies
 * of them. The last bus that was opened is in use. Returns false if the system has no such core. */
bool board_core(kem_device *device, const char *scheme, enum board_waiting waiting);

/* Returns the clock cycles of the last operation of the core that was opened last. */
uint32_t board_core_cycles(void);

/* The end of the static data, below which the stack must not grow. */
extern uint32_t bss_end[];

#endif
