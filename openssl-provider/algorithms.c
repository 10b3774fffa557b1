/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The algorithms of the provider: names, numbers and sizes. */
#include "algorithms.h"

static const struct classical p256 = {"EC", "P-256", 65, 32};
static const struct classical p384 = {"EC", "P-384", 97, 48};
static const struct classical p521 = {"EC", "P-521", 133, 66};
static const struct classical x25519 = {"X25519", NULL, 32, 32};
static const struct classical x448 = {"X448", NULL, 56, 56};

/* No object identifiers are assigned to these KEMs. An arc below 2.25 belongs to whoever has the
 * UUID in it [X667, 7]; this one is e53b09e7-799c-4521-b80e-c84712029d2f. */
#define OID_ARC "2.25.304699757430427868466686181786647698735"

/* Names and code points of the groups are those of oqs-provider. */
const struct algorithm provider_algorithms[ALGORITHMS] = {
    {"BIKE-L1", "BIKE-L1", NULL, "bikel1", 65040, 128, OID_ARC ".1.1", 3650},
    {"BIKE-L3", "BIKE-L3", NULL, "bikel3", 65043, 192, OID_ARC ".1.3", 6990},
    {"BIKE-L5", "BIKE-L5", NULL, "bikel5", 65046, 256, OID_ARC ".1.5", 11340},
    {"HQC-1", "HQC-1", NULL, "hqc1", 65075, 128, OID_ARC ".2.1", 0},
    {"HQC-3", "HQC-3", NULL, "hqc3", 65078, 192, OID_ARC ".2.3", 0},
    {"HQC-5", "HQC-5", NULL, "hqc5", 65081, 256, OID_ARC ".2.5", 0},
    {"p256_bikel1", "BIKE-L1", &p256, "p256_bikel1", 65041, 128, NULL, 3650},
    {"x25519_bikel1", "BIKE-L1", &x25519, "x25519_bikel1", 65042, 128, NULL, 3650},
    {"p384_bikel3", "BIKE-L3", &p384, "p384_bikel3", 65044, 192, NULL, 6990},
    {"x448_bikel3", "BIKE-L3", &x448, "x448_bikel3", 65045, 192, NULL, 6990},
    {"p521_bikel5", "BIKE-L5", &p521, "p521_bikel5", 65047, 256, NULL, 11340},
    {"p256_hqc1", "HQC-1", &p256, "p256_hqc1", 65076, 128, NULL, 0},
    {"x25519_hqc1", "HQC-1", &x25519, "x25519_hqc1", 65077, 128, NULL, 0},
    {"p384_hqc3", "HQC-3", &p384, "p384_hqc3", 65079, 192, NULL, 0},
    {"x448_hqc3", "HQC-3", &x448, "x448_hqc3", 65080, 192, NULL, 0},
    {"p521_hqc5", "HQC-5", &p521, "p521_hqc5", 65082, 256, NULL, 0},
};

static char lower(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool algorithm_same_name(const char *a, const char *b) {
  while (*a != '\0' && lower(*a) == lower(*b)) {
    a++;
    b++;
  }
  return lower(*a) == lower(*b);
}

size_t algorithm_public_key_bytes(const struct algorithm *algorithm, const codekem_kem *kem) {
  const struct classical *classical = algorithm->classical;
  return kem->length_public_key + (classical == NULL ? 0 : classical->share_bytes);
}

size_t algorithm_ciphertext_bytes(const struct algorithm *algorithm, const codekem_kem *kem) {
  const struct classical *classical = algorithm->classical;
  return kem->length_ciphertext + (classical == NULL ? 0 : classical->share_bytes);
}

size_t algorithm_secret_bytes(const struct algorithm *algorithm, const codekem_kem *kem) {
  const struct classical *classical = algorithm->classical;
  return kem->length_shared_secret + (classical == NULL ? 0 : classical->secret_bytes);
}
