/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the tables of KEMs share: the subject, and what its calls read and write. */
#ifndef CODEKEM_TESTS_HARNESS_KEM_ROWS_H
#define CODEKEM_TESTS_HARNESS_KEM_ROWS_H

#include "codekem_hybrid.h"
#include "codekem_legacy.h"
#include "codekem_mceliece.h"
#include "subject.h"

#define BATCH 3
/* Of hybrids, a secret key has its public key inside. */
#define MOST_SECRET_KEY (CODEKEM_LEGACY_MAX_SECRET_KEY + CODEKEM_MAX_PUBLIC_KEY + 256)
#define MOST_CIPHERTEXT (CODEKEM_LEGACY_MAX_CIPHERTEXT + CODEKEM_HYBRID_MAX_ELEMENT)
#define MOST_ENCAPS_SEED (CODEKEM_MAX_ENCAPS_SEED + CODEKEM_HYBRID_MAX_GROUP_SEED)

/* Bits of row.reads and row.makes; the table of Classic McEliece has more. */
enum {
  KEYPAIR_SEED = 1,
  ENCAPS_SEED = 2,
  PUBLIC_KEY = 4,
  SECRET_KEY = 8,
  CIPHERTEXT = 16,
  SHARED_SECRET = 32,
  OTHER_DATA = 64
};

/* Of a whole batch, always at the same addresses. */
struct kem_data {
  uint8_t keypair_seed[BATCH * CODEKEM_LEGACY_MAX_KEYPAIR_SEED];
  uint8_t encaps_seed[BATCH * MOST_ENCAPS_SEED];
  uint8_t public_key[BATCH * CODEKEM_MCELIECE_MAX_PUBLIC_KEY];
  uint8_t secret_key[BATCH * MOST_SECRET_KEY];
  uint8_t ciphertext[BATCH * MOST_CIPHERTEXT];
  uint8_t shared_secret[BATCH * CODEKEM_LEGACY_MAX_SHARED_SECRET];
};

extern struct kem_data data;
extern const codekem_kem *kem;

/* How a table makes key pairs and ciphertexts in order to prepare. */
struct kem_calls {
  codekem_status (*keypair)(uint8_t *public_key, uint8_t *secret_key, const uint8_t *seed);
  codekem_status (*encaps)(uint8_t *ciphertext, uint8_t *shared_secret, const uint8_t *public_key,
                           const uint8_t *seed);
};

/* Makes a KEM the subject; false for NULL. */
bool kem_use(const codekem_kem *found, const struct kem_calls *calls);

/* Returns the secret key of key pair number i. */
const uint8_t *kem_secret_key(unsigned number);

/* As in struct table. */
bool kem_choose(const char *name);
void kem_prepare(const struct row *row, const struct turn *turn);
size_t kem_regions(const struct row *row, struct region *regions);
bool kem_agrees(const struct row *row, const struct turn *turn);
void kem_take_keys(void);

/* Sources of randomness that give the seeds from *context on, one for each request. */
bool kem_random_keypair(void *context, uint8_t *out, size_t length);
bool kem_random_encaps(void *context, uint8_t *out, size_t length);

/* The bytes of working memory that the KEM states. */
size_t kem_keypair_workspace(void);
size_t kem_encaps_workspace(void);
size_t kem_decaps_workspace(void);
size_t kem_check_workspace(void);

/* What an operation needs, reads and makes; and options that place its working memory. */
#define KEM_KEYPAIR \
  .workspace = kem_keypair_workspace, .reads = KEYPAIR_SEED, .makes = PUBLIC_KEY | SECRET_KEY
#define KEM_ENCAPS                                                      \
  .workspace = kem_encaps_workspace, .reads = ENCAPS_SEED | PUBLIC_KEY, \
  .makes = CIPHERTEXT | SHARED_SECRET, .inputs = ONE_KEY
#define KEM_DECAPS                                                                             \
  .workspace = kem_decaps_workspace, .reads = CIPHERTEXT | SECRET_KEY, .makes = SHARED_SECRET, \
  .spoiled = "decaps-rejected"
#define KEM_CHECK                                                                    \
  .workspace = kem_check_workspace, .reads = SECRET_KEY, .spoiled = "check-refused", \
  .refusal = CODEKEM_ERROR_SECRET_KEY
#define IN_HARNESS(length) .workspace = harness_workspace, .workspace_length = (length)

/* Rows that all KEMs have: with working memory on the stack, in a workspace or without, batches. */
#define KEM_ROWS 6
#define KEM_WORKSPACE_ROWS 7
#define KEM_BATCHES 9
extern const struct row kem_rows[KEM_ROWS];
extern const struct row kem_workspace_rows[KEM_WORKSPACE_ROWS];
extern const struct row kem_batches[KEM_BATCHES];

#endif
