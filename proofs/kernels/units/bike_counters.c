/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The steps of the decoder's counters alone, for one vector of counters: the sums that a back end
 * repeats for every vector and every group of positions, and the comparison with a threshold.
 *
 * UNIT is the file of the back end, UNIT_BEGIN the beginning of code for its processor. UNIT_QUADS
 * stands for counters_steps.template.h, UNIT_FOURS for AVX-512, neither for plain words.
 */
#include UNIT

#if defined(UNIT_QUADS) || defined(UNIT_FOURS)
#define BITS (64 * VECTOR_WORDS)
#else
#define BITS 64
#endif

/* All bits of the vector but the highest belong to the ring. */
static const struct gf2x_ring unit_ring = {BITS - 1, BITS / 64, (BITS + 511) / 512 * 8,
                                           BITS / 8, NULL,      0};

#if defined(UNIT_BEGIN)
UNIT_BEGIN
#endif

#if defined(UNIT_QUADS)

#define SHAPE ((struct shape){.vectors = 1, .moved = 2, .planes = UNIT_PLANES})

/* planes[2], moved[2 * QUAD]: of each of the four vectors the second one, which no shift reads. */
void unit_add_ones(vector *planes, vector *carry, vector *moved) {
  static const uint32_t positions[QUAD];
  const struct work work = {.moved = moved, .planes = planes};

  add_quad(SHAPE, &work, carry, positions, QUAD);
}

/* planes[UNIT_PLANES] */
void unit_add_fours(vector *planes, vector *carries) {
  const struct work work = {.fours = carries, .planes = planes};

  add_fours(SHAPE, &work);
}

void unit_compare(uint64_t *out, const vector *planes, uint32_t threshold) {
  compare(SHAPE, &unit_ring, out, planes, threshold);
}

#elif defined(UNIT_FOURS)

#define SHAPE ((struct shape){.vectors = 1, .planes = UNIT_PLANES})

/* moved[SLOTS][1 + MOVE_MARGIN] */
void unit_add_ones(vector *planes, vector *carry, vector *moved) {
  static const uint32_t positions[SLOTS];
  const vector *const from[SLOTS] = {moved, moved + 4, moved + 8, moved + 12};

  add_four(SHAPE, planes, carry, from, positions);
}

void unit_add_fours(vector *planes, vector *carries) {
  fold_carries(SHAPE, planes, carries);
}

void unit_compare(uint64_t *out, const vector *planes, uint32_t threshold) {
  compare(SHAPE, &unit_ring, out, planes, threshold);
}

#else

/* planes[PLANES], group[GROUP] */
void unit_add_group(uint64_t *planes, const uint64_t *group) {
  add_group_portable(1, 1, planes, group);
}

/* planes[PLANES][8] */
void unit_compare(uint64_t *out, const uint64_t *planes, uint32_t threshold) {
  compare_portable(&unit_ring, out, planes, threshold);
}

#endif

#if defined(UNIT_BEGIN)
ISA_END
#endif
