/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The public functions as rows of tables, for contract_check.c. */
#ifndef CODEKEM_TESTS_CONTRACT_H
#define CODEKEM_TESTS_CONTRACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codekem.h"

#define MAX_ARGUMENTS 8
#define BATCH 2       /* operations of a batch */
#define MESSAGE 100   /* bytes that are signed */
#define PAGE 2048
#define DIRT 0xA5     /* in outputs before a call */

/* One public function that returns a status. Each letter of arguments is a pointer: an output in
 * upper case, which a failure zeroes, or an input. K and q, s and so on have these meanings:
 *   K KEM                       r source of randomness      w workspace
 *   P p public key              S s secret key              C c ciphertext, or signature
 *   H shared secret             k seed of a key pair        e seed of an encapsulation
 *   M m prepared key            R t memory for rows         Q rows
 *   E u encapsulation           x short secret key          f takes pages
 *   y piece of a public key     z message                   v session of SOFIA
 * Lengths are those of the scheme, or of a batch; the workspace has `workspace` bytes. */
struct function {
  const char *name;
  const char *arguments;
  size_t operations;                     /* 1, or BATCH */
  int (*run)(void *const *arguments);
  size_t (*workspace)(const codekem_kem *kem);
  void (*prepare)(void *const *arguments); /* the steps before this one; NULL if there are none */
  bool has_options; /* with k, e, r and w, which are then not required */
};

extern const struct function ckem_kem_functions[];
extern const size_t kem_function_count;
extern const struct function mceliece_functions[];
extern const size_t mceliece_function_count;
extern const struct function sofia_functions[];
extern const size_t sofia_function_count;

/* In contract_check.c: what is checked now, whether CODEKEM_CPU names no back end, and the end of
 * the program with a message, unless what it takes is good. */
extern const char *situation;
extern bool no_backend;
void require(bool good, const char *what);

/* In contract_steps.c. An encapsulation whose beginning failed, in way number way, 0 to 5: the
 * steps that follow say so, and leave zeros. */
void check_encapsulation(const codekem_kem *kem, int way);

/* Steps of SOFIA in a workspace of length bytes in which nothing could begin. */
void check_sofia_steps(size_t length, const uint8_t *key, size_t signature_length);

void check_rest(void);

/* Returns a length, or that of a buffer for a KEM whose scheme has none. */
size_t without_scheme(size_t length);

/* In contract_stuck.c: what every hash gives, or -1 where they are what they should be. */
extern int contract_stuck_byte;

/* What the calls that run now get. */
extern codekem_random_function contract_source;
extern size_t contract_workspace_length;

#endif
