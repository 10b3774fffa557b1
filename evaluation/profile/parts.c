/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Accounts the cycles of one operation to its parts. */
#include "parts.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

const char *const part_names[PART_COUNT] = {
    [PART_OTHER] = "other",
    [PART_PRNG] = "PRNG",
    [PART_INVERSION] = "inversion",
    [PART_MULTIPLICATION] = "multiplication",
    [PART_DECODING] = "decoding",
    [PART_G] = "G function",
    [PART_H] = "H function",
    [PART_I] = "I function",
    [PART_J] = "J function",
    [PART_K] = "K function",
    [PART_L] = "L function",
    [PART_XOF] = "XOF",
    [PART_SAMPLING] = "sampling",
    [PART_REED_MULLER_ENCODING] = "Reed-Muller encoding",
    [PART_REED_MULLER_DECODING] = "Reed-Muller decoding",
    [PART_REED_SOLOMON_ENCODING] = "Reed-Solomon encoding",
    [PART_REED_SOLOMON_DECODING] = "Reed-Solomon decoding",
    [PART_BYTES] = "bytes",
    [PART_ORDERING] = "ordering of the field",
    [PART_RECURRENCE] = "recurrence",
    [PART_VALUES] = "values at the field",
    [PART_MATRIX] = "matrix",
    [PART_ELIMINATION] = "elimination",
    [PART_CONTROL_BITS] = "control bits",
    [PART_ENCODING] = "encoding",
    [PART_NETWORK] = "network",
    [PART_SYNDROME] = "syndrome",
    [PART_WIPING] = "wiping",
};

const char *const kernel_names[KERNEL_COUNT] = {
    [KERNEL_REST] = "rest",
    [KERNEL_KECCAK] = "Keccak",
    [KERNEL_PRODUCT] = "product",
    [KERNEL_POWER] = "power",
    [KERNEL_WEIGHT] = "weight",
    [KERNEL_POSITIONS] = "positions",
    [KERNEL_COEFFICIENTS] = "coefficients",
    [KERNEL_ORDER] = "order",
    [KERNEL_COUNTERS] = "counters",
};

struct frame {
  enum part part;
  enum kernel kernel;
};

#define MAX_DEPTH 16

static struct account *open_account; /* NULL: nothing is counted */
static struct frame frames[MAX_DEPTH];
static unsigned depth;
static uint64_t last;
static struct clock_cost cost;

static struct cell *current_cell(void) {
  return &open_account->cells[frames[depth].part][frames[depth].kernel];
}

void account_begin(struct account *account) {
  memset(account, 0, sizeof *account);
  open_account = account;
  depth = 0;
  frames[0] = (struct frame){PART_OTHER, KERNEL_REST};
  account->cells[PART_OTHER][KERNEL_REST].calls = 1;
  account->calls[PART_OTHER] = 1;
  last = clock_now();
}

void account_end(void) {
  assert(depth == 0);
  current_cell()->cycles += (int64_t)(clock_now() - last) - cost.inner;
  open_account = NULL;
}

bool account_is_open(void) {
  return open_account != NULL;
}

enum part account_owner(void) {
  return frames[depth].part;
}

/* Adds the time since the last event to the current cell. */
static void settle(int64_t deduction) {
  const uint64_t now = clock_now();

  current_cell()->cycles += (int64_t)(now - last) - deduction;
  last = now;
}

void account_enter(enum part part, enum kernel kernel) {
  if (open_account == NULL) {
    return;
  }
  assert(depth + 1 < MAX_DEPTH);
  settle(cost.outer);
  const enum part owner = frames[depth].part;
  depth += 1;
  frames[depth].part = owner == PART_OTHER ? part : owner;
  frames[depth].kernel = kernel;
  open_account->calls[part] += owner == PART_OTHER;
  current_cell()->calls += 1;
}

void account_leave(void) {
  if (open_account == NULL) {
    return;
  }
  assert(depth > 0);
  settle(cost.inner);
  depth -= 1;
}

void account_enter_shared(void) {
  if (open_account != NULL) {
    settle(cost.outer);
  }
}

void account_leave_shared(enum part first, enum part second, enum kernel kernel) {
  if (open_account == NULL) {
    return;
  }
  const uint64_t now = clock_now();
  const int64_t taken = (int64_t)(now - last) - cost.inner;
  struct cell *a = &open_account->cells[first][kernel];
  struct cell *b = &open_account->cells[second][kernel];

  a->cycles += taken / 2;
  b->cycles += taken - taken / 2;
  a->calls += 1;
  b->calls += 1;
  last = now;
}

#define CALIBRATION_BATCHES 200
#define CALIBRATION_CALLS 100

struct clock_cost clock_calibrate(void) {
  static struct account account;
  struct clock_cost least = {INT64_MAX, INT64_MAX};

  cost = (struct clock_cost){0, 0};
  if (clock_is_free) {
    return cost;
  }
  for (int batch = 0; batch < CALIBRATION_BATCHES; batch++) {
    account_begin(&account);
    for (int i = 0; i < CALIBRATION_CALLS; i++) {
      account_enter(PART_BYTES, KERNEL_REST);
      account_leave();
    }
    account_end();
    const int64_t inner = account.cells[PART_BYTES][KERNEL_REST].cycles / CALIBRATION_CALLS;
    const int64_t outer = account.cells[PART_OTHER][KERNEL_REST].cycles / CALIBRATION_CALLS;
    least.inner = inner < least.inner ? inner : least.inner;
    least.outer = outer < least.outer ? outer : least.outer;
  }
  cost = least;
  return cost;
}
