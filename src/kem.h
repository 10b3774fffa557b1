/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What a scheme gives to the entry points: its operations, and the stack that each needs. */
#ifndef CODEKEM_KEM_H
#define CODEKEM_KEM_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/backend.h"
#include "codekem.h"

/* The operations of a scheme. variant is the scheme's own description of the KEM. The arena has at
 * least the length_*_workspace that the KEM states. */
struct kem_operations {
  codekem_status (*keypair)(const void *variant, const struct backend *backend,
                            uint8_t *public_key, uint8_t *secret_key, const uint8_t *seed,
                            struct arena arena);
  codekem_status (*encaps)(const void *variant, const struct backend *backend, uint8_t *ciphertext,
                           uint8_t *shared_secret, const uint8_t *public_key, const uint8_t *seed,
                           struct arena arena);
  codekem_status (*decaps)(const void *variant, const struct backend *backend,
                           uint8_t *shared_secret, const uint8_t *ciphertext,
                           const uint8_t *secret_key, struct arena arena);
  codekem_status (*check_public_key)(const void *variant, const uint8_t *public_key);
  codekem_status (*check_secret_key)(const void *variant, const struct backend *backend,
                                     const uint8_t *secret_key, struct arena arena);
  codekem_status (*check_ciphertext)(const void *variant, const uint8_t *ciphertext);
};

/* One call of an entry point: the KEM, and its buffers in the order of the public function. */
struct kem_call {
  const codekem_kem *kem;
  const struct backend *backend;
  uint8_t *out[2];
  const uint8_t *in[2];
};

/* Does the work of a call in the memory of an arena. */
typedef codekem_status kem_body(const struct kem_call *call, struct arena arena);

/* Runs body with memory from the stack, as much as the operation needs, and wipes it. */
typedef codekem_status kem_on_stack(kem_body *body, const struct kem_call *call);

struct codekem_kem_internal {
  const struct kem_operations *operations;
  const void *variant;
  kem_on_stack *keypair_on_stack;
  kem_on_stack *encaps_on_stack;
  kem_on_stack *decaps_on_stack;
  size_t keypair_request; /* bytes that keypair and encaps ask of a source of randomness; */
  size_t encaps_request;  /* the seed is the first of them */
};

/* Runs body in words[count] and wipes them. */
codekem_status kem_run_in(uint64_t *words, size_t count, kem_body *body,
                          const struct kem_call *call);

#endif
