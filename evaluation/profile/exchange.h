/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* An exchange from seeds, operation by operation, for programs that look at what an operation
 * does. */
#ifndef CODEKEM_EVALUATION_EXCHANGE_H
#define CODEKEM_EVALUATION_EXCHANGE_H

#include <stdint.h>

#include "codekem.h"
#include "wraps.h"
#if defined(CODEKEM_HAVE_MCELIECE)
#include "codekem_mceliece.h"
#endif

#if defined(CODEKEM_HAVE_MCELIECE)
#define EXCHANGE_PUBLIC_KEY CODEKEM_MCELIECE_MAX_PUBLIC_KEY
#else
#define EXCHANGE_PUBLIC_KEY CODEKEM_MAX_PUBLIC_KEY
#endif
#define EXCHANGE_SECRET_KEY 32768 /* of any KEM */

/* What an operation reads and writes; keys are made in a workspace of their own. */
struct exchange {
  const codekem_kem *kem;
  uint8_t public_key[EXCHANGE_PUBLIC_KEY];
  uint8_t secret_key[EXCHANGE_SECRET_KEY];
  uint8_t ciphertext[CODEKEM_MAX_CIPHERTEXT];
  uint8_t sent[CODEKEM_MAX_SHARED_SECRET];
  uint8_t received[CODEKEM_MAX_SHARED_SECRET];
};

extern const char *const operation_names[OPERATION_COUNT];

/* Finds a KEM and chooses a back end; says on stderr what is wrong and ends the program if there is
 * none. */
const codekem_kem *exchange_open(const char *program, const char *kem, const char *backend);

/* Returns the scheme of a KEM by its name. */
enum scheme exchange_scheme(const char *kem);

/* Reads a number from 1 to 10^6, or says that it is none and ends the program. */
unsigned exchange_count(const char *program, const char *text);

/* Runs one operation; round decides the seeds. Ends the program if it fails. */
void exchange_run(struct exchange *exchange, enum operation operation, uint64_t round);

#endif
