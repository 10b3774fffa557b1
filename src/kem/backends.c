/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The back ends of this build and the choice between them, once per process. */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* for secure_getenv */
#endif
#include "backends.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#if defined(__APPLE__) || defined(__FreeBSD__) || defined(__OpenBSD__) || defined(__NetBSD__)
#include <unistd.h>
#endif

#include "base/cpu.h"
#include "codekem.h"
#include "gf2x/gf2x.h"
#include "keccak/keccak.h"
#include "sparse/sparse.h"

static bool always(void) {
  return true;
}

/* A copy of Classic McEliece alone has no rings (tools/packaging/vendor.py). */
#if defined(CODEKEM_NO_RINGS)
#define OF_RINGS(implementation) NULL
#else
#define OF_RINGS(implementation) (&(implementation))
#endif

/* Slowest first. */
#define BACKEND(id, name, supported, gf2x, keccak, sparse, ...) \
  {name,                                                        \
   BACKEND_##id,                                                \
   supported,                                                   \
   OF_RINGS(ckem_gf2x_##gf2x),                                  \
   &ckem_keccak_##keccak,                                       \
   OF_RINGS(ckem_sparse_##sparse)},
static const struct backend backends[] = {
#include "backend.def"
};

#define BACKEND_COUNT (sizeof backends / sizeof backends[0])

/* NULL until the first call. */
static _Atomic(const struct backend *) chosen;

/* Returns the value of CODEKEM_CPU, or NULL; a small device has no environment, and a copy may be
 * told not to ask. Whoever starts a set-user-ID program does not choose its back end. */
static const char *environment_choice(void) {
#if defined(CODEKEM_SMALL) || defined(CODEKEM_NO_ENVIRONMENT)
  return NULL;
#elif defined(__linux__) && !defined(__ANDROID__)
  return secure_getenv("CODEKEM_CPU");
#elif defined(__APPLE__) || defined(__FreeBSD__) || defined(__OpenBSD__) || defined(__NetBSD__)
  return issetugid() ? NULL : getenv("CODEKEM_CPU");
#else
  return getenv("CODEKEM_CPU"); /* systems without set-user-ID programs */
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

/* Finds what the environment asks for. The reference is not for it to choose: it is not constant
 * time. */
static const struct backend *find_for_environment(const char *name) {
  const struct backend *backend = find(name);

  return backend == NULL || backend->id == BACKEND_REFERENCE ? NULL : backend;
}

static const struct backend *best(void) {
  size_t i = BACKEND_COUNT - 1;

  while (!backends[i].supported()) {
    i -= 1;
  }
  return &backends[i];
}

const struct backend *ckem_backend_in_use(void) {
  const struct backend *backend = atomic_load_explicit(&chosen, memory_order_acquire);

  if (backend == NULL) {
    const char *name = environment_choice();
    const struct backend *none = NULL;
    backend = name != NULL && name[0] != '\0' ? find_for_environment(name) : best();
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
  const struct backend *backend = ckem_backend_in_use();

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
