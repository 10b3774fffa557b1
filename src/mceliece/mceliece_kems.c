/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The KEMs of codekem-mceliece, by name. */
#include <assert.h>
#include <string.h>

#include "codekem_mceliece.h"
#include "kem.h"
#include "mceliece/mceliece.h"

#define KEM(object, name) extern const codekem_kem object;
#include "mceliece/kems.def"
#undef KEM

/* The sizes of the specification [MCE, 2]. */
static_assert(MCELIECE_PUBLIC_KEY_BYTES(12, 3488, 64) == 261120, "public key of 348864");
static_assert(MCELIECE_PUBLIC_KEY_BYTES(13, 4608, 96) == 524160, "public key of 460896");
static_assert(MCELIECE_PUBLIC_KEY_BYTES(13, 6688, 128) == 1044992, "public key of 6688128");
static_assert(MCELIECE_PUBLIC_KEY_BYTES(13, 6960, 119) == 1047319, "public key of 6960119");
static_assert(MCELIECE_PUBLIC_KEY_BYTES(13, 8192, 128) == CODEKEM_MCELIECE_MAX_PUBLIC_KEY,
              "public key of 8192128, the largest");
static_assert(MCELIECE_SECRET_KEY_BYTES(12, 3488, 64) == 6492, "secret key of 348864");
static_assert(MCELIECE_SECRET_KEY_BYTES(13, 4608, 96) == 13608, "secret key of 460896");
static_assert(MCELIECE_SECRET_KEY_BYTES(13, 6688, 128) == 13932, "secret key of 6688128");
static_assert(MCELIECE_SECRET_KEY_BYTES(13, 6960, 119) == 13948, "secret key of 6960119");
static_assert(MCELIECE_SECRET_KEY_BYTES(13, 8192, 128) == CODEKEM_MCELIECE_MAX_SECRET_KEY,
              "secret key of 8192128, the largest");
static_assert(MCELIECE_SYNDROME_BYTES(13, 128) + MCELIECE_HASH_BYTES ==
                  CODEKEM_MCELIECE_MAX_CIPHERTEXT,
              "the largest ciphertext");

static const struct mceliece_variant *mceliece_variant_of(const struct kem_call *call) {
  return call->kem->internal->variant;
}

static codekem_status mceliece_run_keypair(const struct kem_call *call, struct arena arena) {
  const codekem_status status =
      ckem_mceliece_keypair(mceliece_variant_of(call), call->backend, call->out.public_key,
                            call->out.secret_key, call->in.seed, arena);

  ckem_mceliece_wipe_key_stack();
  return status;
}

static codekem_status mceliece_run_check(const struct kem_call *call, struct arena arena) {
  const codekem_status status = ckem_mceliece_check_secret_key(
      mceliece_variant_of(call), call->backend, call->in.secret_key, arena);

  ckem_mceliece_wipe_key_stack();
  return status;
}

static codekem_status mceliece_run_derive(const struct kem_call *call, struct arena arena) {
  const codekem_status status = ckem_mceliece_derive_public_key(
      mceliece_variant_of(call), call->backend, call->out.public_key, call->in.secret_key, arena);

  ckem_mceliece_wipe_key_stack();
  return status;
}

static const struct kem_operations mceliece_operations = {
    .keypair = mceliece_run_keypair,
    .encaps = ckem_mceliece_encaps_derand,
    .decaps = ckem_mceliece_decaps,
    .check_secret_key = mceliece_run_check,
    .derive_public_key = mceliece_run_derive,
    .good_public_key = ckem_mceliece_check_public_key,
    .good_ciphertext = ckem_mceliece_check_ciphertext,
};

static_assert(MCELIECE_ORDER_WORDS(12) <= MCELIECE_MATRIX_WORDS(12, 64) &&
                  MCELIECE_COLUMNS_OF_KEY_WORDS(12) <= MCELIECE_MATRIX_WORDS(12, 64) &&
                  MCELIECE_ORDER_WORDS(13) <= MCELIECE_MATRIX_WORDS(13, 96) &&
                  MCELIECE_COLUMNS_OF_KEY_WORDS(13) <= MCELIECE_MATRIX_WORDS(13, 96),
              "the matrix takes more memory than the columns");

/* Keys are made, and checked, in the memory of the caller only. */
#define MCELIECE_STACKS(size, m, n, t)                                       \
  KEM_STACK(mceliece_decaps_##size##_on_stack, MCELIECE_DECAPS_WORDS(m, t)); \
  MCELIECE_STACKS_OF(size, , m, n, t, false);                                \
  MCELIECE_STACKS_OF(size, pc, m, n, t, true)

#define MCELIECE_STACKS_OF(size, form, m, n, t, confirmed)        \
  KEM_STACK(mceliece_encaps_##size##form##_on_stack,              \
            MCELIECE_ENCAPS_WORDS_OF(m, n, t, confirmed));        \
  static const struct kem_stacks mceliece_stacks_##size##form = { \
      .encaps = mceliece_encaps_##size##form##_on_stack,          \
      .decaps = mceliece_decaps_##size##_on_stack,                \
  }

#define MCELIECE_STACKS_OF_SET(size) \
  MCELIECE_STACKS(size, MCELIECE_M_##size, MCELIECE_N_##size, MCELIECE_T_##size);
MCELIECE_SETS(MCELIECE_STACKS_OF_SET)

/* A KEM with its variant, as objects of their own: a linker can drop those that nobody names. */
#define MCELIECE_KEM(object, name, size, form, version, old, semi, confirmed, m, n, t)   \
  static const struct mceliece_variant object##_variant = {                              \
      .params = &ckem_mceliece_params_##size,                                            \
      .semi_systematic = (semi),                                                         \
      .confirms = (confirmed),                                                           \
  };                                                                                     \
  static const struct codekem_kem_internal object##_internal = {                         \
      .operations = &mceliece_operations,                                                \
      .variant = &object##_variant,                                                      \
      .stacks = &mceliece_stacks_##size##form,                                           \
      .keypair_request = MCELIECE_SEED_BYTES,                                            \
      .encaps_request = MCELIECE_SEED_BYTES,                                             \
  };                                                                                     \
  const codekem_kem object = {                                                           \
      .method_name = (name),                                                             \
      .family = "Classic McEliece",                                                      \
      .alg_version = (version),                                                          \
      .security = "IND-CCA2",                                                            \
      .ind_cca = true,                                                                   \
      .superseded = (old),                                                               \
      .claimed_nist_level = MCELIECE_CATEGORY_##size,                                    \
      .length_public_key = MCELIECE_PUBLIC_KEY_BYTES(m, n, t),                           \
      .length_secret_key = MCELIECE_SECRET_KEY_BYTES(m, n, t),                           \
      .length_ciphertext =                                                               \
          MCELIECE_SYNDROME_BYTES(m, t) + ((confirmed) ? MCELIECE_HASH_BYTES : 0),       \
      .length_shared_secret = MCELIECE_HASH_BYTES,                                       \
      .length_keypair_seed = MCELIECE_SEED_BYTES,                                        \
      .length_encaps_seed = MCELIECE_SEED_BYTES,                                         \
      .length_keypair_workspace = 8 * MCELIECE_KEYPAIR_WORDS(m, n, t),                   \
      .length_encaps_workspace = 8 * MCELIECE_ENCAPS_WORDS_OF(m, n, t, confirmed),       \
      .length_decaps_workspace = 8 * MCELIECE_DECAPS_WORDS(m, t),                        \
      .length_check_workspace = 8 * MCELIECE_CHECK_WORDS(m, n, t),                       \
      .length_keypair_batch_workspace = 8 * MCELIECE_KEYPAIR_WORDS(m, n, t),             \
      .length_encaps_batch_workspace = 8 * MCELIECE_ENCAPS_WORDS_OF(m, n, t, confirmed), \
      .length_decaps_batch_workspace = 8 * MCELIECE_DECAPS_WORDS(m, t),                  \
      .internal = &object##_internal,                                                    \
  }

#define MCELIECE_KEM_OF_SET(object, name, size, form, version, superseded, semi, confirmed)       \
  MCELIECE_KEM(object, name, size, form, version, superseded, semi, confirmed, MCELIECE_M_##size, \
               MCELIECE_N_##size, MCELIECE_T_##size);
MCELIECE_KEMS(MCELIECE_KEM_OF_SET)

static const codekem_kem *const mceliece_kems[] = {
#if defined(CODEKEM_MCELIECE_KEM_LIST)
    CODEKEM_MCELIECE_KEM_LIST
#else
#define KEM(object, name) &object,
#include "mceliece/kems.def"
#undef KEM
#endif
};

size_t codekem_mceliece_kem_count(void) {
  return sizeof mceliece_kems / sizeof mceliece_kems[0];
}

const codekem_kem *codekem_mceliece_kem_at(size_t index) {
  return index < codekem_mceliece_kem_count() ? mceliece_kems[index] : NULL;
}

const codekem_kem *codekem_mceliece_kem_find(const char *name) {
  for (size_t i = 0; name != NULL && i < codekem_mceliece_kem_count(); i++) {
    if (strcmp(mceliece_kems[i]->method_name, name) == 0) {
      return mceliece_kems[i];
    }
  }
  return NULL;
}

const char *codekem_mceliece_warning(void) {
  return "Classic McEliece's categories were claimed in 2022 and are disputed since August 2026; "
         "use it for interoperability, hybrids, research and measurement only";
}

const struct mceliece_variant *ckem_mceliece_variant_of_kem(const codekem_kem *kem) {
  return kem != NULL && kem->internal->operations == &mceliece_operations ? kem->internal->variant
                                                                          : NULL;
}
