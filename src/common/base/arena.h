/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Working memory of one call: a block of 64-bit words from which parts are taken in order.
 *
 * The entry point owns the block (on its stack, or the caller's) and wipes it as a whole, so no
 * function below it keeps secrets anywhere else. What a call takes depends on public sizes only.
 */
#ifndef CODEKEM_BASE_ARENA_H
#define CODEKEM_BASE_ARENA_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

/* Parts start at multiples of this many words (64 bytes, the widest vector). */
#define ARENA_UNIT_WORDS 8

/* Rounds a number of words up to whole units; for sizes by formula. */
#define ARENA_WORDS(words) \
  (((words) + (ARENA_UNIT_WORDS - 1)) / ARENA_UNIT_WORDS * ARENA_UNIT_WORDS)
#define ARENA_BYTES_TO_WORDS(bytes) ARENA_WORDS(((bytes) + 7) / 8)

struct arena {
  uint64_t *next;
  size_t words_left;
};

/* Takes words 64-bit words, aligned to 64 bytes if the block is. Not initialised. */
static inline uint64_t *arena_take(struct arena *arena, size_t words) {
  size_t rounded = ARENA_WORDS(words);
  uint64_t *taken = arena->next;

  assert(rounded <= arena->words_left);
  arena->next += rounded;
  arena->words_left -= rounded;
  return taken;
}

#endif
