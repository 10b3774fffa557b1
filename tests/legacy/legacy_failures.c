/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Lets libcrypto fail below the legacy KEMs with AES: each operation must then report it and zero
 * its outputs, whatever call of libcrypto it was, and no memory may be given back with secrets in
 * it. Built with AddressSanitizer, it also finds leaks.
 *
 * usage: legacy_failures memory|provider
 *   memory: libcrypto's allocations fail, from the first, second, ... in an operation onwards
 *   provider: libcrypto is there but offers no algorithm
 */
#include <malloc.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codekem_legacy.h"

enum operation { KEYPAIR, ENCAPS, DECAPS, OPERATION_COUNT };

struct values {
  uint8_t public_key[CODEKEM_MAX_PUBLIC_KEY];
  uint8_t secret_key[CODEKEM_MAX_SECRET_KEY];
  uint8_t ciphertext[CODEKEM_MAX_CIPHERTEXT];
  uint8_t encapsulated[CODEKEM_MAX_SHARED_SECRET];
  uint8_t decapsulated[CODEKEM_MAX_SHARED_SECRET];
};

#define BLOCK_BYTES 16

/* The seed of every operation: the key of AES and a message that is hashed. */
static const uint8_t seed[CODEKEM_MAX_KEYPAIR_SEED] =
    "A seed that memory holds only if nobody wiped it after the call";

/* What freed memory must not hold: both halves of the AES key, then the start of the stream. */
#define SECRET_COUNT 130
static uint8_t secrets[SECRET_COUNT][BLOCK_BYTES];
static size_t secret_count; /* 0 until they are known */

/* Allocations since the last reset, and how many succeed. */
static size_t allocations;
static size_t allowed = SIZE_MAX;

static void *failing_malloc(size_t size, const char *file, int line) {
  (void)file, (void)line;
  return ++allocations > allowed ? NULL : malloc(size);
}

static void *failing_realloc(void *memory, size_t size, const char *file, int line) {
  (void)file, (void)line;
  return ++allocations > allowed ? NULL : realloc(memory, size);
}

static void inspecting_free(void *memory, const char *file, int line) {
  const uint8_t *bytes = memory;

  for (size_t i = 0; i + BLOCK_BYTES <= malloc_usable_size(memory); i++) {
    for (size_t k = 0; k < secret_count; k++) {
      if (bytes[i] == secrets[k][0] && memcmp(bytes + i, secrets[k], BLOCK_BYTES) == 0) {
        fprintf(stderr, "legacy_failures: %s:%d frees secret %zu\n", file, line, k);
        exit(1);
      }
    }
  }
  free(memory);
}

/* Block i of the stream is the encryption of i as a little-endian number. */
static bool fill_secrets(void) {
  static uint8_t blocks[SECRET_COUNT][BLOCK_BYTES];
  EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
  int length = 0;
  bool good = EVP_EncryptInit_ex2(cipher, EVP_aes_256_ecb(), seed, NULL, NULL) == 1;

  for (size_t i = 2; i < SECRET_COUNT; i++) {
    blocks[i][0] = (uint8_t)(i - 2);
    good = good && EVP_EncryptUpdate(cipher, blocks[i], &length, blocks[i], BLOCK_BYTES) == 1;
  }
  EVP_CIPHER_CTX_free(cipher);
  memcpy(blocks, seed, sizeof blocks[0] * 2);
  memcpy(secrets, blocks, sizeof secrets);
  secret_count = SECRET_COUNT;
  return good;
}

static void require(bool good, const char *what, const codekem_kem *kem) {
  if (!good) {
    fprintf(stderr, "legacy_failures: %s: %s (%zu allocations allowed)\n", kem->method_name, what,
            allowed);
    exit(1);
  }
}

/* Runs one operation: inputs come from known, outputs go to out. */
static codekem_status run(const codekem_kem *kem, enum operation operation,
                          const struct values *known, struct values *out) {
  switch (operation) {
    case KEYPAIR:
      return codekem_kem_keypair_with(kem, out->public_key, out->secret_key,
                                      CODEKEM_OPTIONS(.seed = seed));
    case ENCAPS:
      return codekem_kem_encaps_with(kem, out->ciphertext, out->encapsulated, known->public_key,
                                     CODEKEM_OPTIONS(.seed = seed));
    default:
      return codekem_kem_decaps(kem, out->decapsulated, known->ciphertext, known->secret_key);
  }
}

/* Fails unless the outputs of an operation in got are those of expected. */
static void require_outputs(const codekem_kem *kem, enum operation operation,
                            const struct values *got, const struct values *expected) {
  bool same = false;

  switch (operation) {
    case KEYPAIR:
      same = memcmp(got->public_key, expected->public_key, kem->length_public_key) == 0 &&
             memcmp(got->secret_key, expected->secret_key, kem->length_secret_key) == 0;
      break;
    case ENCAPS:
      same = memcmp(got->ciphertext, expected->ciphertext, kem->length_ciphertext) == 0 &&
             memcmp(got->encapsulated, expected->encapsulated, kem->length_shared_secret) == 0;
      break;
    default:
      same = memcmp(got->decapsulated, expected->decapsulated, kem->length_shared_secret) == 0;
  }
  require(same, "wrong outputs", kem);
}

/* Returns how many of the tries failed. */
static size_t fail_each_allocation(const codekem_kem *kem, enum operation operation,
                                   const struct values *known) {
  static const struct values zero;
  static struct values out;
  size_t failures = 0;

  allocations = 0;
  require(run(kem, operation, known, &out) == CODEKEM_OK, "an operation fails", kem);
  const size_t needed = allocations;
  for (size_t limit = 0; limit < needed; limit++) {
    memset(&out, 0xAA, sizeof out);
    allocations = 0;
    allowed = limit;
    const codekem_status status = run(kem, operation, known, &out);
    allowed = SIZE_MAX;
    /* libcrypto may do without some of its allocations; then the result must be right. */
    require(status == CODEKEM_OK || status == CODEKEM_ERROR_INTERNAL, "wrong status", kem);
    require_outputs(kem, operation, &out, status == CODEKEM_OK ? known : &zero);
    failures += status != CODEKEM_OK;
  }
  return failures;
}

static void without_memory(const codekem_kem *kem) {
  static struct values known;

  for (int operation = 0; operation < OPERATION_COUNT; operation++) {
    require(run(kem, operation, &known, &known) == CODEKEM_OK, "an operation fails", kem);
  }
  for (int operation = 0; operation < OPERATION_COUNT; operation++) {
    const size_t failures = fail_each_allocation(kem, operation, &known);
    require(failures > 0, "no allocation was missed", kem);
    printf("%s: operation %d: %zu failures reported\n", kem->method_name, operation, failures);
  }
}

static void without_provider(const codekem_kem *kem) {
  static const struct values zero;
  static struct values out;

  for (int operation = 0; operation < OPERATION_COUNT; operation++) {
    memset(&out, 0xAA, sizeof out);
    require(run(kem, operation, &zero, &out) == CODEKEM_ERROR_INTERNAL, "wrong status", kem);
    require_outputs(kem, operation, &out, &zero);
  }
  printf("%s: every operation reports that there is no provider\n", kem->method_name);
}

int main(int argc, char **argv) {
  if (argc != 2 || (strcmp(argv[1], "memory") != 0 && strcmp(argv[1], "provider") != 0)) {
    fprintf(stderr, "usage: legacy_failures memory|provider\n");
    return 2;
  }
  const bool memory = strcmp(argv[1], "memory") == 0;
  OSSL_PROVIDER *provider = NULL;
  if (memory) {
    if (CRYPTO_set_mem_functions(failing_malloc, failing_realloc, inspecting_free) != 1 ||
        !fill_secrets()) {
      fprintf(stderr, "legacy_failures: libcrypto cannot be set up\n");
      return 1;
    }
  } else {
    provider = OSSL_PROVIDER_load(NULL, "null");
    if (provider == NULL) {
      fprintf(stderr, "legacy_failures: libcrypto has no null provider\n");
      return 1;
    }
  }
  for (size_t i = 0; i < codekem_legacy_kem_count(); i++) {
    const codekem_kem *kem = codekem_legacy_kem_at(i);
    /* The levels share this code; HQC does not use libcrypto. */
    if (kem->claimed_nist_level == 1 && strcmp(kem->family, "BIKE") == 0) {
      (memory ? without_memory : without_provider)(kem);
    }
  }
  OSSL_PROVIDER_unload(provider);
  return 0;
}
