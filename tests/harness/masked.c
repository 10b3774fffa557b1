/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HQC in shares, as MASKED-HQC-1: its operations. All shares are secret, and so is the seed of the
 * masks. */
#include <string.h>

#include "codekem_masked.h"
#include "subject.h"

#define PREFIX "MASKED-"
#define SEED_BYTES (CODEKEM_MASKED_SHARES * CODEKEM_MAX_ENCAPS_SEED)

/* Bits of row.reads and row.makes. */
enum { SEED = 1, PLAIN = 2, PUBLIC_KEY = 4, SECRET_KEY = 8, CIPHERTEXT = 16, SHARED_SECRET = 32 };

static const codekem_masked_kem *kem;
static uint8_t seed[SEED_BYTES], masks_seed[32];
static uint8_t public_key[CODEKEM_MAX_PUBLIC_KEY], plain[CODEKEM_MAX_SECRET_KEY];
static uint8_t secret_key[CODEKEM_MASKED_MAX_SECRET_KEY];
static uint8_t ciphertext[CODEKEM_MAX_CIPHERTEXT];
static uint8_t shares[CODEKEM_MASKED_MAX_SHARED_SECRET], expected[32];

static bool choose(const char *name) {
  const size_t length = strlen(PREFIX);

  if (strncmp(name, PREFIX, length) != 0) {
    return false;
  }
  kem = codekem_masked_find(name + length);
  return kem != NULL;
}

/* The source from which masks are seeded. */
static bool give_masks_seed(void *context, uint8_t *out, size_t length) {
  (void)context;
  memcpy(out, masks_seed, length < sizeof masks_seed ? length : sizeof masks_seed);
  return length <= sizeof masks_seed;
}

static codekem_masked_options options_of(const uint8_t *with) {
  return (codekem_masked_options){
      .size = sizeof(codekem_masked_options), .seed = with, .random = give_masks_seed};
}

static codekem_masked_options workspace_of(const uint8_t *with) {
  codekem_masked_options options = options_of(with);

  options.workspace = harness_workspace;
  options.workspace_length = kem->length_workspace;
  return options;
}

static void prepare(const struct row *row, const struct turn *turn) {
  const unsigned number = turn->number;
  const unsigned key_number = row->inputs == ONE_KEY || turn->fixed_key ? 0 : number;
  uint8_t pair_seed[CODEKEM_MAX_KEYPAIR_SEED], encaps_seed[CODEKEM_MAX_ENCAPS_SEED];
  const codekem_masked_options options = options_of(NULL);

  harness_fill(masks_seed, sizeof masks_seed, 3000 + number);
  harness_fill(seed, sizeof seed, 1000 + number);
  harness_fill(pair_seed, sizeof pair_seed, 2000 + key_number);
  harness_fill(encaps_seed, sizeof encaps_seed, 4000 + number);
  harness_require(codekem_kem_keypair_with(kem->kem, public_key, plain,
                                           CODEKEM_OPTIONS(.seed = pair_seed)) == CODEKEM_OK &&
                      codekem_kem_encaps_with(kem->kem, ciphertext, expected, public_key,
                                              CODEKEM_OPTIONS(.seed = encaps_seed)) == CODEKEM_OK &&
                      codekem_masked_import_key(kem, secret_key, plain, &options) == CODEKEM_OK,
                  "no key pair");
  if (turn->spoiled) {
    harness_fill(ciphertext, 64, 5000 + number);
    harness_require(codekem_kem_decaps(kem->kem, expected, ciphertext, plain) == CODEKEM_OK,
                    "no rejected secret");
  }
  harness_made(public_key, sizeof public_key);
  harness_made(plain, sizeof plain);
  harness_made(secret_key, sizeof secret_key);
  harness_made(ciphertext, sizeof ciphertext);
  harness_made(expected, sizeof expected);
}

static size_t regions(const struct row *row, struct region *list) {
  const size_t fixed = kem->kem->length_public_key + 32; /* of a key in shares */
  const size_t shared = kem->length_secret_key - fixed;
  size_t count = 0;

  list[count++] = (struct region){"masks", masks_seed, sizeof masks_seed, SECRET_INPUT, 0};
  if ((row->reads & SEED) != 0) {
    list[count++] = (struct region){"seed", seed, sizeof seed, SECRET_INPUT, 0};
  }
  if ((row->reads & PLAIN) != 0) {
    list[count++] =
        (struct region){"key", plain + kem->kem->length_public_key,
                        kem->kem->length_secret_key - kem->kem->length_public_key, SECRET_INPUT, 0};
  }
  if ((row->reads & SECRET_KEY) != 0) {
    list[count++] = (struct region){"key", secret_key + fixed, shared, SECRET_INPUT, 0};
  }
  if ((row->makes & PUBLIC_KEY) != 0) {
    list[count++] =
        (struct region){"public key", public_key, kem->kem->length_public_key, PUBLIC_OUTPUT, 0};
  }
  if ((row->makes & SECRET_KEY) != 0) {
    list[count++] = (struct region){"key", secret_key + fixed, shared, SECRET_OUTPUT, 0};
  }
  if ((row->makes & CIPHERTEXT) != 0) {
    list[count++] =
        (struct region){"ciphertext", ciphertext, kem->kem->length_ciphertext, PUBLIC_OUTPUT, 0};
  }
  if ((row->makes & SHARED_SECRET) != 0) {
    list[count++] = (struct region){"secret", shares, kem->length_shared_secret, SECRET_OUTPUT, 0};
  }
  return count;
}

static bool agrees(const struct row *row, const struct turn *turn) {
  uint8_t secret[32];

  (void)turn;
  if ((row->makes & CIPHERTEXT) != 0) {
    if (codekem_kem_decaps(kem->kem, expected, ciphertext, plain) != CODEKEM_OK) {
      return false;
    }
    harness_made(expected, sizeof expected);
  }
  codekem_masked_join(secret, shares, sizeof secret);
  return (row->makes & SHARED_SECRET) == 0 || memcmp(secret, expected, sizeof secret) == 0;
}

/* --- Calls ------------------------------------------------------------------------------------ */

static size_t workspace(void) {
  return kem->length_workspace;
}

static codekem_status masked_keypair(void) {
  const codekem_masked_options options = options_of(seed);

  return codekem_masked_keypair(kem, public_key, secret_key, &options);
}

static codekem_status masked_keypair_in_workspace(void) {
  const codekem_masked_options options = workspace_of(seed);

  return codekem_masked_keypair(kem, public_key, secret_key, &options);
}

static codekem_status masked_import(void) {
  const codekem_masked_options options = options_of(NULL);

  return codekem_masked_import_key(kem, secret_key, plain, &options);
}

static codekem_status masked_refresh(void) {
  const codekem_masked_options options = options_of(NULL);

  return codekem_masked_refresh_key(kem, secret_key, &options);
}

static codekem_status masked_encaps(void) {
  const codekem_masked_options options = options_of(seed);

  return codekem_masked_encaps(kem, ciphertext, shares, public_key, &options);
}

static codekem_status masked_encaps_in_workspace(void) {
  const codekem_masked_options options = workspace_of(seed);

  return codekem_masked_encaps(kem, ciphertext, shares, public_key, &options);
}

static codekem_status masked_decaps(void) {
  const codekem_masked_options options = options_of(NULL);

  return codekem_masked_decaps(kem, shares, ciphertext, secret_key, &options);
}

static codekem_status masked_decaps_in_workspace(void) {
  const codekem_masked_options options = workspace_of(NULL);

  return codekem_masked_decaps(kem, shares, ciphertext, secret_key, &options);
}

#define KEYPAIR workspace, .reads = SEED, .makes = PUBLIC_KEY | SECRET_KEY
#define IMPORT workspace, .reads = PLAIN, .makes = SECRET_KEY
#define REFRESH workspace, .reads = SECRET_KEY, .makes = SECRET_KEY
#define ENCAPS workspace, .reads = SEED, .makes = CIPHERTEXT | SHARED_SECRET, .inputs = ONE_KEY
#define DECAPS workspace, .reads = SECRET_KEY, .makes = SHARED_SECRET, .spoiled = "decaps-rejected"

static const struct row rows[] = {
    {"keypair", ON_STACK, masked_keypair, KEYPAIR},
    {"keypair", IN_WORKSPACE, masked_keypair_in_workspace, KEYPAIR},
    {"import", ON_STACK, masked_import, IMPORT},
    {"refresh", ON_STACK, masked_refresh, REFRESH},
    {"encaps", ON_STACK, masked_encaps, ENCAPS},
    {"encaps", IN_WORKSPACE, masked_encaps_in_workspace, ENCAPS},
    {"decaps", ON_STACK, masked_decaps, DECAPS},
    {"decaps", IN_WORKSPACE, masked_decaps_in_workspace, DECAPS},
};

const struct table masked_table = {
    .lists = {ROWS(rows)},
    .choose = choose,
    .prepare = prepare,
    .regions = regions,
    .agrees = agrees,
};
