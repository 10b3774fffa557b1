/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Every public function that returns a status, called with an array of pointers. */
#include "contract.h"

#include "codekem_mceliece.h"
#include "codekem_sofia.h"

codekem_random_function contract_source;
size_t contract_workspace_length;

#define LENGTH contract_workspace_length
/* A function pointer is missing where its place in the array is NULL. */
#define SOURCE(i) (a[i] == NULL ? NULL : contract_source)

/* Defines the function `name`, which calls codekem_<called>. */
#define CALL_AS(name, called, ...)             \
  static int name(void *const *a) {            \
    return (int)codekem_##called(__VA_ARGS__); \
  }
#define CALL(name, ...) CALL_AS(name, name, __VA_ARGS__)
#define CALL_1(name) CALL(name, a[0])
#define CALL_2(name) CALL(name, a[0], a[1])
#define CALL_3(name) CALL(name, a[0], a[1], a[2])
#define CALL_4(name) CALL(name, a[0], a[1], a[2], a[3])

/* --- codekem.h -------------------------------------------------------------------------------- */

CALL_3(kem_keypair)
CALL_4(kem_encaps)
CALL_4(kem_decaps)
CALL_2(kem_check_public_key)
CALL_2(kem_check_secret_key)
CALL_2(kem_check_ciphertext)
CALL_3(kem_derive_public_key)

/* With options: from a seed or a source of randomness, and in a workspace. */
#define SEEDED(i) CODEKEM_OPTIONS(.seed = a[i])
#define DRAWN(i) CODEKEM_OPTIONS(.random = SOURCE(i))
#define WORKSPACE(i) .workspace = a[i], .workspace_length = LENGTH
#define SEEDED_IN(i, w) CODEKEM_OPTIONS(.seed = a[i], WORKSPACE(w))
#define DRAWN_IN(i, w) CODEKEM_OPTIONS(.random = SOURCE(i), WORKSPACE(w))
#define CALLS(name, i, ...)                                           \
  CALL_AS(name##_seeded, name, __VA_ARGS__, SEEDED(i))                \
  CALL_AS(name##_drawn, name, __VA_ARGS__, DRAWN(i))                  \
  CALL_AS(name##_seeded_in, name, __VA_ARGS__, SEEDED_IN(i, (i) + 1)) \
  CALL_AS(name##_drawn_in, name, __VA_ARGS__, DRAWN_IN(i, (i) + 1))
CALLS(kem_keypair_with, 3, a[0], a[1], a[2])
CALLS(kem_encaps_with, 4, a[0], a[1], a[2], a[3])
CALLS(kem_keypair_batch, 3, a[0], BATCH, a[1], a[2])
CALLS(kem_encaps_batch, 4, a[0], BATCH, a[1], a[2], a[3], 0)
CALL(kem_keypair_batch, a[0], BATCH, a[1], a[2], NULL)
CALL(kem_encaps_batch, a[0], BATCH, a[1], a[2], a[3], 0, NULL)
CALL(kem_decaps_batch, a[0], BATCH, a[1], a[2], a[3], 0, NULL)
CALL(kem_decaps_with, a[0], a[1], a[2], a[3], CODEKEM_OPTIONS(WORKSPACE(4)))
CALL_AS(kem_decaps_batch_in, kem_decaps_batch, a[0], BATCH, a[1], a[2], a[3], 0,
        CODEKEM_OPTIONS(WORKSPACE(4)))
CALL(kem_check_secret_key_with, a[0], a[1], CODEKEM_OPTIONS(WORKSPACE(2)))
CALL(kem_derive_public_key_with, a[0], a[1], a[2], CODEKEM_OPTIONS(WORKSPACE(3)))

CALL(kem_self_test, a[0], a[1], LENGTH)
CALL(kem_check_pair, a[0], a[1], a[2], a[3], LENGTH)

#define WORKSPACE_OF(operation)                             \
  static size_t operation##_bytes(const codekem_kem *kem) { \
    return kem->length_##operation##_workspace;             \
  }
WORKSPACE_OF(keypair)
WORKSPACE_OF(encaps)
WORKSPACE_OF(decaps)
WORKSPACE_OF(check)
WORKSPACE_OF(keypair_batch)
WORKSPACE_OF(encaps_batch)
WORKSPACE_OF(decaps_batch)

#define ROW(call, arguments, operations, workspace, prepare) \
  {"codekem_" #call, arguments, operations, call, workspace, prepare, false}
/* A row whose seed, source and workspace are members of options. */
#define WITH(run, call, arguments, operations, workspace) \
  {"codekem_" #call, arguments, operations, run, workspace, NULL, true}
#define ROWS(call, operation, arguments, seed, operations)                             \
  WITH(call##_seeded, call, arguments seed, operations, NULL),                         \
      WITH(call##_drawn, call, arguments "r", operations, NULL),                       \
      WITH(call##_seeded_in, call, arguments seed "w", operations, operation##_bytes), \
      WITH(call##_drawn_in, call, arguments "rw", operations, operation##_bytes)

const struct function ckem_kem_functions[] = {
    ROW(kem_keypair, "KPS", 1, NULL, NULL),
    ROW(kem_encaps, "KCHp", 1, NULL, NULL),
    ROW(kem_decaps, "KHcs", 1, NULL, NULL),
    ROWS(kem_keypair_with, keypair, "KPS", "k", 1),
    ROWS(kem_encaps_with, encaps, "KCHp", "e", 1),
    WITH(kem_decaps_with, kem_decaps_with, "KHcsw", 1, decaps_bytes),
    ROW(kem_keypair_batch, "KPS", BATCH, NULL, NULL),
    ROW(kem_encaps_batch, "KCHp", BATCH, NULL, NULL),
    ROW(kem_decaps_batch, "KHcs", BATCH, NULL, NULL),
    ROWS(kem_keypair_batch, keypair_batch, "KPS", "k", BATCH),
    ROWS(kem_encaps_batch, encaps_batch, "KCHp", "e", BATCH),
    WITH(kem_decaps_batch_in, kem_decaps_batch, "KHcsw", BATCH, decaps_batch_bytes),
    ROW(kem_check_public_key, "Kp", 1, NULL, NULL),
    ROW(kem_check_secret_key, "Ks", 1, NULL, NULL),
    ROW(kem_check_ciphertext, "Kc", 1, NULL, NULL),
    ROW(kem_derive_public_key, "KPs", 1, NULL, NULL),
    WITH(kem_check_secret_key_with, kem_check_secret_key_with, "Ksw", 1, check_bytes),
    WITH(kem_derive_public_key_with, kem_derive_public_key_with, "KPsw", 1, check_bytes),
    ROW(kem_self_test, "Kw", 1, codekem_kem_self_test_workspace, NULL),
    ROW(kem_check_pair, "Kpsw", 1, codekem_kem_self_test_workspace, NULL),
};
const size_t kem_function_count = sizeof ckem_kem_functions / sizeof ckem_kem_functions[0];

/* --- codekem_mceliece.h ----------------------------------------------------------------------- */

static bool take_page(void *context, size_t offset, const uint8_t *page, size_t length) {
  (void)context;
  (void)offset;
  (void)page;
  return length > 0;
}

static size_t pages_bytes(const codekem_kem *kem) {
  return codekem_mceliece_keypair_in_pages_workspace(kem, PAGE);
}

size_t without_scheme(size_t length) {
  return length == 0 ? CODEKEM_WORKSPACE_ALIGNMENT : length;
}

CALL(mceliece_encaps_random, a[0], a[1], a[2], a[3], SOURCE(4), NULL, a[5], LENGTH)
CALL(mceliece_expand_secret_key, a[0], a[1], a[2], a[3], LENGTH)
CALL(mceliece_prepare_secret_key, a[0], a[1],
     without_scheme(codekem_mceliece_prepared_length(a[0])), a[2], a[3], LENGTH)
CALL(mceliece_decaps_prepared, a[0], a[1], a[2], a[3], a[4], LENGTH)
CALL(mceliece_encaps_begin, a[0], a[1], SOURCE(2), NULL)
CALL_3(mceliece_encaps_begin_derand)
CALL(mceliece_encaps_absorb, a[0], a[1], 1)
CALL_3(mceliece_encaps_end)
CALL(mceliece_rows_begin, a[0], a[1], without_scheme(codekem_mceliece_rows_length(a[0])), a[2],
     a[3], LENGTH)
CALL(mceliece_rows_make, a[0], a[1], 0, 1, a[2])
CALL(mceliece_keypair_in_pages, a[0], a[1], a[2], PAGE, a[3] == NULL ? NULL : take_page, NULL, a[4],
     LENGTH)

const struct function mceliece_functions[] = {
    ROW(mceliece_encaps_random, "KCHprw", 1, encaps_bytes, NULL),
    ROW(mceliece_expand_secret_key, "KSxw", 1, check_bytes, NULL),
    ROW(mceliece_prepare_secret_key, "KMsw", 1, decaps_bytes, NULL),
    ROW(mceliece_decaps_prepared, "KHcmw", 1, decaps_bytes, NULL),
    ROW(mceliece_encaps_begin, "KEr", 1, NULL, NULL),
    ROW(mceliece_encaps_begin_derand, "KEe", 1, NULL, NULL),
    ROW(mceliece_encaps_absorb, "uy", 1, NULL, NULL),
    ROW(mceliece_encaps_end, "uCH", 1, NULL, NULL),
    ROW(mceliece_rows_begin, "KRsw", 1, check_bytes, NULL),
    ROW(mceliece_rows_make, "KQt", 1, NULL, NULL),
    ROW(mceliece_keypair_in_pages, "KSkfw", 1, pages_bytes, NULL),
};
const size_t mceliece_function_count = sizeof mceliece_functions / sizeof mceliece_functions[0];

/* --- codekem_sofia.h -------------------------------------------------------------------------- */

static size_t sofia_keypair_bytes(const codekem_kem *kem) {
  (void)kem;
  return CODEKEM_SOFIA_KEYPAIR_WORKSPACE;
}

static size_t sofia_sign_bytes(const codekem_kem *kem) {
  (void)kem;
  return CODEKEM_SOFIA_SIGN_WORKSPACE;
}

static size_t sofia_verify_bytes(const codekem_kem *kem) {
  (void)kem;
  return CODEKEM_SOFIA_VERIFY_WORKSPACE;
}

CALL_2(sofia_keypair)
CALL_3(sofia_keypair_derand)
CALL(sofia_keypair_random, a[0], a[1], SOURCE(2), NULL)
CALL(sofia_sign, a[0], a[1], MESSAGE, a[2])
CALL(sofia_verify, a[0], MESSAGE, a[1], CODEKEM_SOFIA_SIGNATURE, a[2])
CALL(sofia_keypair_workspace, a[0], a[1], a[2], a[3], LENGTH)
CALL(sofia_sign_workspace, a[0], a[1], MESSAGE, a[2], a[3], LENGTH)
CALL(sofia_verify_workspace, a[0], MESSAGE, a[1], CODEKEM_SOFIA_SIGNATURE, a[2], a[3], LENGTH)
CALL(sofia_sign_start, a[0], LENGTH, a[1])
CALL(sofia_sign_update, a[0], a[1], MESSAGE)
CALL_1(sofia_sign_again)
CALL_2(sofia_sign_finish)
CALL(sofia_verify_start, a[0], LENGTH, a[1], CODEKEM_SOFIA_SIGNATURE, a[2])
CALL(sofia_verify_update, a[0], a[1], MESSAGE)
CALL_1(sofia_verify_finish)

/* A key and a message of zeros. */
static const uint8_t zeros[CODEKEM_SOFIA_SIGNATURE];

static void signing(void *const *a) {
  (void)!codekem_sofia_sign_start(a[0], CODEKEM_SOFIA_SIGN_WORKSPACE, zeros);
}

static void signing_again(void *const *a) {
  signing(a);
  (void)!codekem_sofia_sign_again(a[0]);
}

static void verifying(void *const *a) {
  (void)!codekem_sofia_verify_start(a[0], CODEKEM_SOFIA_VERIFY_WORKSPACE, zeros, sizeof zeros,
                                    zeros);
}

const struct function sofia_functions[] = {
    ROW(sofia_keypair, "PS", 1, NULL, NULL),
    ROW(sofia_keypair_derand, "PSk", 1, NULL, NULL),
    ROW(sofia_keypair_random, "PSr", 1, NULL, NULL),
    ROW(sofia_sign, "Czs", 1, NULL, NULL),
    ROW(sofia_verify, "zcp", 1, NULL, NULL),
    ROW(sofia_keypair_workspace, "PSkw", 1, sofia_keypair_bytes, NULL),
    ROW(sofia_sign_workspace, "Czsw", 1, sofia_sign_bytes, NULL),
    ROW(sofia_verify_workspace, "zcpw", 1, sofia_verify_bytes, NULL),
    ROW(sofia_sign_start, "ws", 1, sofia_sign_bytes, NULL),
    ROW(sofia_sign_update, "vz", 1, sofia_sign_bytes, signing),
    ROW(sofia_sign_again, "v", 1, sofia_sign_bytes, signing),
    ROW(sofia_sign_finish, "vC", 1, sofia_sign_bytes, signing_again),
    ROW(sofia_verify_start, "wcp", 1, sofia_verify_bytes, NULL),
    ROW(sofia_verify_update, "vz", 1, sofia_verify_bytes, verifying),
    ROW(sofia_verify_finish, "v", 1, sofia_verify_bytes, verifying),
};
const size_t sofia_function_count = sizeof sofia_functions / sizeof sofia_functions[0];
