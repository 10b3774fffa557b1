/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The KEMs of the HQC family, by name, and the stack of each level. */
#include "hqc/hqc_kems.h"

#include <assert.h>
#include <stdalign.h>

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
static_assert(CODEKEM_MAX_PUBLIC_KEY >= HQC_PUBLIC_KEY_BYTES(57637), "the largest public key");
static_assert(CODEKEM_MAX_SECRET_KEY >= HQC_SECRET_KEY_BYTES(57637, 32), "the largest secret key");
static_assert(CODEKEM_MAX_CIPHERTEXT >= HQC_CIPHERTEXT_BYTES(57637, 57600),
              "the largest ciphertext");

static codekem_status keypair(const void *variant, const struct backend *backend,
                              uint8_t *public_key, uint8_t *secret_key, const uint8_t *seed,
                              struct arena arena) {
  return hqc_keypair(variant, backend, public_key, secret_key, seed, arena);
}

static codekem_status encaps(const void *variant, const struct backend *backend,
                             uint8_t *ciphertext, uint8_t *shared_secret,
                             const uint8_t *public_key, const uint8_t *seed, struct arena arena) {
  return hqc_encaps(variant, backend, ciphertext, shared_secret, public_key, seed, arena);
}

static codekem_status decaps(const void *variant, const struct backend *backend,
                             uint8_t *shared_secret, const uint8_t *ciphertext,
                             const uint8_t *secret_key, struct arena arena) {
  return hqc_decaps(variant, backend, shared_secret, ciphertext, secret_key, arena);
}

static codekem_status check_public_key(const void *variant, const uint8_t *public_key) {
  const struct hqc_variant *v = variant;
  return hqc_is_canonical(v->params, public_key + HQC_SEED_BYTES) ? CODEKEM_OK
                                                                  : CODEKEM_ERROR_PUBLIC_KEY;
}

static codekem_status check_secret_key(const void *variant, const struct backend *backend,
                                       const uint8_t *secret_key, struct arena arena) {
  return hqc_check_secret_key(variant, backend, secret_key, arena);
}

static codekem_status check_ciphertext(const void *variant, const uint8_t *ciphertext) {
  const struct hqc_variant *v = variant;
  return hqc_is_canonical(v->params, ciphertext) ? CODEKEM_OK : CODEKEM_ERROR_CIPHERTEXT;
}

static const struct kem_operations operations = {
    .keypair = keypair,
    .encaps = encaps,
    .decaps = decaps,
    .check_public_key = check_public_key,
    .check_secret_key = check_secret_key,
    .check_ciphertext = check_ciphertext,
};

/* Each function below takes from the stack what an operation needs at its level. */

static codekem_status level1_on_stack(kem_body *body, const struct kem_call *call) {
  alignas(64) uint64_t words[HQC_WORKSPACE_WORDS(17669)];
  return kem_run_in(words, HQC_WORKSPACE_WORDS(17669), body, call);
}

static codekem_status level3_on_stack(kem_body *body, const struct kem_call *call) {
  alignas(64) uint64_t words[HQC_WORKSPACE_WORDS(35851)];
  return kem_run_in(words, HQC_WORKSPACE_WORDS(35851), body, call);
}

static codekem_status level5_on_stack(kem_body *body, const struct kem_call *call) {
  alignas(64) uint64_t words[HQC_WORKSPACE_WORDS(57637)];
  return kem_run_in(words, HQC_WORKSPACE_WORDS(57637), body, call);
}

#define HQC_INTERNAL(variant_, on_stack, message)                                      \
  {                                                                                   \
    .operations = &operations, .variant = (variant_), .keypair_on_stack = (on_stack), \
    .encaps_on_stack = (on_stack), .decaps_on_stack = (on_stack),                     \
    .keypair_request = HQC_SEED_BYTES, .encaps_request = (message) + HQC_SALT_BYTES   \
  }

#define HQC_FIELDS(level, r_bits, code_bits, message)                                 \
  .claimed_nist_level = (level),                                                      \
  .security = "IND-CCA2", .ind_cca = true,                                            \
  .length_public_key = HQC_PUBLIC_KEY_BYTES(r_bits),                                  \
  .length_secret_key = HQC_SECRET_KEY_BYTES(r_bits, message),                         \
  .length_ciphertext = HQC_CIPHERTEXT_BYTES(r_bits, code_bits),                       \
  .length_shared_secret = HQC_SECRET_BYTES, .length_keypair_seed = HQC_SEED_BYTES,    \
  .length_encaps_seed = (message) + HQC_SALT_BYTES,                                   \
  .length_keypair_workspace = 8 * HQC_WORKSPACE_WORDS(r_bits),                        \
  .length_encaps_workspace = 8 * HQC_WORKSPACE_WORDS(r_bits),                         \
  .length_decaps_workspace = 8 * HQC_WORKSPACE_WORDS(r_bits)

#define HQC_LEVEL1 HQC_FIELDS(1, 17669, 17664, 16)
#define HQC_LEVEL3 HQC_FIELDS(3, 35851, 35840, 24)
#define HQC_LEVEL5 HQC_FIELDS(5, 57637, 57600, 32)

/* The revision of 2026-02-10, and the tag v5.0.0 before it: see struct hqc_variant. */
#define REVISION "2025-08-22 (161cd4f)"
#define TAG "2025-08-22 (v5.0.0)"

/* A KEM with its variant, as objects of their own: a linker can drop those that nobody names. */
#define HQC_KEM(name, method, revision, number, message, tag)                      \
  static const struct hqc_variant name##_variant = {&hqc_level##number, (tag)};    \
  static const struct codekem_kem_internal name##_internal =                       \
      HQC_INTERNAL(&name##_variant, level##number##_on_stack, message);            \
  const codekem_kem name = {(method), (revision), HQC_LEVEL##number,               \
                            .internal = &name##_internal}

HQC_KEM(hqc_1, "HQC-1", REVISION, 1, 16, false);
HQC_KEM(hqc_3, "HQC-3", REVISION, 3, 24, false);
HQC_KEM(hqc_5, "HQC-5", REVISION, 5, 32, false);
HQC_KEM(hqc_1_v5_0_0, "HQC-1-v5.0.0", TAG, 1, 16, true);
HQC_KEM(hqc_3_v5_0_0, "HQC-3-v5.0.0", TAG, 3, 24, true);
HQC_KEM(hqc_5_v5_0_0, "HQC-5-v5.0.0", TAG, 5, 32, true);
