/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* How the fuzzers of the library turn the bytes of an input into a call. */
#ifndef CODEKEM_TESTS_FUZZ_FUZZ_INPUT_H
#define CODEKEM_TESTS_FUZZ_FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>

#include "codekem.h"

/* What is left of an input. */
struct fuzz_input {
  const uint8_t *bytes;
  size_t length;
};

/* Takes the next byte; 0 behind the end. */
uint8_t fuzz_take_byte(struct fuzz_input *input);

/* Takes one byte, and returns the KEM that it picks. */
const codekem_kem *fuzz_take_kem(struct fuzz_input *input);

/* Allocates exactly length bytes, so that the sanitizer sees a step beyond; or stops. */
uint8_t *fuzz_allocate(size_t length);

/* Changes buffer[length] as the input says. The first byte picks one of two ways. Even: all of it
 * is the following bytes, over and over. Odd: groups of three bytes each, a position and a value,
 * replace single bytes; so an honest key or ciphertext becomes a nearly honest one. */
void fuzz_change(struct fuzz_input *input, uint8_t *buffer, size_t length);

/* An honest key pair and a ciphertext for it, and what is changed in them; made by
 * fuzz_exchange_new with exact allocations, freed by fuzz_exchange_free. */
struct fuzz_exchange {
  const codekem_kem *kem;
  uint8_t *public_key;
  uint8_t *secret_key;
  uint8_t *ciphertext;
  uint8_t *shared_secret;
};

struct fuzz_exchange fuzz_exchange_new(const codekem_kem *kem);
void fuzz_exchange_free(struct fuzz_exchange *exchange);

/* Stops with a message if condition does not hold: a finding. */
void fuzz_require(int condition, const char *what);

/* Calls body once for every back end that runs here, but the slow reference, with it selected.
 * Returns how many. */
size_t fuzz_for_each_backend(void (*body)(void *context), void *context);

#endif
