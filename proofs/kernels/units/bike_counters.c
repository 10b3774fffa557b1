/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The steps of the decoder's counters alone: for one vector of counters, the sums that a back end
 * repeats for every vector and every group of positions, and the comparison with a threshold; for a
 * whole syndrome, four steps.
 *
 * UNIT is the file of the back end, UNIT_BEGIN the beginning of code for its processor. UNIT_QUADS
 * stands for the templates, counters_quads.template.h and counters_levels.template.h.
 */
#include UNIT

#if defined(UNIT_QUADS)
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

#define SHAPE ((struct shape){.vectors = 1, .planes = UNIT_PLANES})

/* planes[UNIT_PLANES], waiting[2], bits[QUAD]: carries of the weights from 2 to below the number
 * are waiting. */
#define ADD_BITS(end)                                                        \
  void unit_add_bits_##end(vector *planes, vector *waiting, vector *bits) {  \
    const struct counters counters = {.planes = planes, .waiting = waiting}; \
                                                                             \
    add_bits(SHAPE, &counters, 0, bits, end);                                \
  }
ADD_BITS(2)
ADD_BITS(3)
ADD_BITS(4)

/* planes[UNIT_PLANES], bits[1]: one more of this weight. */
#define ADD_ALONE(weight)                                      \
  void unit_add_alone_##weight(vector *planes, vector *bits) { \
    add_alone(SHAPE, planes, 0, *bits, weight);                \
  }
ADD_ALONE(2)
ADD_ALONE(3)

void unit_compare(uint64_t *out, const vector *planes, uint32_t threshold) {
  compare(SHAPE, &unit_ring, out, planes, threshold);
}

/* Four steps of a syndrome that has not moved yet, from `word` on. planes[3][vectors of an element]
 * are planes 0 and 1 and what waits; scratch begins with the windows of SYNDROMES, the last of
 * which is where the syndrome ends. */
void unit_steps(const struct gf2x_ring *ring, vector *planes, vector *scratch,
                const uint64_t *syndrome, const uint32_t entries[QUAD], uint32_t word) {
  const size_t n = (ring->words + VECTOR_WORDS - 1) / VECTOR_WORDS;
  const struct shape shape = {.vectors = n, .window = n + AHEAD, .planes = UNIT_PLANES};
  const struct counters counters = {.planes = planes, .waiting = planes + 2 * n};

  begin(shape, ring, scratch + (SYNDROMES - 1) * shape.window, syndrome);
  add_entries(shape, ring, &counters, scratch, &word, entries, 2);
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
