/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Functions of the library with one fault each, for the test that the self-test notices them. */
#include <codekem.h>
#include <string.h>

#ifdef WRONG_KEY
codekem_status __real_codekem_kem_keypair_with(const codekem_kem *, uint8_t *, uint8_t *,
                                               const codekem_options *);
/* Only of a seed: a pair that is wrong each time is no pair. */
codekem_status __wrap_codekem_kem_keypair_with(const codekem_kem *kem, uint8_t *public_key,
                                               uint8_t *secret_key,
                                               const codekem_options *options) {
  codekem_status status = __real_codekem_kem_keypair_with(kem, public_key, secret_key, options);
  if (options->seed != NULL) {
    public_key[7] ^= 1;
  }
  return status;
}
#endif

#if defined(WRONG_DECAPS) || defined(NO_REJECTION)
codekem_status __real_codekem_kem_decaps_with(const codekem_kem *, uint8_t *, const uint8_t *,
                                              const uint8_t *, const codekem_options *);
codekem_status __wrap_codekem_kem_decaps_with(const codekem_kem *kem, uint8_t *shared_secret,
                                              const uint8_t *ciphertext, const uint8_t *secret_key,
                                              const codekem_options *options) {
  codekem_status status =
      __real_codekem_kem_decaps_with(kem, shared_secret, ciphertext, secret_key, options);
#ifdef WRONG_DECAPS
  shared_secret[0] ^= 1;
#else
  /* Gives for a changed ciphertext what the genuine one gave before. */
  static uint8_t first[CODEKEM_MAX_SHARED_SECRET];
  static int calls;
  if (calls++ % 3 == 0) {
    memcpy(first, shared_secret, kem->length_shared_secret);
  } else {
    memcpy(shared_secret, first, kem->length_shared_secret);
  }
#endif
  return status;
}
#endif
