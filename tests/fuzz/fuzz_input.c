/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* How the fuzzers of the library turn the bytes of an input into a call. */
#include "fuzz_input.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_KEMS 64

void fuzz_require(int condition, const char *what) {
  if (!condition) {
    fprintf(stderr, "finding: %s\n", what);
    abort();
  }
}

uint8_t fuzz_take_byte(struct fuzz_input *input) {
  if (input->length == 0) {
    return 0;
  }
  const uint8_t byte = input->bytes[0];
  input->bytes += 1;
  input->length -= 1;
  return byte;
}

const codekem_kem *fuzz_take_kem(struct fuzz_input *input) {
  return codekem_kem_at(fuzz_take_byte(input) % codekem_kem_count());
}

uint8_t *fuzz_allocate(size_t length) {
  uint8_t *memory = malloc(length);

  fuzz_require(memory != NULL, "no memory");
  return memory;
}

void fuzz_change(struct fuzz_input *input, uint8_t *buffer, size_t length) {
  if (fuzz_take_byte(input) % 2 == 0) {
    for (size_t i = 0; i < length; i++) {
      buffer[i] = input->length > 0 ? input->bytes[i % input->length] : 0;
    }
    return;
  }
  while (input->length >= 3) {
    const size_t low = fuzz_take_byte(input);
    const size_t high = fuzz_take_byte(input);
    buffer[(low | high << 8) % length] = fuzz_take_byte(input);
  }
}

/* Honest exchanges take long to make: each KEM's is made once and copied. */
static struct fuzz_exchange made[MOST_KEMS];

static void allocate(struct fuzz_exchange *x, const codekem_kem *kem) {
  x->kem = kem;
  x->public_key = fuzz_allocate(kem->length_public_key);
  x->secret_key = fuzz_allocate(kem->length_secret_key);
  x->ciphertext = fuzz_allocate(kem->length_ciphertext);
  x->shared_secret = fuzz_allocate(kem->length_shared_secret);
}

static const struct fuzz_exchange *honest(const codekem_kem *kem) {
  const uint8_t keypair_seed[CODEKEM_MAX_KEYPAIR_SEED] = {1};
  const uint8_t encaps_seed[CODEKEM_MAX_ENCAPS_SEED] = {2};
  size_t index = 0;

  while (codekem_kem_at(index) != kem) {
    index += 1;
  }
  fuzz_require(index < MOST_KEMS, "more KEMs than expected");
  struct fuzz_exchange *x = &made[index];
  if (x->kem == NULL) {
    allocate(x, kem);
    fuzz_require(codekem_kem_keypair_with(kem, x->public_key, x->secret_key,
                                          CODEKEM_OPTIONS(.seed = keypair_seed)) == CODEKEM_OK,
                 "keypair failed");
    fuzz_require(codekem_kem_encaps_with(kem, x->ciphertext, x->shared_secret, x->public_key,
                                         CODEKEM_OPTIONS(.seed = encaps_seed)) == CODEKEM_OK,
                 "encaps failed");
  }
  return x;
}

struct fuzz_exchange fuzz_exchange_new(const codekem_kem *kem) {
  const struct fuzz_exchange *from = honest(kem);
  struct fuzz_exchange x;

  allocate(&x, kem);
  memcpy(x.public_key, from->public_key, kem->length_public_key);
  memcpy(x.secret_key, from->secret_key, kem->length_secret_key);
  memcpy(x.ciphertext, from->ciphertext, kem->length_ciphertext);
  memcpy(x.shared_secret, from->shared_secret, kem->length_shared_secret);
  return x;
}

void fuzz_exchange_free(struct fuzz_exchange *exchange) {
  free(exchange->public_key);
  free(exchange->secret_key);
  free(exchange->ciphertext);
  free(exchange->shared_secret);
}

size_t fuzz_for_each_backend(void (*body)(void *context), void *context) {
  size_t count = 0;

  for (size_t i = 0; i < codekem_backend_count(); i++) {
    const char *name = codekem_backend_name(i);
    if (codekem_backend_supported(i) && strcmp(name, "reference") != 0) {
      fuzz_require(codekem_backend_select(name) == CODEKEM_OK, "a back end cannot be selected");
      body(context);
      count += 1;
    }
  }
  return count;
}
