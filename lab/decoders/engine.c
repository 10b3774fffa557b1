/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Chooses the engine. */
#include "engine.h"

#include <stdbool.h>
#include <string.h>

static bool runs_avx512(void) {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
  return false;
#endif
}

static bool runs_avx2(void) {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
#else
  return false;
#endif
}

const struct engine *engine_named(const char *name) {
  const struct engine *const known[] = {
      runs_avx512() ? engine_avx512() : NULL,
      runs_avx2() ? engine_avx2() : NULL,
      engine_portable(),
  };

  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    if (known[i] != NULL && (name == NULL || strcmp(name, known[i]->name) == 0)) {
      return known[i];
    }
  }
  return NULL;
}
