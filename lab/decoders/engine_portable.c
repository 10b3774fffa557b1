/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The engine on vectors of 128 bits as compilers offer them: NEON, SSE2, or pairs of words. */
#include "engine.h"

#include <string.h>

#include "base/unroll.h"

typedef uint64_t pair __attribute__((vector_size(16)));

static inline pair load(const void *from) {
  pair v;

  memcpy(&v, from, sizeof v);
  return v;
}

static inline void store(void *to, pair v) {
  memcpy(to, &v, sizeof v);
}

static inline unsigned nonzero(pair v) {
  return (v[0] != 0 ? 1u : 0u) | (v[1] != 0 ? 2u : 0u);
}

#define V pair
#define V_WORDS 2
#define V_LOAD(p) load(p)
#define V_STORE(p, v) store(p, v)
#define V_XOR(a, b) ((a) ^ (b))
#define V_AND(a, b) ((a) & (b))
#define V_OR(a, b) ((a) | (b))
#define V_NOT_AND(a, b) (~(a) & (b))
#define V_ZERO ((pair){0, 0})
#define V_ONES (~V_ZERO)
#define V_ADD3(a, b, c) V_XOR(V_XOR(a, b), c)
#define V_CARRY3(a, b, c) V_OR(V_AND(a, b), V_AND(c, V_XOR(a, b)))
#define V_DOWN(low, high, n) V_OR((low) >> (n), (high) << (64 - (n)))
#define V_NONZERO(v) nonzero(v)
#define ENGINE engine_portable
#define ENGINE_NAME "portable"
#include "engine.template.h"
