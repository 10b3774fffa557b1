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

/* Defines the function `name`, which calls codekem_<name>. */
#define CALL(name, ...)                      \
  static int name(void *const *a) {          \
    return (int)codekem_##name(__VA_ARGS__); \
  }
#define CALL_1(name) CALL(name, a[0])
#define CALL_2(name) CALL(name, a[0], a[1])
#define CALL_3(name) CALL(name, a[0], a[1], a[2])
#define CALL_4(name) CALL(name, a[0], a[1], a[2], a[3])

/* --- codekem.h -------------------------------------------------------------------------------- */

CALL_3(kem_keypair)
CALL_4(kem_encaps)
CALL_4(kem_decaps)
CALL_4(kem_keypair_derand)
CALL(kem_encaps_derand, a[0], a[1], a[2], a[3], a[4])
CALL(kem_keypair_random, a[0], a[1], a[2], SOURCE(3), NULL)
CALL(kem_encaps_random, a[0], a[1], a[2], a[3], SOURCE(4), NULL)
CALL(kem_keypair_workspace, a[0], a[1], a[2], a[3], a[4], LENGTH)
CALL(kem_encaps_workspace, a[0], a[1], a[2], a[3], a[4], a[5], LENGTH)
CALL(kem_decaps_workspace, a[0], a[1], a[2], a[3], a[4], LENGTH)
CALL(kem_keypair_random_workspace, a[0], a[1], a[2], SOURCE(3), NULL, a[4], LENGTH)
CALL(kem_encaps_random_workspace, a[0], a[1], a[2], a[3], SOURCE(4), NULL, a[5], LENGTH)
CALL(kem_keypair_batch, a[0], BATCH, a[1], a[2])
CALL(kem_encaps_batch, a[0], BATCH, a[1], a[2], a[3], 0)
CALL(kem_decaps_batch, a[0], BATCH, a[1], a[2], a[3], 0)
CALL(kem_keypair_batch_derand, a[0], BATCH, a[1], a[2], a[3])
CALL(kem_encaps_batch_derand, a[0], BATCH, a[1], a[2], a[3], 0, a[4])
CALL(kem_keypair_batch_random, a[0], BATCH, a[1], a[2], SOURCE(3), NULL)
CALL(kem_encaps_batch_random, a[0], BATCH, a[1], a[2], a[3], 0, SOURCE(4), NULL)
CALL(kem_keypair_batch_workspace, a[0], BATCH, a[1], a[2], a[3], a[4], LENGTH)
CALL(kem_encaps_batch_workspace, a[0], BATCH, a[1], a[2], a[3], 0, a[4], a[5], LENGTH)
CALL(kem_decaps_batch_workspace, a[0], BATCH, a[1], a[2], a[3], 0, a[4], LENGTH)
CALL(kem_keypair_batch_random_workspace, a[0], BATCH, a[1], a[2], SOURCE(3), NULL, a[4], LENGTH)
CALL(kem_encaps_batch_random_workspace, a[0], BATCH, a[1], a[2], a[3], 0, SOURCE(4), NULL, a[5],
     LENGTH)
CALL_2(kem_check_public_key)
CALL_2(kem_check_secret_key)
CALL_2(kem_check_ciphertext)
CALL_3(kem_derive_public_key)
CALL(kem_check_secret_key_workspace, a[0], a[1], a[2], LENGTH)
CALL(kem_derive_public_key_workspace, a[0], a[1], a[2], a[3], LENGTH)

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
  {"codekem_" #call, arguments, operations, call, workspace, prepare}

const struct function ckem_kem_functions[] = {
    ROW(kem_keypair, "KPS", 1, NULL, NULL),
    ROW(kem_encaps, "KCHp", 1, NULL, NULL),
    ROW(kem_decaps, "KHcs", 1, NULL, NULL),
    ROW(kem_keypair_derand, "KPSk", 1, NULL, NULL),
    ROW(kem_encaps_derand, "KCHpe", 1, NULL, NULL),
    ROW(kem_keypair_random, "KPSr", 1, NULL, NULL),
    ROW(kem_encaps_random, "KCHpr", 1, NULL, NULL),
    ROW(kem_keypair_workspace, "KPSkw", 1, keypair_bytes, NULL),
    ROW(kem_encaps_workspace, "KCHpew", 1, encaps_bytes, NULL),
    ROW(kem_decaps_workspace, "KHcsw", 1, decaps_bytes, NULL),
    ROW(kem_keypair_random_workspace, "KPSrw", 1, keypair_bytes, NULL),
    ROW(kem_encaps_random_workspace, "KCHprw", 1, encaps_bytes, NULL),
    ROW(kem_keypair_batch, "KPS", BATCH, NULL, NULL),
    ROW(kem_encaps_batch, "KCHp", BATCH, NULL, NULL),
    ROW(kem_decaps_batch, "KHcs", BATCH, NULL, NULL),
    ROW(kem_keypair_batch_derand, "KPSk", BATCH, NULL, NULL),
    ROW(kem_encaps_batch_derand, "KCHpe", BATCH, NULL, NULL),
    ROW(kem_keypair_batch_random, "KPSr", BATCH, NULL, NULL),
    ROW(kem_encaps_batch_random, "KCHpr", BATCH, NULL, NULL),
    ROW(kem_keypair_batch_workspace, "KPSkw", BATCH, keypair_batch_bytes, NULL),
    ROW(kem_encaps_batch_workspace, "KCHpew", BATCH, encaps_batch_bytes, NULL),
    ROW(kem_decaps_batch_workspace, "KHcsw", BATCH, decaps_batch_bytes, NULL),
    ROW(kem_keypair_batch_random_workspace, "KPSrw", BATCH, keypair_batch_bytes, NULL),
    ROW(kem_encaps_batch_random_workspace, "KCHprw", BATCH, encaps_batch_bytes, NULL),
    ROW(kem_check_public_key, "Kp", 1, NULL, NULL),
    ROW(kem_check_secret_key, "Ks", 1, NULL, NULL),
    ROW(kem_check_ciphertext, "Kc", 1, NULL, NULL),
    ROW(kem_derive_public_key, "KPs", 1, NULL, NULL),
    ROW(kem_check_secret_key_workspace, "Ksw", 1, check_bytes, NULL),
    ROW(kem_derive_public_key_workspace, "KPsw", 1, check_bytes, NULL),
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
