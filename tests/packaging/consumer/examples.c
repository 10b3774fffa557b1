/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What somebody writes who has read the examples of codekem.h: EXAMPLE_1 and so on stand for their
 * lines. */
#include <codekem.h>
#include <stdio.h>
#include <string.h>

static bool equal_first(const uint8_t *a, const uint8_t *b, size_t length) {
  static const uint8_t zeros[CODEKEM_MAX_SHARED_SECRET];

  return memcmp(a, b, length) == 0 && memcmp(a, zeros, length) != 0;
}

static bool exchange(void) {
  EXAMPLE_1
  return equal_first(alice, bob, kem->length_shared_secret);
}

static bool device_random(void *context, uint8_t *out, size_t length) {
  return context == NULL && codekem_random_system(NULL, out, length);
}

/* For every KEM: the array holds what any of them needs. */
static bool exchange_without_stack(const codekem_kem *kem) {
  static uint8_t public_key[CODEKEM_MAX_PUBLIC_KEY], secret_key[CODEKEM_MAX_SECRET_KEY];
  static uint8_t ciphertext[CODEKEM_MAX_CIPHERTEXT];
  static uint8_t alice[CODEKEM_MAX_SHARED_SECRET], bob[CODEKEM_MAX_SHARED_SECRET];
  EXAMPLE_2
  return equal_first(alice, bob, kem->length_shared_secret);
}

static bool batch(const codekem_kem *kem) {
  static uint8_t public_key[CODEKEM_MAX_PUBLIC_KEY], secret_key[CODEKEM_MAX_SECRET_KEY];
  static uint8_t ciphertexts[100 * CODEKEM_MAX_CIPHERTEXT];
  static uint8_t alice[100 * CODEKEM_MAX_SHARED_SECRET], bob[100 * CODEKEM_MAX_SHARED_SECRET];

  if (codekem_kem_keypair(kem, public_key, secret_key) != CODEKEM_OK) {
    return false;
  }
  EXAMPLE_3
  const size_t length = kem->length_shared_secret;
  bool equal = true;
  for (size_t i = 0; i < 100; i++) {
    equal = equal && equal_first(alice + i * length, bob + i * length, length);
  }
  return equal;
}

int main(void) {
  bool good = exchange() && batch(codekem_kem_at(0));

  for (size_t i = 0; i < codekem_kem_count(); i++) {
    good = good && exchange_without_stack(codekem_kem_at(i));
  }
  puts(good ? "all hold the same secrets" : "an exchange failed");
  return !good;
}
