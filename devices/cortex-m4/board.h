/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The board of the tests: MPS2 with image AN386, as QEMU emulates it.
 *
 * Text goes in and out by semihosting; a real board would use a serial port. Time is a timer of
 * 25 MHz that QEMU, told to let every instruction take 64 ns (-icount shift=6), advances by exactly
 * 8/5 for each instruction: so the timer counts instructions.
 */
#ifndef CODEKEM_EMBEDDED_BOARD_H
#define CODEKEM_EMBEDDED_BOARD_H

#include <stddef.h>
#include <stdint.h>

/* The program. The exit status of the emulator is what it returns. */
int main(void);

/* Reads at most size bytes of standard input. Returns how many; 0 at the end. */
size_t board_read(char *buffer, size_t size);

/* Writes length bytes to standard output. */
void board_write(const char *text, size_t length);

/* Ends the emulator. */
_Noreturn void board_exit(int status);

/* Starts the timer afresh. */
void board_timer_start(void);

/* Returns the instructions since the timer was started, at most 2.6 thousand million. */
uint32_t board_timer_read(void);

/* The end of the static data, below which the stack must not grow. */
extern uint32_t bss_end[];

#endif
