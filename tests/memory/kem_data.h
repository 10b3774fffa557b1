/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the calls of a KEM read and write in memory_check, always at the same addresses. */
#ifndef CODEKEM_TESTS_MEMORY_KEM_DATA_H
#define CODEKEM_TESTS_MEMORY_KEM_DATA_H

#include <stddef.h>
#include <stdint.h>

#include "codekem.h"

#define BATCH 3
#define MOST_PUBLIC_KEY 1357824 /* of any KEM */
#define MOST_SECRET_KEY 16494
#define MOST_CIPHERTEXT 14421
#define MOST_SHARED_SECRET 64
#define MOST_SEED 112

/* One exchange for each item of a batch. */
struct kem_data {
  uint8_t keypair_seed[BATCH * MOST_SEED];
  uint8_t encaps_seed[BATCH * MOST_SEED];
  uint8_t public_key[BATCH * MOST_PUBLIC_KEY];
  uint8_t secret_key[BATCH * MOST_SECRET_KEY];
  uint8_t ciphertext[BATCH * MOST_CIPHERTEXT];
  uint8_t shared_secret[BATCH * MOST_SHARED_SECRET];
};

extern struct kem_data data;
extern const codekem_kem *kem;

/* A call, and what it needs. */
struct kem_operation {
  const char *name;
  const char *place;
  codekem_status (*run)(void);
  size_t (*workspace)(void);
  enum { ONE_KEY, NEW_KEYS, ALL_THE_SAME } inputs; /* what differs from case to case */
  void (*before)(void);                            /* what comes before the call, or NULL */
};

/* The entry points of codekem_mceliece alone; count of them. */
extern const struct kem_operation mceliece_operations[];
extern const size_t mceliece_operation_count;

/* Says whether the KEM has operation number i of them. */
int mceliece_has(size_t i);

#endif
