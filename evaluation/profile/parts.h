/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Accounts the cycles of one operation to its parts.
 *
 * A part is what the tables of the field list: PRNG, inversion, decoding, ... The outermost part
 * that was entered owns the time; what is entered inside it only names the kernel that runs. So a
 * product inside an inversion is (inversion, product), and the self times of all pairs add up to
 * the whole operation.
 */
#ifndef CODEKEM_EVALUATION_PARTS_H
#define CODEKEM_EVALUATION_PARTS_H

#include <stdbool.h>
#include <stdint.h>

enum part {
  PART_OTHER, /* in no part below: copying, comparing, calling */
  PART_PRNG,
  PART_INVERSION,
  PART_MULTIPLICATION,
  PART_DECODING,
  PART_G,
  PART_H,
  PART_I,
  PART_J,
  PART_K,
  PART_L,
  PART_XOF,
  PART_SAMPLING,
  PART_REED_MULLER_ENCODING,
  PART_REED_MULLER_DECODING,
  PART_REED_SOLOMON_ENCODING,
  PART_REED_SOLOMON_DECODING,
  PART_BYTES,
  PART_ORDERING,
  PART_RECURRENCE,
  PART_VALUES,
  PART_MATRIX,
  PART_ELIMINATION,
  PART_CONTROL_BITS,
  PART_ENCODING,
  PART_NETWORK,
  PART_SYNDROME,
  PART_WIPING,
  PART_COUNT
};

enum kernel {
  KERNEL_REST, /* the part's own code */
  KERNEL_KECCAK,
  KERNEL_PRODUCT,
  KERNEL_POWER,
  KERNEL_WEIGHT,
  KERNEL_POSITIONS,
  KERNEL_COEFFICIENTS,
  KERNEL_ORDER,
  KERNEL_COUNTERS,
  KERNEL_COUNT
};

extern const char *const part_names[PART_COUNT];
extern const char *const kernel_names[KERNEL_COUNT];

/* The account of one pair of part and kernel in one operation. */
struct cell {
  int64_t cycles; /* self time; what the clock itself took is taken off */
  uint32_t calls;
};

struct account {
  struct cell cells[PART_COUNT][KERNEL_COUNT];
  uint32_t calls[PART_COUNT]; /* how often a part was entered from outside all parts */
};

/* What a read of the clock costs: within what is measured, and around it. */
struct clock_cost {
  int64_t inner;
  int64_t outer;
};

/* --- The clock: clock.c, or clock_callgrind.c ------------------------------------------------- */

extern const char *const clock_name;
extern const bool clock_is_free; /* whether reading it costs nothing that it shows */

/* Reads the clock: cycles of the time-stamp counter on x86-64, nanoseconds elsewhere; or, in
 * clock_callgrind.c, instructions. */
uint64_t clock_now(void);

/* --- Accounts --------------------------------------------------------------------------------- */

/* Finds out what the clock costs; to be called once, before the first account. */
struct clock_cost clock_calibrate(void);

/* Starts to fill an account; ends it. In between the functions below count, else they do
 * nothing. */
void account_begin(struct account *account);
void account_end(void);
bool account_is_open(void);

/* Returns the part that owns the time now. */
enum part account_owner(void);

/* Enters a part or, inside another one, only a kernel; account_leave must follow. */
void account_enter(enum part part, enum kernel kernel);
void account_leave(void);

/* Enters a kernel that works for two parts at once; its time is halved between them. */
void account_enter_shared(void);
void account_leave_shared(enum part first, enum part second, enum kernel kernel);

#endif
