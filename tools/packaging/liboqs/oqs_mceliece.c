/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Encapsulation of Classic McEliece whose error comes from the caller's source itself, as in the
 * code whose known answers liboqs has; codekem draws a seed for it. */
#include "kem.h"
#include "mceliece/mceliece.h"

static codekem_status encaps_from_source(const struct kem_call *call, struct arena arena) {
  const codekem_options *options = call->options;

  return ckem_mceliece_encaps(call->kem->internal->variant, call->backend, call->out.ciphertext,
                              call->out.shared_secret, call->in.public_key, options->random,
                              options->random_context, arena);
}

static codekem_status run_from_source(struct kem_call *call) {
  struct kem_way way = ckem_kem_way(call, false);

  way.operation = encaps_from_source;
  return ckem_kem_start(call, &way);
}

/* As codekem_kem_encaps_with; options has a source of randomness, which is asked until its numbers
 * make an error. */
codekem_status ckem_oqs_encaps(const codekem_kem *kem, uint8_t *ciphertext, uint8_t *shared_secret,
                               const uint8_t *public_key, const codekem_options *options) {
  struct kem_call call = {.kem = kem,
                          .entry = KEM_ENCAPS,
                          .out = {.ciphertext = ciphertext, .shared_secret = shared_secret},
                          .in = {.public_key = public_key},
                          .batch = {.count = 1}};

  return ckem_kem_call(&call, ciphertext != NULL && shared_secret != NULL && public_key != NULL,
                       options, run_from_source);
}
