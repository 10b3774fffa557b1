/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * codekem-hybrid: a KEM of codekem and an elliptic curve in one, secure as long as either is.
 *
 * It is the framework UG of draft-irtf-cfrg-hybrid-kems-12 (the universal combiner with a nominal
 * group), with SHAKE256 as its generator, SHA3-256 as its key derivation, and the groups of
 * draft-irtf-cfrg-concrete-hybrid-kems-04. A hybrid is a codekem_kem: all functions of codekem.h
 * take it.
 *
 *   static codekem_hybrid hybrid;
 *   const codekem_hybrid_group group = codekem_hybrid_x25519();
 *
 *   if (codekem_hybrid_make(&hybrid, codekem_kem_find("HQC-1"), &group) != CODEKEM_OK ||
 *       codekem_kem_keypair(&hybrid.kem, public_key, secret_key) != CODEKEM_OK ||       // Bob
 *       codekem_kem_encaps(&hybrid.kem, ciphertext, alice, public_key) != CODEKEM_OK || // Alice
 *       codekem_kem_decaps(&hybrid.kem, bob, ciphertext, secret_key) != CODEKEM_OK) {   // Bob
 *     return false;
 *   } // the 32 bytes of alice and bob are equal
 *
 * Public keys and ciphertexts are those of the KEM, and an element of the group behind them. A
 * secret key begins with its seed of CODEKEM_HYBRID_SEED bytes, which is the draft's decapsulation
 * key and all that need be stored: codekem_kem_keypair_with that seed makes the pair again. The
 * seed of an encapsulation is the KEM's, and behind it the group's.
 *
 * docs/hybrid.md has lengths, costs, and the same in other languages.
 */
#ifndef CODEKEM_HYBRID_H
#define CODEKEM_HYBRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codekem.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CODEKEM_HYBRID_SEED 32          /* of a key pair */
#define CODEKEM_HYBRID_SCALAR 32        /* and of the secret that two parties share in a group */
#define CODEKEM_HYBRID_SHARED_SECRET 32 /* of a hybrid */
#define CODEKEM_HYBRID_MAX_ELEMENT 65
#define CODEKEM_HYBRID_MAX_GROUP_SEED 128

/* Writes scalar times the generator to element. Returns false if it cannot. Timing: constant in
 * scalar[CODEKEM_HYBRID_SCALAR]. */
typedef bool (*codekem_hybrid_element_function)(void *context, uint8_t *element,
                                                const uint8_t *scalar);

/* Writes what scalar times element is as a secret to secret[CODEKEM_HYBRID_SCALAR]. Returns false
 * if these bytes are no element of the group, or if it cannot. Timing: constant in scalar. */
typedef bool (*codekem_hybrid_secret_function)(void *context, uint8_t *secret,
                                               const uint8_t *element, const uint8_t *scalar);

/* A group: what the two functions below return. */
typedef struct codekem_hybrid_group {
  const char *name;      /* in the label */
  size_t length_element; /* bytes */
  size_t length_seed;    /* of what a scalar is drawn from: candidates, one behind the other */
  const uint8_t *order; /* a scalar is smaller than this, big-endian, and not 0; NULL: any is one */
  uint8_t first_byte; /* of each element; 0: any */
  codekem_hybrid_element_function element;
  codekem_hybrid_secret_function secret;
  void *context;
} codekem_hybrid_group;

/* Returns X25519 [RFC 7748], implemented here in constant time. A result of zeros, which points of
 * small order give, is hashed as any other: the draft refuses none, and hashes the point, too. */
CODEKEM_API codekem_hybrid_group codekem_hybrid_x25519(void);

/* Returns P-256 with the arithmetic of the caller, because this library links none. Elements are
 * 65 bytes: 4, x, y, big-endian as the scalars are; the secret is x. */
CODEKEM_API codekem_hybrid_group codekem_hybrid_p256(
    codekem_hybrid_element_function element, codekem_hybrid_secret_function secret, void *context);

/* A hybrid: use kem and label, and do not copy or move it, since it points into itself. It holds no
 * secret. */
typedef struct codekem_hybrid {
  codekem_kem kem;
  const codekem_kem *post_quantum;
  codekem_hybrid_group group;
  char name[48]; /* "HQC-1-X25519" */
  char label[64]; /* "codekem-HQC-1-X25519-UG-v0": what domains are separated by */
  uint64_t state[16];
} codekem_hybrid;

/* Makes a hybrid from a KEM of codekem, codekem-legacy or codekem-mceliece. What it is beside its
 * lengths and names, kem says as post_quantum does. Errors: CODEKEM_ERROR_NULL;
 * CODEKEM_ERROR_OPTIONS if a name or a length is longer than the hybrid has room for. Calls with
 * the hybrid fail as those with post_quantum, and with CODEKEM_ERROR_INTERNAL if the group makes no
 * element, with CODEKEM_ERROR_PUBLIC_KEY or CODEKEM_ERROR_CIPHERTEXT if what is there in its place
 * is none. */
CODEKEM_API codekem_status codekem_hybrid_make(
    codekem_hybrid *hybrid, const codekem_kem *post_quantum,
    const codekem_hybrid_group *group) CODEKEM_CHECK_RESULT;

#ifdef __cplusplus
}
#endif

#endif
