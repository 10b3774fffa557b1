/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Gives Classic McEliece arbitrary public keys, ciphertexts, secret keys and short secret keys. No
 * call may touch other memory; a call refuses what the checks refuse, and nothing else; all back
 * ends, and all ways to do the same, give the same.
 */
#define _POSIX_C_SOURCE 200112L /* posix_memalign */
#include <stdlib.h>
#include <string.h>

#include "codekem_mceliece.h"
#include "fuzz_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* With and without confirmation, and the size whose keys and ciphertexts have unused bits. */
static const char *const names[] = {"mceliece348864f", "mceliece348864pcf", "mceliece6960119f",
                                    "mceliece6960119pc"};
enum { KEMS = sizeof names / sizeof names[0] };

/* An honest key pair, made once for each KEM. */
static struct pair {
  uint8_t *public_key;
  uint8_t *secret_key;
  uint8_t *ciphertext;
} pairs[KEMS];

/* What a call gave on the first back end: at most a public key. */
struct call {
  const codekem_kem *kem;
  uint8_t *public_key;
  uint8_t *secret_key;
  uint8_t *ciphertext;
  size_t piece; /* of a public key in pieces */
  codekem_status first;
  uint8_t *first_output;
  size_t first_length;
};

static void *new_workspace(size_t length) {
  void *workspace = NULL;

  fuzz_require(posix_memalign(&workspace, CODEKEM_WORKSPACE_ALIGNMENT, length) == 0, "no memory");
  return workspace;
}

static const struct pair *honest(size_t index) {
  const codekem_kem *kem = codekem_mceliece_kem_find(names[index]);
  struct pair *pair = &pairs[index];

  if (pair->public_key == NULL) {
    const uint8_t seed[32] = {1};
    uint8_t secret[32];
    void *workspace = new_workspace(kem->length_keypair_workspace);

    pair->public_key = fuzz_allocate(kem->length_public_key);
    pair->secret_key = fuzz_allocate(kem->length_secret_key);
    pair->ciphertext = fuzz_allocate(kem->length_ciphertext);
    fuzz_require(codekem_kem_keypair_with(kem, pair->public_key, pair->secret_key,
                                          CODEKEM_OPTIONS(.seed = seed, .workspace = workspace,
                                                          .workspace_length =
                                                              kem->length_keypair_workspace)) ==
                         CODEKEM_OK &&
                     codekem_kem_encaps_with(kem, pair->ciphertext, secret, pair->public_key,
                                             CODEKEM_OPTIONS(.seed = seed)) == CODEKEM_OK,
                 "an honest exchange failed");
    free(workspace);
  }
  return pair;
}

static uint8_t *copy(const uint8_t *from, size_t length) {
  uint8_t *to = fuzz_allocate(length);

  memcpy(to, from, length);
  return to;
}

/* Compares status and output with those of the first back end; takes the output. */
static void compare(struct call *call, codekem_status status, uint8_t *output, size_t length) {
  if (call->first_output == NULL) {
    call->first = status;
    call->first_output = output;
    call->first_length = length;
    return;
  }
  fuzz_require(call->first == status && call->first_length == length &&
                   memcmp(call->first_output, output, length) == 0,
               "back ends disagree");
  free(output);
}

static void encaps_in_pieces(const struct call *call, const uint8_t *seed, codekem_status expected,
                             const uint8_t *ciphertext, const uint8_t *secret) {
  const codekem_kem *kem = call->kem;
  codekem_mceliece_encapsulation state;
  uint8_t *other = fuzz_allocate(kem->length_ciphertext);
  uint8_t other_secret[32];

  fuzz_require(codekem_mceliece_encaps_begin_derand(kem, &state, seed) == CODEKEM_OK,
               "no encapsulation in pieces");
  for (size_t done = 0; done < kem->length_public_key;) {
    const size_t left = kem->length_public_key - done;
    const size_t here = left < call->piece ? left : call->piece;

    fuzz_require(codekem_mceliece_encaps_absorb(&state, call->public_key + done, here) ==
                     CODEKEM_OK,
                 "a piece is refused");
    done += here;
  }
  fuzz_require(codekem_mceliece_encaps_end(&state, other, other_secret) == expected &&
                   memcmp(other, ciphertext, kem->length_ciphertext) == 0 &&
                   memcmp(other_secret, secret, sizeof other_secret) == 0,
               "pieces give another result");
  free(other);
}

static void encapsulate(void *context) {
  struct call *call = context;
  const codekem_kem *kem = call->kem;
  const uint8_t seed[32] = {2};
  const size_t length = kem->length_ciphertext + kem->length_shared_secret;
  uint8_t *output = fuzz_allocate(length);
  uint8_t *secret = output + kem->length_ciphertext;
  void *workspace = new_workspace(kem->length_encaps_workspace);
  const codekem_status status =
      codekem_kem_encaps_with(kem, output, secret, call->public_key,
                              CODEKEM_OPTIONS(.seed = seed, .workspace = workspace,
                                              .workspace_length = kem->length_encaps_workspace));

  fuzz_require(status == codekem_kem_check_public_key(kem, call->public_key),
               "encaps and the check of public keys disagree");
  encaps_in_pieces(call, seed, status, output, secret);
  free(workspace);
  compare(call, status, output, length);
}

static void decapsulate(void *context) {
  struct call *call = context;
  const codekem_kem *kem = call->kem;
  const size_t prepared_length = codekem_mceliece_prepared_length(kem);
  uint8_t *secret = fuzz_allocate(kem->length_shared_secret);
  uint8_t other[32];
  void *workspace = new_workspace(kem->length_decaps_workspace);
  void *prepared = new_workspace(prepared_length);
  const codekem_status status = codekem_kem_decaps_with(
      kem, secret, call->ciphertext, call->secret_key,
      CODEKEM_OPTIONS(.workspace = workspace, .workspace_length = kem->length_decaps_workspace));

  fuzz_require(status == codekem_kem_check_ciphertext(kem, call->ciphertext),
               "decaps and the check of ciphertexts disagree");
  fuzz_require(
      codekem_mceliece_prepare_secret_key(kem, prepared, prepared_length, call->secret_key,
                                          workspace, kem->length_decaps_workspace) == CODEKEM_OK &&
          codekem_mceliece_decaps_prepared(kem, other, call->ciphertext, prepared, workspace,
                                           kem->length_decaps_workspace) == status &&
          memcmp(other, secret, sizeof other) == 0,
      "a prepared key gives another secret");
  free(prepared);
  free(workspace);
  compare(call, status, secret, kem->length_shared_secret);
}

static void expand(void *context) {
  struct call *call = context;
  const codekem_kem *kem = call->kem;
  const size_t length = kem->length_check_workspace;
  uint8_t *secret_key = fuzz_allocate(kem->length_secret_key);
  void *workspace = new_workspace(length);
  const codekem_status status =
      codekem_mceliece_expand_secret_key(kem, secret_key, call->secret_key, workspace, length);

  fuzz_require(status == CODEKEM_OK || status == CODEKEM_ERROR_SECRET_KEY, "another status");
  fuzz_require(status != CODEKEM_OK ||
                   codekem_kem_check_secret_key_with(kem, secret_key,
                                                     CODEKEM_OPTIONS(.workspace = workspace,
                                                                     .workspace_length = length)) ==
                       CODEKEM_OK,
               "an expanded key is refused");
  free(workspace);
  compare(call, status, secret_key, kem->length_secret_key);
}

/* Rows and the whole of the public key of a secret key that nobody need have made. */
static void derive(void *context) {
  struct call *call = context;
  const codekem_kem *kem = call->kem;
  const size_t length = kem->length_check_workspace;
  const size_t rows_length = codekem_mceliece_rows_length(kem);
  const size_t rows = codekem_mceliece_rows(kem);
  const size_t row_bytes = kem->length_public_key / rows;
  uint8_t *public_key = fuzz_allocate(kem->length_public_key);
  uint8_t *row = fuzz_allocate(row_bytes);
  void *workspace = new_workspace(length);
  void *memory = new_workspace(rows_length);
  const codekem_status status = codekem_kem_derive_public_key_with(
      kem, public_key, call->secret_key,
      CODEKEM_OPTIONS(.workspace = workspace, .workspace_length = length));

  fuzz_require(status == CODEKEM_OK || status == CODEKEM_ERROR_SECRET_KEY, "another status");
  fuzz_require(codekem_mceliece_rows_begin(kem, memory, rows_length, call->secret_key, workspace,
                                           length) == status,
               "rows and the public key disagree about a key");
  if (status == CODEKEM_OK) {
    const size_t place = call->piece % rows;
    fuzz_require(codekem_mceliece_rows_make(kem, row, place, 1, memory) == CODEKEM_OK &&
                     memcmp(row, public_key + place * row_bytes, row_bytes) == 0,
                 "a row is another one");
  }
  free(memory);
  free(workspace);
  free(row);
  compare(call, status, public_key, kem->length_public_key);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct fuzz_input input = {data, size};
  const size_t index = fuzz_take_byte(&input) % KEMS;
  const codekem_kem *kem = codekem_mceliece_kem_find(names[index]);
  const struct pair *pair = honest(index);
  const uint8_t what = fuzz_take_byte(&input);
  struct call call = {.kem = kem,
                      .public_key = copy(pair->public_key, kem->length_public_key),
                      .secret_key = copy(pair->secret_key, kem->length_secret_key),
                      .ciphertext = copy(pair->ciphertext, kem->length_ciphertext),
                      .piece = 50 + 61 * (size_t)fuzz_take_byte(&input)};
  void (*body)(void *) = decapsulate;

  switch (what % 8) {
    case 0:
    case 1:
      fuzz_change(&input, call.public_key, kem->length_public_key);
      body = encapsulate;
      break;
    case 2:
      fuzz_change(&input, call.secret_key, CODEKEM_MCELIECE_SHORT_SECRET_KEY);
      body = expand;
      break;
    case 3:
      fuzz_change(&input, call.secret_key, kem->length_secret_key);
      body = derive;
      break;
    case 4:
      fuzz_change(&input, call.secret_key, kem->length_secret_key);
      break;
    default:
      fuzz_change(&input, call.ciphertext, kem->length_ciphertext);
  }
  fuzz_require(fuzz_for_each_backend(body, &call) > 0, "no back end");
  free(call.first_output);
  free(call.ciphertext);
  free(call.secret_key);
  free(call.public_key);
  return 0;
}
