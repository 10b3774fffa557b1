/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Finding known secrets in memory: a hash table of all their windows, and one pass over memory. */
#include "residue.h"

#include <string.h>

#define TABLE_BITS 17
#define TABLE_SIZE (UINT32_C(1) << TABLE_BITS)
#define MOST_WINDOWS (TABLE_SIZE / 2)
#define FEWEST_NONZERO 3

/* Open addressing; an entry is the offset of a window plus 1, 0 if it is free. */
static uint32_t table[TABLE_SIZE];

static uint32_t slot_of(const uint8_t *window) {
  uint64_t low;
  uint64_t high;

  memcpy(&low, window, 8);
  memcpy(&high, window + 8, 8);
  return (uint32_t)((low ^ high * UINT64_C(31)) * UINT64_C(0x9E3779B97F4A7C15) >>
                    (64 - TABLE_BITS));
}

static bool is_characteristic(const uint8_t *window) {
  size_t nonzero = 0;

  for (size_t i = 0; i < RESIDUE_WINDOW; i++) {
    nonzero += window[i] != 0;
  }
  return nonzero >= FEWEST_NONZERO;
}

/* Returns the slot that holds the window, or the free one where it would go. */
static uint32_t find(const uint8_t *secret, const uint8_t *window) {
  uint32_t slot = slot_of(window);

  while (table[slot] != 0 && memcmp(secret + table[slot] - 1, window, RESIDUE_WINDOW) != 0) {
    slot = (slot + 1) % TABLE_SIZE;
  }
  return slot;
}

bool residue_contains(const uint8_t *memory, size_t length, const uint8_t *secret,
                      size_t secret_length) {
  size_t windows = 0;

  memset(table, 0, sizeof table);
  for (size_t i = 0; i + RESIDUE_WINDOW <= secret_length && windows < MOST_WINDOWS; i++) {
    if (is_characteristic(secret + i)) {
      table[find(secret, secret + i)] = (uint32_t)i + 1;
      windows += 1;
    }
  }
  for (size_t i = 0; i + RESIDUE_WINDOW <= length; i++) {
    if (is_characteristic(memory + i) && table[find(secret, memory + i)] != 0) {
      return true;
    }
  }
  return false;
}
