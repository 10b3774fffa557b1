/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Start-up code, semihosting and the timer [Arm-AN386], [Arm-semihosting]. */
#include "board.h"

#include <string.h>

extern uint32_t stack_top[], data_start[], data_end[], data_image[], bss_start[];

_Noreturn void board_reset(void);

static _Noreturn void fault(void) {
  static const char text[] = "fault: the processor took an exception\n";

  board_write(text, sizeof text - 1);
  board_exit(3);
}

/* The first words of the memory: the stack, the entry, and the exceptions that can happen here. */
struct vectors {
  uint32_t *stack;
  void (*entries[15])(void);
};

__attribute__((section(".vectors"), used)) static const struct vectors vectors = {
    stack_top,
    {board_reset, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault,
     fault, fault, fault},
};

_Noreturn void board_reset(void) {
  memcpy(data_start, data_image, (size_t)((uintptr_t)data_end - (uintptr_t)data_start));
  memset(bss_start, 0, (size_t)((uintptr_t)bss_end - (uintptr_t)bss_start));
  board_exit(main());
}

/* Operations of semihosting. */
#define SYS_OPEN 0x01
#define SYS_WRITE 0x05
#define SYS_READ 0x06
#define SYS_EXIT_EXTENDED 0x20
#define MODE_READ 0
#define MODE_WRITE 4
#define STOPPED_APPLICATION_EXIT 0x20026

/* Asks the emulator or the debugger for an operation. */
static uint32_t semihosting(uint32_t operation, const uint32_t *arguments) {
  register uint32_t r0 __asm__("r0") = operation;
  register const uint32_t *r1 __asm__("r1") = arguments;

  __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

/* Opens the console; the handle for each mode stays the same. */
static uint32_t console(uint32_t mode) {
  static const char name[] = ":tt";
  static uint32_t handles[2];
  uint32_t *handle = &handles[mode == MODE_READ];

  if (*handle == 0) {
    const uint32_t arguments[3] = {(uint32_t)(uintptr_t)name, mode, sizeof name - 1};
    *handle = semihosting(SYS_OPEN, arguments) + 1;
  }
  return *handle - 1;
}

size_t board_read(char *buffer, size_t size) {
  const uint32_t arguments[3] = {console(MODE_READ), (uint32_t)(uintptr_t)buffer, size};

  return size - semihosting(SYS_READ, arguments);
}

void board_write(const char *text, size_t length) {
  const uint32_t arguments[3] = {console(MODE_WRITE), (uint32_t)(uintptr_t)text, length};

  semihosting(SYS_WRITE, arguments);
}

_Noreturn void board_exit(int status) {
  const uint32_t arguments[2] = {STOPPED_APPLICATION_EXIT, (uint32_t)status};

  semihosting(SYS_EXIT_EXTENDED, arguments);
  for (;;) {
  }
}

/* Timer 0 of the CMSDK counts down from the reload value. */
#define TIMER_CONTROL (*(volatile uint32_t *)0x40000000)
#define TIMER_VALUE (*(volatile uint32_t *)0x40000004)
#define TIMER_RELOAD (*(volatile uint32_t *)0x40000008)

void board_timer_start(void) {
  TIMER_CONTROL = 0;
  TIMER_RELOAD = UINT32_MAX;
  TIMER_VALUE = UINT32_MAX;
  TIMER_CONTROL = 1;
}

uint32_t board_timer_read(void) {
  const uint64_t ticks = UINT32_MAX - TIMER_VALUE; /* 8/5 of the instructions, rounded up */

  return (uint32_t)(ticks * 5 / 8);
}
