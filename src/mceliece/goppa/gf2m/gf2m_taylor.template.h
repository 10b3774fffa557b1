/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * What the transform does with the lanes of a polynomial: Taylor expansions, and products with
 * powers of a constant. Part of gf2m_transform.template.h.
 */
#ifndef TEMPLATE_SUFFIX
#error This is a template: define TEMPLATE_SUFFIX, and what is named above, before it
#endif

/* Lanes whose number has bit j set. */
#define LANES_WITH_BIT(j)                    \
  ((j) == 0   ? UINT64_C(0xAAAAAAAAAAAAAAAA) \
   : (j) == 1 ? UINT64_C(0xCCCCCCCCCCCCCCCC) \
   : (j) == 2 ? UINT64_C(0xF0F0F0F0F0F0F0F0) \
   : (j) == 3 ? UINT64_C(0xFF00FF00FF00FF00) \
   : (j) == 4 ? UINT64_C(0xFFFF0000FFFF0000) \
              : UINT64_C(0xFFFFFFFF00000000))

#if defined(taylor_step)
#define TAYLOR_STEP(m, lanes, a, transposed) taylor_step((m), (lanes), (a), (transposed))
#else
#define TAYLOR_STEP(m, lanes, a, transposed)                                                  \
  do {                                                                                        \
    for (unsigned p = 0; p < (m); p++) {                                                      \
      TEMPLATE_NAME(taylor_plane)((lanes) + (size_t)p * GF2M_PLANE_WORDS, (a), (transposed)); \
    }                                                                                         \
  } while (0)

/* One step of the Taylor expansion on the four words of a plane, or the transpose of it. Of the
 * lanes 01, 10 and 11 in the bits a - 1 and a: x[01] += x[11], then x[10] += x[01]. */
static void TEMPLATE_NAME(taylor_plane)(uint64_t x[], unsigned a, bool transposed) {
  if (a == 7) {
    if (!transposed) {
      x[1] ^= x[3];
      x[2] ^= x[1];
    } else {
      x[1] ^= x[2];
      x[3] ^= x[1];
    }
    return;
  }
  if (a == 6) {
    for (unsigned w = 0; w < 4; w += 2) {
      if (!transposed) {
        x[w] ^= x[w + 1] & LANES_WITH_BIT(5);
        x[w + 1] ^= x[w] >> 32;
      } else {
        x[w] ^= x[w + 1] << 32;
        x[w + 1] ^= x[w] & LANES_WITH_BIT(5);
      }
    }
    return;
  }
  const unsigned b = a - 1;
  const uint64_t only_a = LANES_WITH_BIT(a) & ~LANES_WITH_BIT(b);
  const uint64_t only_b = LANES_WITH_BIT(b) & ~LANES_WITH_BIT(a);
  const uint64_t both = LANES_WITH_BIT(a) & LANES_WITH_BIT(b);

  for (unsigned w = 0; w < 4; w++) {
    if (!transposed) {
      x[w] ^= x[w] >> (1U << a) & only_b;
      x[w] ^= x[w] << (1U << b) & only_a;
    } else {
      x[w] ^= x[w] >> (1U << b) & only_b;
      x[w] ^= x[w] << (1U << a) & both;
    }
  }
}

#endif

/* The Taylor expansion of a level, or its transpose, on all planes. */
static void TEMPLATE_NAME(taylor)(unsigned m, uint64_t *lanes, unsigned level, bool transposed) {
  for (unsigned i = 0; i + level < 7; i++) {
    const unsigned a = transposed ? 7 - level - i : 1 + i;
    TAYLOR_STEP(m, lanes, a, transposed);
  }
}

/* Multiplies each coefficient by its power of the level's c. */
#define DEFINE_TWIST(m)                                                                            \
  static __attribute__((noinline)) void TEMPLATE_NAME(twist_##m)(uint64_t *lanes,                  \
                                                                 const struct gf2m_level *level) { \
    UNROLL                                                                                         \
    for (size_t i = 0; i < LANE_VECTORS; i++) {                                                    \
      vector x[MAX_DEGREE], y[MAX_DEGREE];                                                         \
      TEMPLATE_NAME(load)(m, x, lanes, i);                                                         \
      for (unsigned b = 0; b < m; b++) {                                                           \
        y[b] = LOAD_LANES(level->twist[b] + VECTOR_WORDS * i);                                     \
      }                                                                                            \
      TEMPLATE_NAME(product)(m, x, x, y);                                                          \
      TEMPLATE_NAME(store)(m, lanes, i, x);                                                        \
    }                                                                                              \
  }

#if VECTOR_WORDS == 8
#define LANE_VECTORS 1
#define LOAD_LANES(p) vector_load_half(p)
#else
#define LANE_VECTORS (4 / VECTOR_WORDS)
#define LOAD_LANES(p) vector_load(p)
#endif

DEFINE_TWIST(12)
DEFINE_TWIST(13)

static void TEMPLATE_NAME(twist)(unsigned m, uint64_t *lanes, const struct gf2m_level *level) {
  if (m == 12) {
    TEMPLATE_NAME(twist_12)(lanes, level);
  } else {
    TEMPLATE_NAME(twist_13)(lanes, level);
  }
}
