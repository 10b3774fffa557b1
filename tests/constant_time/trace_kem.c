/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The operations of KEMs, for trace_compare.c. */
#include <string.h>

#include "codekem.h"
#include "trace_operation.h"

static struct {
  uint8_t keypair_seed[CODEKEM_MAX_KEYPAIR_SEED];
  uint8_t encaps_seed[CODEKEM_MAX_ENCAPS_SEED];
  uint8_t public_key[CODEKEM_MAX_PUBLIC_KEY];
  uint8_t secret_key[CODEKEM_MAX_SECRET_KEY];
  uint8_t ciphertext[CODEKEM_MAX_CIPHERTEXT];
  uint8_t shared_secret[CODEKEM_MAX_SHARED_SECRET];
} data;

static const codekem_kem *kem;
static char operation; /* k, e, d or c: keypair, encaps, decaps, check */
static bool one_key;

bool trace_choose(const char *scheme, const char *name, bool fixed_key) {
  kem = codekem_kem_find(scheme);
  operation = name[0];
  one_key = fixed_key || operation == 'e';
  return kem != NULL && operation != '\0' && strchr("kedc", operation) != NULL;
}

bool trace_operate(void) {
  codekem_status status;

  switch (operation) {
    case 'k':
      status = codekem_kem_keypair_derand(kem, data.public_key, data.secret_key, data.keypair_seed);
      break;
    case 'e':
      status = codekem_kem_encaps_derand(kem, data.ciphertext, data.shared_secret, data.public_key,
                                         data.encaps_seed);
      break;
    case 'd':
      status = codekem_kem_decaps(kem, data.shared_secret, data.ciphertext, data.secret_key);
      break;
    default:
      status = codekem_kem_check_secret_key(kem, data.secret_key);
  }
  return status == CODEKEM_OK;
}

/* The last case decapsulates a ciphertext that is rejected. */
void trace_prepare(unsigned number) {
  trace_fill(data.keypair_seed, sizeof data.keypair_seed, 100 + (one_key ? 0 : number));
  trace_fill(data.encaps_seed, sizeof data.encaps_seed, 200 + number);
  trace_require(codekem_kem_keypair_derand(kem, data.public_key, data.secret_key,
                                           data.keypair_seed) == CODEKEM_OK &&
                    codekem_kem_encaps_derand(kem, data.ciphertext, data.shared_secret,
                                              data.public_key, data.encaps_seed) == CODEKEM_OK,
                "preparation failed");
  if (number == TRACE_CASES - 1) {
    trace_fill(data.ciphertext, 64, number);
  }
}
