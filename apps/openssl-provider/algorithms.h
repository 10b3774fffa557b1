/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The algorithms of the provider: KEMs, and the hybrids of them with a classical exchange. */
#ifndef CODEKEM_PROVIDER_ALGORITHMS_H
#define CODEKEM_PROVIDER_ALGORITHMS_H

#include <codekem.h>
#include <stdbool.h>
#include <stddef.h>

/* The table; the test with a made-up KEM has one of its own. */
#ifndef CODEKEM_PROVIDER_TABLE
#define CODEKEM_PROVIDER_TABLE "algorithms.def"
#endif

/* A classical key exchange of OpenSSL. Its share is what TLS sends [RFC8446, 4.2.8.2]. */
struct classical {
  const char *key_type;   /* "EC" or "X25519": what OpenSSL calls the kind of key */
  const char *curve;      /* "P-256"; NULL if the kind of key says it */
  size_t share_bytes;
  size_t secret_bytes;
};

/* One algorithm: a row of algorithms.def. The code point is a default that the configuration may
 * replace; see settings.h. */
struct algorithm {
  const char *name;                   /* as OpenSSL fetches it: "BIKE-L1", "p256_bikel1" */
  const char *kem;                    /* the KEM's name in codekem.h */
  const struct classical *classical;  /* the other half of a hybrid, or NULL */
  const char *group;                  /* TLS group: "bikel1", "p256_bikel1"; NULL: none */
  unsigned code_point;                /* of the TLS group */
};

/* The places of the algorithms in the table: ALGORITHM_bikel1, ... */
enum algorithm_place {
#define ALGORITHM(identifier, name, kem, classical, group, code_point) ALGORITHM_##identifier,
#include CODEKEM_PROVIDER_TABLE
#undef ALGORITHM
  ALGORITHMS
};

extern const struct algorithm ckem_provider_algorithms[ALGORITHMS];

/* Says whether two names are the same, as OpenSSL compares names: without regard to the case of
 * ASCII letters. (OPENSSL_strcasecmp came with 3.0.3, and strcasecmp depends on the locale.) */
bool ckem_algorithm_same_name(const char *a, const char *b);

/* Returns the number of bytes of a public key of algorithm, of a ciphertext and of a secret: the
 * classical share or secret, followed by the KEM's, without anything between [RFC9954, 3]. */
size_t ckem_algorithm_public_key_bytes(const struct algorithm *algorithm, const codekem_kem *kem);
size_t ckem_algorithm_ciphertext_bytes(const struct algorithm *algorithm, const codekem_kem *kem);
size_t ckem_algorithm_secret_bytes(const struct algorithm *algorithm, const codekem_kem *kem);

/* Returns the strength of kem in bits, as OpenSSL counts it: 128, 192 or 256. */
unsigned ckem_algorithm_security_bits(const codekem_kem *kem);

/* Says whether algorithm can be a TLS group: it has a name for one, and neither the public key nor
 * the ciphertext is longer than a key share may be [RFC8446, 4.2.8]. */
bool ckem_algorithm_has_group(const struct algorithm *algorithm, const codekem_kem *kem);

#endif
