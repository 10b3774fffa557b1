/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The back ends of this build and the choice between them, once per process. */
#include "backends.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpu.h"
#include "bike/bike_ops.h"
#include "codekem.h"
#include "gf2x/gf2x.h"
#include "hqc/hqc_ops.h"
#include "keccak/keccak.h"
#include "sparse/sparse.h"

static bool always(void) {
  return true;
}

/* What no KEM of this build needs is not named, so that the linker drops it. */
#if defined(CODEKEM_WITHOUT_BIKE)
#define BIKE_OPS(name) NULL
#else
#define BIKE_OPS(name) &name
#endif
#if defined(CODEKEM_WITHOUT_HQC)
#define HQC_OPS(name) NULL
#else
#define HQC_OPS(name) &name
#endif

/* Slowest first. The reference is never taken but by name: it is not constant time. Small devices
 * have no room for a choice. */
static const struct backend backends[] = {
#if !defined(CODEKEM_SMALL)
    {
        .name = "reference",
        .supported = always,
        .gf2x = &gf2x_reference,
        .keccak = &keccak_reference,
        .sparse = &sparse_reference,
        .bike = BIKE_OPS(bike_ops_reference),
        .hqc = HQC_OPS(hqc_ops_reference),
    },
#endif
#if !defined(CODEKEM_SMALL) || !defined(CODEKEM_HAVE_M4)
    {
        .name = "portable",
        .supported = always,
        .gf2x = &gf2x_portable,
        .keccak = &keccak_portable,
        .sparse = &sparse_portable,
        .bike = BIKE_OPS(bike_ops_portable),
        .hqc = HQC_OPS(hqc_ops_portable),
    },
#endif
#if defined(CODEKEM_HAVE_AVX2)
    {
        .name = "avx2",
        .supported = cpu_has_avx2,
        .gf2x = &gf2x_avx2,
        .keccak = &keccak_avx2,
        .sparse = &sparse_avx2,
        .bike = BIKE_OPS(bike_ops_avx2),
        .hqc = HQC_OPS(hqc_ops_avx2),
    },
#endif
#if defined(CODEKEM_HAVE_AVX512)
    {
        .name = "avx512",
        .supported = cpu_has_avx512,
        .gf2x = &gf2x_avx512,
        .keccak = &keccak_avx512,
        .sparse = &sparse_avx512,
        .bike = BIKE_OPS(bike_ops_avx512),
        .hqc = HQC_OPS(hqc_ops_avx512),
    },
#endif
#if defined(CODEKEM_HAVE_ZBC)
    {
        .name = "zbc",
        .supported = cpu_has_zbc,
        .gf2x = &gf2x_zbc,
        .keccak = &keccak_portable,
        .sparse = &sparse_portable,
        .bike = BIKE_OPS(bike_ops_zbc),
        .hqc = HQC_OPS(hqc_ops_portable),
    },
#endif
#if defined(CODEKEM_HAVE_NEON)
    {
        .name = "neon",
        .supported = cpu_has_neon,
        .gf2x = &gf2x_neon,
        .keccak = &keccak_neon,
        .sparse = &sparse_neon,
        .bike = BIKE_OPS(bike_ops_neon),
        .hqc = HQC_OPS(hqc_ops_neon),
    },
#endif
#if defined(CODEKEM_HAVE_NEON_SHA3)
    {
        .name = "neon-sha3",
        .supported = cpu_has_neon_sha3,
        .gf2x = &gf2x_neon,
        .keccak = &keccak_neon_sha3,
        .sparse = &sparse_neon,
        .bike = BIKE_OPS(bike_ops_neon),
        .hqc = HQC_OPS(hqc_ops_neon),
    },
#endif
#if defined(CODEKEM_HAVE_M4)
    {
        .name = "m4",
        .supported = always,
        .gf2x = &gf2x_m4,
        .keccak = &keccak_m4,
        .sparse = &sparse_m4,
        .bike = BIKE_OPS(bike_ops_m4),
        .hqc = HQC_OPS(hqc_ops_portable),
    },
#endif
};

#define BACKEND_COUNT (sizeof backends / sizeof backends[0])

/* NULL until the first call. */
static _Atomic(const struct backend *) chosen;

/* Returns the value of CODEKEM_CPU, or NULL; a small device has no environment. */
static const char *environment_choice(void) {
#if defined(CODEKEM_SMALL)
  return NULL;
#else
  return getenv("CODEKEM_CPU");
#endif
}

static const struct backend *find(const char *name) {
  for (size_t i = 0; i < BACKEND_COUNT; i++) {
    if (strcmp(backends[i].name, name) == 0 && backends[i].supported()) {
      return &backends[i];
    }
  }
  return NULL;
}

static const struct backend *best(void) {
  size_t i = BACKEND_COUNT - 1;

  while (!backends[i].supported()) {
    i -= 1;
  }
  return &backends[i];
}

const struct backend *backend_in_use(void) {
  const struct backend *backend = atomic_load_explicit(&chosen, memory_order_acquire);

  if (backend == NULL) {
    const char *name = environment_choice();
    const struct backend *none = NULL;
    backend = name != NULL && name[0] != '\0' ? find(name) : best();
    /* If another thread was faster, its choice stays. */
    if (backend != NULL && !atomic_compare_exchange_strong(&chosen, &none, backend)) {
      backend = none;
    }
  }
  return backend;
}

size_t codekem_backend_count(void) {
  return BACKEND_COUNT;
}

const char *codekem_backend_name(size_t index) {
  return index < BACKEND_COUNT ? backends[index].name : NULL;
}

bool codekem_backend_supported(size_t index) {
  return index < BACKEND_COUNT && backends[index].supported();
}

const char *codekem_backend_current(void) {
  const struct backend *backend = backend_in_use();

  return backend != NULL ? backend->name : NULL;
}

codekem_status codekem_backend_select(const char *name) {
  const struct backend *backend = name != NULL ? find(name) : best();

  if (backend == NULL) {
    return CODEKEM_ERROR_BACKEND;
  }
  atomic_store_explicit(&chosen, backend, memory_order_release);
  return CODEKEM_OK;
}
