/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Runs every operation on secrets that a checker watches; see secrets.h.
 *
 *   ct_harness BACKEND [--kem NAME] [--operation keypair|encaps|decaps|check|batch]
 *                      [--kems current|old]
 *
 * Batches run only if they are named.
 * With --kems, only KEMs of the current versions run, or only the others.
 * Prints one line for each operation that ended as it should, and returns 0 if all did. What the
 * checker finds is reported by the checker. The results must come out secret, too: if they did not,
 * the marks would have been lost on the way and the check would say nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codekem_legacy.h"
#include "secrets.h"

#define MAX_REQUEST_BYTES 112

/* One exchange. All of it is public between the operations, so that it can be compared. */
struct exchange {
  const codekem_kem *kem;
  uint8_t public_key[CODEKEM_LEGACY_MAX_PUBLIC_KEY];
  uint8_t secret_key[CODEKEM_LEGACY_MAX_SECRET_KEY];
  uint8_t ciphertext[CODEKEM_LEGACY_MAX_CIPHERTEXT];
  uint8_t shared_secret[CODEKEM_LEGACY_MAX_SHARED_SECRET];
};

static const char *current_operation = "";

static void fail(const struct exchange *x, const char *what) {
  fprintf(stderr, "ct_harness: %s %s: %s\n", x->kem->method_name, current_operation, what);
  exit(2);
}

static void expect(const struct exchange *x, bool condition, const char *what) {
  if (!condition) {
    fail(x, what);
  }
}

/* Says which operation the checker's reports that follow belong to. */
static void begin(const struct exchange *x, const char *operation) {
  current_operation = operation;
  fprintf(stderr, "ct_harness: begin %s %s\n", x->kem->method_name, operation);
}

static void end(const struct exchange *x) {
  printf("%s %s done\n", x->kem->method_name, current_operation);
  fflush(stdout);
}

/* Requires that most of buffer came out secret, then makes it public. Not all: the upper halves of
 * positions are known to be zero, and the seed in a public key of HQC is declassified inside. */
static void declassify_result(const struct exchange *x, const char *what, void *buffer,
                              size_t length) {
  const size_t secret = count_secret_bytes(buffer, length);

  if (secret < length / 4 * 3) {
    fprintf(stderr, "ct_harness: only %zu of %zu bytes of the %s are marked\n", secret, length,
            what);
    fail(x, "the check would say nothing");
  }
  mark_public(buffer, length);
}

/* A source of randomness whose bytes are secret. The values do not matter, so a linear
 * congruential generator serves. */
static bool secret_bytes(void *context, uint8_t *out, size_t length) {
  uint32_t *state = context;

  for (size_t i = 0; i < length; i++) {
    *state = *state * UINT32_C(1664525) + UINT32_C(1013904223);
    out[i] = (uint8_t)(*state >> 24);
  }
  mark_secret(out, length);
  return true;
}

/* Returns where the public key starts inside the secret key. */
static size_t find_public_key(const struct exchange *x) {
  const size_t length = x->kem->length_public_key;

  for (size_t start = 0; start + length <= x->kem->length_secret_key; start++) {
    if (memcmp(x->secret_key + start, x->public_key, length) == 0) {
      return start;
    }
  }
  fail(x, "the secret key does not hold the public key");
  return 0;
}

/* Marks the secret key, but not the public key inside it. */
static void mark_secret_key(struct exchange *x) {
  const size_t start = find_public_key(x);

  mark_secret(x->secret_key, x->kem->length_secret_key);
  mark_public(x->secret_key + start, x->kem->length_public_key);
}

/* Makes everything public, after a call that was not checked. */
static void mark_all_public(struct exchange *x) {
  mark_public(x, sizeof *x);
}

static void check_keypair(struct exchange *x, uint32_t *random) {
  begin(x, "keypair");
  expect(x,
         codekem_kem_keypair_random(x->kem, x->public_key, x->secret_key, secret_bytes, random) ==
             CODEKEM_OK,
         "failed");
  declassify_result(x, "public key", x->public_key, x->kem->length_public_key);
  declassify_result(x, "secret key", x->secret_key, x->kem->length_secret_key);
  end(x);
}

static void check_encaps(struct exchange *x, uint32_t *random) {
  begin(x, "encaps");
  expect(x,
         codekem_kem_encaps_random(x->kem, x->ciphertext, x->shared_secret, x->public_key,
                                   secret_bytes, random) == CODEKEM_OK,
         "failed");
  declassify_result(x, "ciphertext", x->ciphertext, x->kem->length_ciphertext);
  declassify_result(x, "shared secret", x->shared_secret, x->kem->length_shared_secret);
  end(x);
}

/* Decapsulates ciphertext, secret as well: whether it decrypts must not show. */
static void decapsulate(struct exchange *x, uint8_t *ciphertext, uint8_t *shared_secret) {
  mark_secret_key(x);
  mark_secret(ciphertext, x->kem->length_ciphertext);
  expect(x, codekem_kem_decaps(x->kem, shared_secret, ciphertext, x->secret_key) == CODEKEM_OK,
         "failed");
  declassify_result(x, "shared secret", shared_secret, x->kem->length_shared_secret);
  mark_public(x->secret_key, x->kem->length_secret_key);
  mark_public(ciphertext, x->kem->length_ciphertext);
}

static void check_decaps(struct exchange *x) {
  uint8_t other[CODEKEM_LEGACY_MAX_CIPHERTEXT];
  uint8_t shared_secret[CODEKEM_LEGACY_MAX_SHARED_SECRET];
  const size_t length = x->kem->length_shared_secret;

  begin(x, "decaps");
  decapsulate(x, x->ciphertext, shared_secret);
  expect(x, memcmp(shared_secret, x->shared_secret, length) == 0, "gave another secret");
  end(x);

  begin(x, "decaps-rejected");
  memcpy(other, x->ciphertext, x->kem->length_ciphertext);
  for (size_t i = 0; i < x->kem->length_ciphertext; i += 3) {
    other[i] ^= 0x25;
  }
  decapsulate(x, other, shared_secret);
  expect(x, memcmp(shared_secret, x->shared_secret, length) != 0, "accepted a wrong ciphertext");
  end(x);
}

static void check_import(struct exchange *x) {
  /* The first byte that only the owner has: part of a list (BIKE) or of a seed (HQC). */
  const size_t start = find_public_key(x);
  uint8_t *secret_byte = x->secret_key + (start > 0 ? 0 : x->kem->length_public_key);

  begin(x, "check");
  mark_secret_key(x);
  expect(x, codekem_kem_check_secret_key(x->kem, x->secret_key) == CODEKEM_OK,
         "refused a good key");
  mark_public(x->secret_key, x->kem->length_secret_key);
  end(x);

  begin(x, "check-refused");
  *secret_byte ^= 1;
  mark_secret_key(x);
  expect(x, codekem_kem_check_secret_key(x->kem, x->secret_key) == CODEKEM_ERROR_SECRET_KEY,
         "did not refuse a wrong key");
  mark_public(x->secret_key, x->kem->length_secret_key);
  *secret_byte ^= 1;
  end(x);
}

/* --- Batches ---------------------------------------------------------------------------------- */

#define BATCH 3

/* The buffers of a batch, which are public between the operations. */
struct batch {
  uint8_t public_keys[BATCH * CODEKEM_LEGACY_MAX_PUBLIC_KEY];
  uint8_t secret_keys[BATCH * CODEKEM_LEGACY_MAX_SECRET_KEY];
  uint8_t ciphertexts[BATCH * CODEKEM_LEGACY_MAX_CIPHERTEXT];
  uint8_t sent[BATCH * CODEKEM_LEGACY_MAX_SHARED_SECRET];
  uint8_t received[BATCH * CODEKEM_LEGACY_MAX_SHARED_SECRET];
};

/* Marks the secret keys, but not the public keys inside them. */
static void mark_secret_keys(struct exchange *x, struct batch *batch) {
  const codekem_kem *kem = x->kem;
  const size_t start = find_public_key(x);

  mark_secret(batch->secret_keys, BATCH * kem->length_secret_key);
  for (size_t i = 0; i < BATCH; i++) {
    mark_public(batch->secret_keys + i * kem->length_secret_key + start, kem->length_public_key);
  }
}

/* Decapsulates the batch, of which one ciphertext is wrong; all with the first key, or not. */
static void decapsulate_batch(struct exchange *x, struct batch *batch, bool one_key) {
  const codekem_kem *kem = x->kem;
  const size_t length = kem->length_shared_secret;

  begin(x, one_key ? "decaps-batch-one-key" : "decaps-batch");
  batch->ciphertexts[kem->length_ciphertext + 5] ^= 0x25;
  mark_secret_keys(x, batch);
  mark_secret(batch->ciphertexts, BATCH * kem->length_ciphertext);
  expect(x,
         codekem_kem_decaps_batch(kem, BATCH, batch->received, batch->ciphertexts,
                                  batch->secret_keys,
                                  one_key ? 0 : kem->length_secret_key) == CODEKEM_OK,
         "failed");
  declassify_result(x, "shared secrets", batch->received, BATCH * length);
  mark_public(batch->secret_keys, BATCH * kem->length_secret_key);
  mark_public(batch->ciphertexts, BATCH * kem->length_ciphertext);
  expect(x, memcmp(batch->received, batch->sent, length) == 0, "gave another secret");
  expect(x, memcmp(batch->received + length, batch->sent + length, length) != 0,
         "accepted a wrong ciphertext");
  batch->ciphertexts[kem->length_ciphertext + 5] ^= 0x25;
  end(x);
}

static void encapsulate_batch(struct exchange *x, struct batch *batch, uint32_t *random,
                              bool one_key) {
  const codekem_kem *kem = x->kem;

  begin(x, one_key ? "encaps-batch-one-key" : "encaps-batch");
  expect(x,
         codekem_kem_encaps_batch_random(kem, BATCH, batch->ciphertexts, batch->sent,
                                         batch->public_keys, one_key ? 0 : kem->length_public_key,
                                         secret_bytes, random) == CODEKEM_OK,
         "failed");
  declassify_result(x, "ciphertexts", batch->ciphertexts, BATCH * kem->length_ciphertext);
  declassify_result(x, "shared secrets", batch->sent, BATCH * kem->length_shared_secret);
  end(x);
}

static void check_batches(struct exchange *x, uint32_t *random) {
  static struct batch batch;
  const codekem_kem *kem = x->kem;

  begin(x, "keypair-batch");
  expect(x,
         codekem_kem_keypair_batch_random(kem, BATCH, batch.public_keys, batch.secret_keys,
                                          secret_bytes, random) == CODEKEM_OK,
         "failed");
  declassify_result(x, "public keys", batch.public_keys, BATCH * kem->length_public_key);
  declassify_result(x, "secret keys", batch.secret_keys, BATCH * kem->length_secret_key);
  memcpy(x->public_key, batch.public_keys, kem->length_public_key);
  memcpy(x->secret_key, batch.secret_keys, kem->length_secret_key);
  end(x);
  for (int one_key = 0; one_key < 2; one_key++) {
    encapsulate_batch(x, &batch, random, one_key != 0);
    decapsulate_batch(x, &batch, one_key != 0);
  }
}

/* Runs one operation, or all but batches; what it needs from the others is made from a public
 * seed. */
static void check_kem(const codekem_kem *kem, const char *operation) {
  static struct exchange x;
  uint32_t random = 1;
  /* Not the same one twice: key and error would be drawn alike, and decoding fails. */
  const uint8_t seeds[2][MAX_REQUEST_BYTES] = {{7}, {8}};

  x.kem = kem;
  if (operation != NULL && strcmp(operation, "batch") == 0) {
    check_batches(&x, &random);
    return;
  }
  if (operation == NULL || strcmp(operation, "keypair") == 0) {
    check_keypair(&x, &random);
  }
  expect(&x, codekem_kem_keypair_derand(kem, x.public_key, x.secret_key, seeds[0]) == CODEKEM_OK,
         "preparation failed");
  mark_all_public(&x);
  if (operation == NULL || strcmp(operation, "encaps") == 0) {
    check_encaps(&x, &random);
  }
  expect(&x,
         codekem_kem_encaps_derand(kem, x.ciphertext, x.shared_secret, x.public_key, seeds[1]) ==
             CODEKEM_OK,
         "preparation failed");
  mark_all_public(&x);
  if (operation == NULL || strcmp(operation, "decaps") == 0) {
    check_decaps(&x);
  }
  if (operation == NULL || strcmp(operation, "check") == 0) {
    check_import(&x);
  }
}

/* Returns KEM number index, legacy KEMs behind the others; NULL beyond. */
static const codekem_kem *kem_at(size_t index) {
#if defined(CODEKEM_HAVE_LEGACY)
  if (index >= codekem_kem_count()) {
    return codekem_legacy_kem_at(index - codekem_kem_count());
  }
#endif
  return codekem_kem_at(index);
}

static int usage(void) {
  fprintf(stderr,
          "usage: ct_harness BACKEND [--kem NAME] [--operation OPERATION] "
          "[--kems current|old]\n");
  return 2;
}

int main(int argc, char **argv) {
  const char *wanted = NULL;
  const char *operation = NULL;
  const char *versions = NULL;
  int checked = 0;

  if (argc < 2 || argc % 2 != 0) {
    return usage();
  }
  for (int i = 2; i < argc; i += 2) {
    if (strcmp(argv[i], "--kem") == 0) {
      wanted = argv[i + 1];
    } else if (strcmp(argv[i], "--operation") == 0) {
      operation = argv[i + 1];
    } else if (strcmp(argv[i], "--kems") == 0 &&
               (strcmp(argv[i + 1], "current") == 0 || strcmp(argv[i + 1], "old") == 0)) {
      versions = argv[i + 1];
    } else {
      return usage();
    }
  }
  if (!checker_is_running()) {
    fprintf(stderr, "ct_harness: run it under valgrind\n");
    return 2;
  }
  if (codekem_backend_select(argv[1]) != CODEKEM_OK) {
    fprintf(stderr, "ct_harness: back end %s cannot run here\n", argv[1]);
    return 3;
  }
  const codekem_kem *kem;
  for (size_t i = 0; (kem = kem_at(i)) != NULL; i++) {
    if (versions != NULL && kem->superseded != (strcmp(versions, "old") == 0)) {
      continue;
    }
    if (wanted == NULL || strcmp(wanted, kem->method_name) == 0) {
      check_kem(kem, operation);
      checked += 1;
    }
  }
  return checked > 0 ? 0 : usage();
}
