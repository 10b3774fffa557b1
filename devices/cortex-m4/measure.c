/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Counts the instructions and the stack of a call. The stack is painted before the call; what lost
 * its paint was used. */
#include "measure.h"

#include "board.h"

#define PAINT 0xC0DEC0DEu
/* Red zone around the stack pointer of the function that paints. */
#define MARGIN_WORDS 64
/* No call takes more. */
#define PAINTED_BYTES 0x100000u

static void nothing(void *context) {
  (void)context;
}

/* The instructions between start and reading of the timer, with the call between. */
static __attribute__((noinline)) uint32_t count(void (*call)(void *context), void *context) {
  board_timer_start();
  call(context);
  return board_timer_read();
}

static uint32_t *stack_pointer(void) {
  uint32_t *sp;

  __asm__ volatile("mov %0, sp" : "=r"(sp));
  return sp;
}

struct measurement measure(void (*call)(void *context), void *context) {
  volatile uint32_t *const top = stack_pointer();
  volatile uint32_t *lowest = top - PAINTED_BYTES / sizeof(uint32_t);
  struct measurement result;

  if (lowest < bss_end) {
    lowest = bss_end;
  }
  const uint32_t overhead = count(nothing, context);
  for (volatile uint32_t *word = lowest; word < top - MARGIN_WORDS; word++) {
    *word = PAINT;
  }
  result.instructions = count(call, context) - overhead;
  while (lowest < top && *lowest == PAINT) {
    lowest++;
  }
  result.stack_bytes = (uint32_t)((uintptr_t)top - (uintptr_t)lowest);
  return result;
}
