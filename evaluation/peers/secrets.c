/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Decapsulates with a peer's library while valgrind takes the secret key for undefined memory: each
 * branch and each address that depends on it is then reported (secrets.py counts them).
 *
 * usage: secrets LIBRARY PUBLIC_KEY SECRET_KEY CIPHERTEXT SHARED_SECRET FROM-TO...
 *
 * LIBRARY has the functions of NIST's API; then come lengths in bytes, and the parts of the secret
 * key that are secret.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/memcheck.h>

typedef int keypair_function(unsigned char *, unsigned char *);
typedef int encaps_function(unsigned char *, unsigned char *, const unsigned char *);
typedef int decaps_function(unsigned char *, const unsigned char *, const unsigned char *);
typedef void start_function(const unsigned char *, const unsigned char *, unsigned, unsigned);

static void *found(void *library, const char *name) {
  void *function = dlsym(library, name);
  if (function == NULL) {
    fprintf(stderr, "secrets: the library has no %s\n", name);
    exit(1);
  }
  return function;
}

int main(int argc, char **argv) {
  unsigned char *buffers[5];
  size_t lengths[4];
  unsigned char seed[48] = {1};

  if (argc < 7) {
    fprintf(stderr, "usage: secrets LIBRARY PUBLIC SECRET CIPHERTEXT SHARED FROM-TO...\n");
    return 2;
  }
  void *library = dlopen(argv[1], RTLD_NOW);
  if (library == NULL) {
    fprintf(stderr, "secrets: %s\n", dlerror());
    return 1;
  }
  for (int i = 0; i < 5; i++) {
    if (i < 4) {
      lengths[i] = strtoul(argv[i + 2], NULL, 10);
    }
    buffers[i] = calloc(1, lengths[i < 4 ? i : 3] + 1);
  }
  unsigned char *public_key = buffers[0], *secret_key = buffers[1], *ciphertext = buffers[2];

  start_function *start = (start_function *)dlsym(library, "prng_init"); /* HQC's own generator */
  if (start != NULL) {
    start(seed, NULL, sizeof seed, 0);
  }
  int status = ((keypair_function *)found(library, "crypto_kem_keypair"))(public_key, secret_key);
  status |=
      ((encaps_function *)found(library, "crypto_kem_enc"))(ciphertext, buffers[3], public_key);
  for (int i = 6; i < argc; i++) {
    char *end;
    const size_t from = strtoul(argv[i], &end, 10);
    const size_t to = strtoul(end + 1, NULL, 10);
    if (*end != '-' || to < from || to > lengths[1]) {
      fprintf(stderr, "secrets: %s is no part of the secret key\n", argv[i]);
      return 2;
    }
    VALGRIND_MAKE_MEM_UNDEFINED(secret_key + from, to - from);
  }
  status |=
      ((decaps_function *)found(library, "crypto_kem_dec"))(buffers[4], ciphertext, secret_key);
  VALGRIND_MAKE_MEM_DEFINED(buffers[4], lengths[3]);
  VALGRIND_MAKE_MEM_DEFINED(&status, sizeof status);
  if (status != 0 || memcmp(buffers[3], buffers[4], lengths[3]) != 0) {
    fprintf(stderr, "secrets: the secrets differ\n");
    return 1;
  }
  return 0;
}
