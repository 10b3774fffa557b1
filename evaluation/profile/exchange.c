/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* An exchange from seeds, operation by operation, for programs that look at what an operation
 * does. */
#include "exchange.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const operation_names[OPERATION_COUNT] = {"keygen", "encaps", "decaps"};

#define MAX_SEED_BYTES 64

const codekem_kem *exchange_open(const char *program, const char *kem, const char *backend) {
  const codekem_kem *found = codekem_kem_find(kem);

#if defined(CODEKEM_HAVE_MCELIECE)
  found = found != NULL ? found : codekem_mceliece_kem_find(kem);
#endif
  if (found == NULL) {
    fprintf(stderr, "%s: there is no KEM '%s'; `codekem list` names them\n", program, kem);
    exit(2);
  }
  if (codekem_backend_select(backend) != CODEKEM_OK) {
    fprintf(stderr, "%s: this build or processor has no back end '%s'; there are:", program,
            backend);
    for (size_t i = 0; i < codekem_backend_count(); i++) {
      if (codekem_backend_supported(i)) {
        fprintf(stderr, " %s", codekem_backend_name(i));
      }
    }
    fputc('\n', stderr);
    exit(2);
  }
  return found;
}

enum scheme exchange_scheme(const char *kem) {
  if (strncmp(kem, "mceliece", strlen("mceliece")) == 0) {
    return SCHEME_MCELIECE;
  }
  return strncmp(kem, "HQC", strlen("HQC")) == 0 ? SCHEME_HQC : SCHEME_BIKE;
}

unsigned exchange_count(const char *program, const char *text) {
  char *end = NULL;
  const long value = strtol(text, &end, 10);

  if (end == text || *end != '\0' || value < 1 || value > 1000000) {
    fprintf(stderr, "%s: '%s' is not a number from 1 to 1000000\n", program, text);
    exit(2);
  }
  return (unsigned)value;
}

/* Fills a seed from the round: not secret, only different each time. Source: SplitMix64. */
static void fill_seed(uint8_t seed[MAX_SEED_BYTES], uint64_t round) {
  uint64_t state = round * UINT64_C(0x9E3779B97F4A7C15);

  for (size_t i = 0; i < MAX_SEED_BYTES; i++) {
    state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t z = (state ^ state >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    seed[i] = (uint8_t)(z ^ z >> 31);
  }
}

/* Makes keys: those of Classic McEliece take the caller's memory only. */
static codekem_status make_keys(struct exchange *x, codekem_options options) {
  static void *workspace;
  const size_t length = x->kem->length_keypair_workspace;

  if (exchange_scheme(x->kem->method_name) == SCHEME_MCELIECE) {
    if (workspace == NULL) {
      workspace = aligned_alloc(CODEKEM_WORKSPACE_ALIGNMENT, length);
    }
    options.workspace = workspace;
    options.workspace_length = length;
  }
  return codekem_kem_keypair_with(x->kem, x->public_key, x->secret_key, &options);
}

void exchange_run(struct exchange *x, enum operation operation, uint64_t round) {
  uint8_t seed[MAX_SEED_BYTES];
  const codekem_options options = {.size = sizeof options, .seed = seed};
  codekem_status status = CODEKEM_OK;

  fill_seed(seed, 2 * round + (operation == OPERATION_ENCAPS));
  switch (operation) {
    case OPERATION_KEYPAIR:
      status = make_keys(x, options);
      break;
    case OPERATION_ENCAPS:
      status = codekem_kem_encaps_with(x->kem, x->ciphertext, x->sent, x->public_key, &options);
      break;
    default:
      status = codekem_kem_decaps(x->kem, x->received, x->ciphertext, x->secret_key);
      if (status == CODEKEM_OK && memcmp(x->sent, x->received, x->kem->length_shared_secret) != 0) {
        status = CODEKEM_ERROR_INTERNAL;
      }
  }
  if (status != CODEKEM_OK) {
    fprintf(stderr, "%s of %s failed: %s\n", operation_names[operation], x->kem->method_name,
            codekem_status_text(status));
    exit(1);
  }
}
