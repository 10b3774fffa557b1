/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Checks arbitrary public keys, secret keys and ciphertexts on import. All back ends agree on the
 * verdict, an honest object passes, and each check reports nothing but its own error.
 */
#include <string.h>

#include "fuzz_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct call {
  struct fuzz_exchange exchange;
  codekem_status verdict;
  int have_verdict;
};

static void check_secret_key(void *context) {
  struct call *call = context;
  const codekem_status verdict =
      codekem_kem_check_secret_key(call->exchange.kem, call->exchange.secret_key);

  fuzz_require(verdict == CODEKEM_OK || verdict == CODEKEM_ERROR_SECRET_KEY, "another status");
  fuzz_require(!call->have_verdict || verdict == call->verdict, "back ends disagree");
  call->verdict = verdict;
  call->have_verdict = 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct fuzz_input input = {data, size};
  const codekem_kem *kem = fuzz_take_kem(&input);
  struct call call = {.exchange = fuzz_exchange_new(kem)};
  struct fuzz_exchange *x = &call.exchange;
  const uint8_t what = fuzz_take_byte(&input) % 4;
  codekem_status verdict;

  switch (what) {
    case 0:
      fuzz_change(&input, x->public_key, kem->length_public_key);
      verdict = codekem_kem_check_public_key(kem, x->public_key);
      fuzz_require(verdict == CODEKEM_OK || verdict == CODEKEM_ERROR_PUBLIC_KEY, "another status");
      break;
    case 1:
      fuzz_change(&input, x->ciphertext, kem->length_ciphertext);
      verdict = codekem_kem_check_ciphertext(kem, x->ciphertext);
      fuzz_require(verdict == CODEKEM_OK || verdict == CODEKEM_ERROR_CIPHERTEXT, "another status");
      break;
    case 2:
      fuzz_change(&input, x->secret_key, kem->length_secret_key);
      fuzz_require(fuzz_for_each_backend(check_secret_key, &call) > 0, "no back end");
      break;
    default:
      fuzz_require(codekem_kem_check_public_key(kem, x->public_key) == CODEKEM_OK &&
                       codekem_kem_check_secret_key(kem, x->secret_key) == CODEKEM_OK &&
                       codekem_kem_check_ciphertext(kem, x->ciphertext) == CODEKEM_OK,
                   "an honest object is refused");
  }
  fuzz_exchange_free(x);
  return 0;
}
