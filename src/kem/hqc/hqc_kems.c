/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The KEMs of the HQC family, by name, and the stack of each level. */
#include "hqc/hqc_kems.h"

#include <assert.h>

#include "hqc/hqc.h"

/* The sizes of the specification [HQC, 2]. */
static_assert(HQC_PUBLIC_KEY_BYTES(17669) == 2241, "public key of HQC-1");
static_assert(HQC_PUBLIC_KEY_BYTES(35851) == 4514, "public key of HQC-3");
static_assert(HQC_PUBLIC_KEY_BYTES(57637) == 7237, "public key of HQC-5");
static_assert(HQC_SECRET_KEY_BYTES(17669, 16) == 2321, "secret key of HQC-1");
static_assert(HQC_SECRET_KEY_BYTES(35851, 24) == 4602, "secret key of HQC-3");
static_assert(HQC_SECRET_KEY_BYTES(57637, 32) == 7333, "secret key of HQC-5");
static_assert(HQC_CIPHERTEXT_BYTES(17669, 17664) == 4433, "ciphertext of HQC-1");
static_assert(HQC_CIPHERTEXT_BYTES(35851, 35840) == 8978, "ciphertext of HQC-3");
static_assert(HQC_CIPHERTEXT_BYTES(57637, 57600) == 14421, "ciphertext of HQC-5");

#define CHECK_LEVEL(level)                                                                     \
  static_assert(CODEKEM_MAX_PUBLIC_KEY >= HQC_PUBLIC_KEY_BYTES(HQC_N_##level), "public keys"); \
  static_assert(CODEKEM_MAX_SECRET_KEY >= HQC_SECRET_KEY_BYTES(HQC_N_##level, HQC_K_##level),  \
                "secret keys");                                                                \
  static_assert(CODEKEM_MAX_CIPHERTEXT >=                                                      \
                    HQC_CIPHERTEXT_BYTES(HQC_N_##level, HQC_CODE_BITS_##level),                \
                "ciphertexts");
HQC_LEVELS(CHECK_LEVEL)

static const struct kem_operations hqc_operations = {
    .keypair = ckem_hqc_keypair,
    .encaps = ckem_hqc_encaps,
    .decaps = ckem_hqc_decaps,
    .check_secret_key = ckem_hqc_check_secret_key,
    .derive_public_key = ckem_hqc_derive_public_key,
    .good_public_key = ckem_hqc_check_public_key,
    .good_ciphertext = ckem_hqc_check_ciphertext,
    .keypair_batch = KEM_BATCH(ckem_hqc_keypair_batch),
    .encaps_batch = KEM_BATCH(ckem_hqc_encaps_batch),
    .decaps_batch = KEM_BATCH(ckem_hqc_decaps_batch),
};

/* All operations of a level take about the same memory, so that one function has the stack of
 * each, and one that of their batches. */
#define HQC_STACKS_OF(level, r_bits)                                           \
  KEM_STACK(hqc_level##level##_on_stack, HQC_WORKSPACE_WORDS(r_bits));         \
  KEM_BATCH_STACK(hqc_level##level##_batch_on_stack, HQC_BATCH_WORDS(r_bits)); \
  const struct kem_stacks ckem_hqc_level##level##_stacks = {                   \
      .keypair = hqc_level##level##_on_stack,                                  \
      .encaps = hqc_level##level##_on_stack,                                   \
      .decaps = hqc_level##level##_on_stack,                                   \
      .check = hqc_level##level##_on_stack,                                    \
      .keypair_batch = KEM_BATCH(hqc_level##level##_batch_on_stack),           \
      .encaps_batch = KEM_BATCH(hqc_level##level##_batch_on_stack),            \
      .decaps_batch = KEM_BATCH(hqc_level##level##_batch_on_stack),            \
  }

/* The bytes of a batch; without batches of their own they are single calls. */
#define HQC_BATCH_BYTES(r_bits) \
  (KEM_BATCHES ? 8 * HQC_BATCH_WORDS(r_bits) : 8 * HQC_WORKSPACE_WORDS(r_bits))

#define HQC_STACKS(level) HQC_STACKS_OF(level, HQC_N_##level);
HQC_LEVELS(HQC_STACKS)

/* The revision of 2026-02-10, and the tag v5.0.0 before it: see struct hqc_variant. */
#define HQC_OF_LEVEL(object, name, level, version, superseded, tag)                            \
  HQC_DEFINE_KEM(object, name, level, version, superseded, tag, hqc_operations,                \
                 HQC_PUBLIC_KEY_BYTES(HQC_N_##level),                                          \
                 HQC_SECRET_KEY_BYTES(HQC_N_##level, HQC_K_##level),                           \
                 HQC_CIPHERTEXT_BYTES(HQC_N_##level, HQC_CODE_BITS_##level), HQC_SECRET_BYTES, \
                 HQC_SEED_BYTES, HQC_BATCH_BYTES(HQC_N_##level));
HQC_KEMS(HQC_OF_LEVEL)
