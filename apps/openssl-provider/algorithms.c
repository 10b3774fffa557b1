/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The algorithms of the provider: names, numbers and sizes. */
#include "algorithms.h"

#define MAX_KEY_SHARE 65535 /* opaque key_exchange<1..2^16-1> [RFC8446, 4.2.8] */

static const struct classical p256 = {"EC", "P-256", 65, 32};
static const struct classical p384 = {"EC", "P-384", 97, 48};
static const struct classical p521 = {"EC", "P-521", 133, 66};
static const struct classical x25519 = {"X25519", NULL, 32, 32};
static const struct classical x448 = {"X448", NULL, 56, 56};

const struct algorithm ckem_provider_algorithms[ALGORITHMS] = {
#define ALGORITHM(identifier, name, kem, classical, group, code_point) \
  {name, kem, classical, group, code_point},
#include CODEKEM_PROVIDER_TABLE
#undef ALGORITHM
};

static char lower(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool ckem_algorithm_same_name(const char *a, const char *b) {
  while (*a != '\0' && lower(*a) == lower(*b)) {
    a++;
    b++;
  }
  return lower(*a) == lower(*b);
}

size_t ckem_algorithm_public_key_bytes(const struct algorithm *algorithm, const codekem_kem *kem) {
  const struct classical *classical = algorithm->classical;
  return kem->length_public_key + (classical == NULL ? 0 : classical->share_bytes);
}

size_t ckem_algorithm_ciphertext_bytes(const struct algorithm *algorithm, const codekem_kem *kem) {
  const struct classical *classical = algorithm->classical;
  return kem->length_ciphertext + (classical == NULL ? 0 : classical->share_bytes);
}

size_t ckem_algorithm_secret_bytes(const struct algorithm *algorithm, const codekem_kem *kem) {
  const struct classical *classical = algorithm->classical;
  return kem->length_shared_secret + (classical == NULL ? 0 : classical->secret_bytes);
}

unsigned ckem_algorithm_security_bits(const codekem_kem *kem) {
  if (kem->claimed_nist_level >= 5) {
    return 256;
  }
  return kem->claimed_nist_level >= 3 ? 192 : 128;
}

bool ckem_algorithm_has_group(const struct algorithm *algorithm, const codekem_kem *kem) {
  return algorithm->group != NULL &&
         ckem_algorithm_public_key_bytes(algorithm, kem) <= MAX_KEY_SHARE &&
         ckem_algorithm_ciphertext_bytes(algorithm, kem) <= MAX_KEY_SHARE;
}
