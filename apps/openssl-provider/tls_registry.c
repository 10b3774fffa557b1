/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The numbers and names of TLS groups that belong to others: IANA's registry "TLS Supported Groups"
 * [RFC8447, 9] as of 2025, with the further names that OpenSSL takes. */
#include "tls_registry.h"

#include <stdbool.h>
#include <stddef.h>

#include "algorithms.h"

#define OTHER_NAMES 2

static const struct {
  unsigned code_point;
  const char *name; /* IANA's */
  const char *other[OTHER_NAMES]; /* OpenSSL's, where it has others */
} groups[] = {
    {1, "sect163k1", {"K-163"}},
    {2, "sect163r1", {NULL}},
    {3, "sect163r2", {"B-163"}},
    {4, "sect193r1", {NULL}},
    {5, "sect193r2", {NULL}},
    {6, "sect233k1", {"K-233"}},
    {7, "sect233r1", {"B-233"}},
    {8, "sect239k1", {NULL}},
    {9, "sect283k1", {"K-283"}},
    {10, "sect283r1", {"B-283"}},
    {11, "sect409k1", {"K-409"}},
    {12, "sect409r1", {"B-409"}},
    {13, "sect571k1", {"K-571"}},
    {14, "sect571r1", {"B-571"}},
    {15, "secp160k1", {NULL}},
    {16, "secp160r1", {NULL}},
    {17, "secp160r2", {NULL}},
    {18, "secp192k1", {NULL}},
    {19, "secp192r1", {"P-192", "prime192v1"}},
    {20, "secp224k1", {NULL}},
    {21, "secp224r1", {"P-224"}},
    {22, "secp256k1", {NULL}},
    {23, "secp256r1", {"P-256", "prime256v1"}},
    {24, "secp384r1", {"P-384"}},
    {25, "secp521r1", {"P-521"}},
    {26, "brainpoolP256r1", {NULL}},
    {27, "brainpoolP384r1", {NULL}},
    {28, "brainpoolP512r1", {NULL}},
    {29, "X25519", {NULL}},
    {30, "X448", {NULL}},
    {31, "brainpoolP256r1tls13", {NULL}},
    {32, "brainpoolP384r1tls13", {NULL}},
    {33, "brainpoolP512r1tls13", {NULL}},
    {34, "GC256A", {NULL}},
    {35, "GC256B", {NULL}},
    {36, "GC256C", {NULL}},
    {37, "GC256D", {NULL}},
    {38, "GC512A", {NULL}},
    {39, "GC512B", {NULL}},
    {40, "GC512C", {NULL}},
    {41, "curveSM2", {NULL}},
    {256, "ffdhe2048", {NULL}},
    {257, "ffdhe3072", {NULL}},
    {258, "ffdhe4096", {NULL}},
    {259, "ffdhe6144", {NULL}},
    {260, "ffdhe8192", {NULL}},
    {512, "MLKEM512", {NULL}},
    {513, "MLKEM768", {NULL}},
    {514, "MLKEM1024", {NULL}},
    {4587, "SecP256r1MLKEM768", {NULL}},
    {4588, "X25519MLKEM768", {NULL}},
    {4589, "SecP384r1MLKEM1024", {NULL}},
    {4590, "curveSM2MLKEM768", {NULL}},
    {25497, "X25519Kyber768Draft00", {NULL}},
    {25498, "SecP256r1Kyber768Draft00", {NULL}},
    {65281, "arbitrary_explicit_prime_curves", {NULL}},
    {65282, "arbitrary_explicit_char2_curves", {NULL}},
};

#define GROUPS (sizeof groups / sizeof groups[0])

/* 0x0A0A, 0x1A1A, ..., 0xFAFA: what clients send to see that servers ignore it [RFC8701, 2]. */
static bool is_grease(unsigned code_point) {
  return (code_point & 0x0F0F) == 0x0A0A && code_point >> 8 == (code_point & 0xFF);
}

const char *ckem_tls_owner_of_number(unsigned code_point) {
  for (size_t i = 0; i < GROUPS; i++) {
    if (groups[i].code_point == code_point) {
      return groups[i].name;
    }
  }
  return is_grease(code_point) ? "GREASE (RFC 8701)" : NULL;
}

const char *ckem_tls_owner_of_name(const char *name) {
  for (size_t i = 0; i < GROUPS; i++) {
    bool same = ckem_algorithm_same_name(name, groups[i].name);
    for (size_t j = 0; j < OTHER_NAMES && groups[i].other[j] != NULL; j++) {
      same = same || ckem_algorithm_same_name(name, groups[i].other[j]);
    }
    if (same) {
      return groups[i].name;
    }
  }
  return NULL;
}
