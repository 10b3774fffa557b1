/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HQC [HQC]: parameters and the operations of the KEM. */
#ifndef CODEKEM_HQC_HQC_H
#define CODEKEM_HQC_HQC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/backend.h"
#include "gf2x/gf2x.h"
#include "hqc/hqc_levels.h"
#include "hqc/reed_muller.h"
#include "hqc/reed_solomon.h"
#include "keccak/keccak.h"
#include "kem.h"

#define HQC_SEED_BYTES 32
#define HQC_SALT_BYTES 16
#define HQC_SECRET_BYTES 32  /* the shared secret */
#define HQC_MAX_MESSAGE_BYTES 32
#define HQC_MAX_WEIGHT 149

/* One parameter set. */
struct hqc_params {
  const struct gf2x_ring *ring;
  const struct reed_solomon *outer_code;
  uint32_t copies;        /* of a Reed-Muller word; n2 = 128 copies */
  uint32_t key_weight;    /* omega: of x and y */
  uint32_t error_weight;  /* omega_r = omega_e: of r1, r2 and e */
  uint32_t sample_bound;  /* T = n floor(2^24 / n): larger candidates are rejected */
  uint32_t barrett;       /* floor(2^32 / n) */
};

/* The sets: ckem_hqc_level1, ckem_hqc_level3, ckem_hqc_level5. */
#define HQC_DECLARE_PARAMS(level) extern const struct hqc_params ckem_hqc_level##level;
HQC_LEVELS(HQC_DECLARE_PARAMS)
#undef HQC_DECLARE_PARAMS

/* A named KEM: a parameter set and a revision of the sampling.
 *
 * The tag v5.0.0 of the reference code discards stream bytes up to a multiple of 8 after each
 * request, reads candidates with the most significant byte first, and refills whole batches. */
struct hqc_variant {
  const struct hqc_params *params;
  bool tag_5_0_0;
};

/* Lengths in bytes; r_bits is n, code_bits is n1 n2, message is k. */
#define HQC_PUBLIC_KEY_BYTES(r_bits) (HQC_SEED_BYTES + GF2X_BYTES(r_bits))
#define HQC_SECRET_KEY_BYTES(r_bits, message) \
  (HQC_PUBLIC_KEY_BYTES(r_bits) + 2 * HQC_SEED_BYTES + (message))
#define HQC_CIPHERTEXT_BYTES(r_bits, code_bits) \
  (GF2X_BYTES(r_bits) + (code_bits) / 8 + HQC_SALT_BYTES)

/* Length of v in words and bytes. */
size_t ckem_hqc_code_words(const struct hqc_params *params);
size_t ckem_hqc_code_bytes(const struct hqc_params *params);

/* Working memory in words: two ring elements, the scratch of a product, and the small secrets. */
#define HQC_SMALL_WORDS 256
#define HQC_WORKSPACE_WORDS(r_bits) \
  (2 * GF2X_STRIDE(r_bits) + ARENA_WORDS(GF2X_MUL_SCRATCH_WORDS(r_bits)) + HQC_SMALL_WORDS)

/* Operations of a batch that go side by side, and the memory of batches of any count in words. */
#define HQC_GROUP KECCAK_MAX_WIDTH
#define HQC_LANES_WORDS (256 + 320 * HQC_GROUP)
#define HQC_BATCH_WORDS(r_bits) \
  (HQC_WORKSPACE_WORDS(r_bits) + (HQC_GROUP + 1) * GF2X_STRIDE(r_bits) + HQC_LANES_WORDS)

/* The operations (struct kem_operations), of a struct hqc_variant. Buffers have the lengths above
 * and do not overlap; arena has at least HQC_WORKSPACE_WORDS, starts at a 64-byte boundary, and
 * keeps secrets until the caller wipes it. Errors: CODEKEM_ERROR_INTERNAL if a stream is stuck
 * (ckem_hqc_sample_rejection). Timing: depends on the variant and constant in everything else, but
 * for the number of candidates that were rejected when a key was drawn, and which, which show
 * [HQC, 15.2]. */

/* Makes a key pair from seed[HQC_SEED_BYTES]. Source: [HQC, 11.1]. */
kem_operation ckem_hqc_keypair;

/* Encapsulates seed[k + HQC_SALT_BYTES], the message and then the salt, to public_key. Unused bits
 * there count as the specification has it [HQC, 13]. Source: [HQC, 11.2]. */
kem_operation ckem_hqc_encaps;

/* Decapsulates. A ciphertext that was not made for this key gives J(H(ek), sigma, ciphertext).
 * Source: [HQC, 11.3]. */
kem_operation ckem_hqc_decaps;

/* The same for count operations, with HQC_BATCH_WORDS: buffers hold count items one behind the
 * other, but for the keys that go in, which are a stride apart, 0 where all are one. Each result is
 * that of the single operation. */
kem_operation ckem_hqc_keypair_batch;
kem_operation ckem_hqc_encaps_batch;
kem_operation ckem_hqc_decaps_batch;

/* Makes the key pair again from the seed in secret_key and compares all of it. Errors:
 * CODEKEM_ERROR_SECRET_KEY, also where the streams of the seed are stuck. Timing: the verdict
 * shows. */
kem_operation ckem_hqc_check_secret_key;

/* Return whether an honest party can have made it, as far as unused bits, zero and parity tell.
 * Timing: not constant; both are public. */
bool ckem_hqc_check_public_key(const void *variant, const uint8_t *public_key);
bool ckem_hqc_check_ciphertext(const void *variant, const uint8_t *ciphertext);

/* Copies the public key out of a secret key. */
kem_operation ckem_hqc_derive_public_key;

#endif
