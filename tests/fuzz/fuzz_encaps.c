/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Encapsulates to arbitrary public keys. No call may fail or touch other memory, all back ends give
 * the same, and what comes out is a canonical ciphertext.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct call {
  struct fuzz_exchange exchange;
  uint8_t seed[CODEKEM_MAX_ENCAPS_SEED];
  uint8_t ciphertext[CODEKEM_MAX_CIPHERTEXT];
  uint8_t shared_secret[CODEKEM_MAX_SHARED_SECRET];
  int have_first;
};

static void encapsulate(void *context) {
  struct call *call = context;
  struct fuzz_exchange *x = &call->exchange;
  const codekem_kem *kem = x->kem;
  void *workspace = aligned_alloc(CODEKEM_WORKSPACE_ALIGNMENT, kem->length_encaps_workspace);

  fuzz_require(workspace != NULL, "no memory");
  fuzz_require(codekem_kem_encaps_with(
                   kem, x->ciphertext, x->shared_secret, x->public_key,
                   CODEKEM_OPTIONS(.seed = call->seed, .workspace = workspace,
                                   .workspace_length = kem->length_encaps_workspace)) == CODEKEM_OK,
               "encaps failed");
  /* The ciphertext for a key that nobody has made may be one that nobody makes. */
  fuzz_require(codekem_kem_check_public_key(kem, x->public_key) != CODEKEM_OK ||
                   codekem_kem_check_ciphertext(kem, x->ciphertext) == CODEKEM_OK,
               "the ciphertext for a good key is refused");
  if (call->have_first) {
    fuzz_require(memcmp(call->ciphertext, x->ciphertext, kem->length_ciphertext) == 0 &&
                     memcmp(call->shared_secret, x->shared_secret, kem->length_shared_secret) == 0,
                 "back ends disagree");
  }
  memcpy(call->ciphertext, x->ciphertext, kem->length_ciphertext);
  memcpy(call->shared_secret, x->shared_secret, kem->length_shared_secret);
  call->have_first = 1;
  free(workspace);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct fuzz_input input = {data, size};
  const codekem_kem *kem = fuzz_take_kem(&input);
  struct call call = {.exchange = fuzz_exchange_new(kem)};

  for (size_t i = 0; i < 4; i++) {
    call.seed[i] = fuzz_take_byte(&input);
  }
  fuzz_change(&input, call.exchange.public_key, kem->length_public_key);
  fuzz_require(fuzz_for_each_backend(encapsulate, &call) > 0, "no back end");
  fuzz_exchange_free(&call.exchange);
  return 0;
}
