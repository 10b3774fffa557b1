/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The time of instructions during a call [Arm ARM, C5.2, DIT]. */
#include "base/entry.h"

#if defined(__aarch64__) && !defined(__FRAMAC__)

#include <stdatomic.h>

#include "base/cpu.h"

#define DIT_BIT (UINT64_C(1) << 24)

/* Assemblers know the register's name only if told that the processor has it. */
#define DIT_REGISTER "s3_3_c4_c2_5"

static atomic_int known_dit; /* 0: not asked yet, 1: no, 2: yes */

static bool has_dit(void) {
  int answer = atomic_load_explicit(&known_dit, memory_order_relaxed);

  if (answer == 0) {
    answer = ckem_cpu_has_dit() ? 2 : 1;
    atomic_store_explicit(&known_dit, answer, memory_order_relaxed);
  }
  return answer == 2;
}

uint64_t ckem_entry_begin(void) {
  uint64_t before = 0;

  if (has_dit()) {
    __asm__ volatile("mrs %0, " DIT_REGISTER "\n\tmsr " DIT_REGISTER ", %1"
                     : "=&r"(before)
                     : "r"(DIT_BIT)
                     : "memory");
  }
  return before;
}

void ckem_entry_restore(uint64_t before) {
  if (has_dit()) {
    __asm__ volatile("msr " DIT_REGISTER ", %0" : : "r"(before) : "memory");
  }
}

#else

uint64_t ckem_entry_begin(void) {
  return 0;
}

void ckem_entry_restore(uint64_t before) {
  (void)before;
}

#endif
