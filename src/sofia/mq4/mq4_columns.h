/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Vectors with the bits of many places side by side: a word for each element and 64 places. */
#ifndef CODEKEM_MQ4_MQ4_COLUMNS_H
#define CODEKEM_MQ4_MQ4_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

/* The planes of an element side by side: lo, hi, and lo + hi. */
#define MQ4_PLANES 3

/* Turns count vectors of 32 bytes around: bit i % 64 of word columns[(MQ4_PLANES k + plane) words +
 * i / 64] is element k of vector i; bits without a vector are zero. count is at most 64 words. */
void ckem_mq4_turn(uint64_t *columns, size_t words, const uint8_t *vectors, size_t count);

/* Turns sums around to count vectors. sums[(MQ4_VARIABLES plane + k) words + i / 64] has bit i of
 * the three products lo lo, hi hi and (lo + hi)(lo + hi) of element k. */
void ckem_mq4_turn_back(uint8_t *vectors, const uint64_t *sums, size_t words, size_t count);

#endif
