/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Decapsulates arbitrary ciphertexts with arbitrary secret keys, also such with positions beyond
 * the ring. No call may fail or touch other memory; and with a key that passes the check, all back
 * ends give the same secret.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct call {
  struct fuzz_exchange exchange;
  uint8_t first[CODEKEM_MAX_SHARED_SECRET];
  int have_first;
  int good_key;
};

static void decapsulate(void *context) {
  struct call *call = context;
  struct fuzz_exchange *x = &call->exchange;
  const codekem_kem *kem = x->kem;
  void *workspace = aligned_alloc(CODEKEM_WORKSPACE_ALIGNMENT, kem->length_decaps_workspace);
  uint8_t second[CODEKEM_MAX_SHARED_SECRET];

  fuzz_require(workspace != NULL, "no memory");
  fuzz_require(codekem_kem_decaps(kem, x->shared_secret, x->ciphertext, x->secret_key) ==
                   CODEKEM_OK,
               "decaps failed");
  fuzz_require(codekem_kem_decaps_with(
                   kem, second, x->ciphertext, x->secret_key,
                   CODEKEM_OPTIONS(.workspace = workspace,
                                   .workspace_length = kem->length_decaps_workspace)) == CODEKEM_OK,
               "decaps in a workspace failed");
  fuzz_require(memcmp(second, x->shared_secret, kem->length_shared_secret) == 0,
               "decaps is not deterministic");
  if (call->good_key && call->have_first) {
    fuzz_require(memcmp(call->first, x->shared_secret, kem->length_shared_secret) == 0,
                 "back ends disagree");
  }
  memcpy(call->first, x->shared_secret, kem->length_shared_secret);
  call->have_first = 1;
  free(workspace);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct fuzz_input input = {data, size};
  const codekem_kem *kem = fuzz_take_kem(&input);
  struct call call = {.exchange = fuzz_exchange_new(kem)};
  const uint8_t what = fuzz_take_byte(&input);

  /* The key, the ciphertext, or both; each with half of the input. */
  struct fuzz_input half = {input.bytes, what % 3 == 2 ? input.length / 2 : input.length};
  if (what % 3 != 0) {
    fuzz_change(&half, call.exchange.secret_key, kem->length_secret_key);
  }
  if (what % 3 == 2) {
    half.bytes = input.bytes + input.length / 2;
    half.length = input.length - input.length / 2;
  }
  if (what % 3 != 1) {
    fuzz_change(&half, call.exchange.ciphertext, kem->length_ciphertext);
  }
  const codekem_status verdict = codekem_kem_check_secret_key(kem, call.exchange.secret_key);
  fuzz_require(verdict == CODEKEM_OK || verdict == CODEKEM_ERROR_SECRET_KEY, "another status");
  call.good_key = verdict == CODEKEM_OK;
  fuzz_require(fuzz_for_each_backend(decapsulate, &call) > 0, "no back end");
  fuzz_exchange_free(&call.exchange);
  return 0;
}
