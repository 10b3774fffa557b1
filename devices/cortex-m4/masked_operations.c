/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Runs operations of HQC in shares on the board and measures them. console.h has the form of input
 * and output. Masks come from ChaCha8, from a fixed seed: a product has a source of its own.
 *
 *     KEM keypair SEED                     the seed, in shares, to public key, secret key
 *     KEM import SECRET_KEY                a plain secret key to one in shares
 *     KEM encaps PUBLIC_KEY SEED           to ciphertext, shared secret
 *     KEM decaps CIPHERTEXT SECRET_KEY     to shared secret
 *     KEM guarded-decaps ...               the same in a block as long as the KEM says, before a
 *                                          guard
 *     workspace KEM                        no call; the working memory of every operation
 */
#include <string.h>

#include "board.h"
#include "codekem_masked.h"
#include "console.h"
#include "measure.h"
#include "operation.h"

enum { MAX_VALUE_BYTES = CODEKEM_MASKED_MAX_SECRET_KEY, MAX_WORKSPACE_BYTES = 128 * 1024 };

static char line[2 * MAX_VALUES * MAX_VALUE_BYTES + 100];
static uint8_t inputs[MAX_VALUES][MAX_VALUE_BYTES];
static uint8_t outputs[MAX_VALUES][MAX_VALUE_BYTES];
static _Alignas(CODEKEM_WORKSPACE_ALIGNMENT) uint8_t workspace[MAX_WORKSPACE_BYTES + GUARD_BYTES];

struct call {
  const codekem_masked_kem *kem;
  codekem_status status;
};

/* The same bytes every time, so that every run counts the same. */
static bool give_seed(void *context, uint8_t *out, size_t length) {
  (void)context;
  for (size_t i = 0; i < length; i++) {
    out[i] = (uint8_t)(37 * i + 11);
  }
  return true;
}

static codekem_masked_options options_with(const uint8_t *seed) {
  return (codekem_masked_options){
      .size = sizeof(codekem_masked_options), .seed = seed, .random = give_seed};
}

static void keypair(void *context) {
  struct call *call = context;
  const codekem_masked_options options = options_with(inputs[0]);

  call->status = codekem_masked_keypair(call->kem, outputs[0], outputs[1], &options);
}

static void import_key(void *context) {
  struct call *call = context;
  const codekem_masked_options options = options_with(NULL);

  call->status = codekem_masked_import_key(call->kem, outputs[0], inputs[0], &options);
}

static void encaps(void *context) {
  struct call *call = context;
  const codekem_masked_options options = options_with(inputs[1]);

  call->status = codekem_masked_encaps(call->kem, outputs[0], outputs[1], inputs[0], &options);
}

static void decaps(void *context) {
  struct call *call = context;
  const codekem_masked_options options = options_with(NULL);

  call->status = codekem_masked_decaps(call->kem, outputs[0], inputs[0], inputs[1], &options);
}

static void guarded_decaps(void *context) {
  struct call *call = context;
  const size_t length = call->kem->length_workspace;
  codekem_masked_options options = options_with(NULL);

  guard_begin(workspace, MAX_WORKSPACE_BYTES, length);
  options.workspace = workspace;
  options.workspace_length = length;
  call->status = codekem_masked_decaps(call->kem, outputs[0], inputs[0], inputs[1], &options);
  guard_end(workspace, length);
}

static const codekem_masked_kem *find(const char *name) {
  const codekem_masked_kem *kem = codekem_masked_find(name);

  if (kem == NULL) {
    console_fail("no such KEM in shares: ", name);
  }
  return kem;
}

static void run_line(void) {
  char *rest = line;
  const char *first = console_next_word(&rest);

  if (strcmp(first, "workspace") == 0) {
    const struct measurement nothing = {0, 0};
    const uint32_t length = (uint32_t)find(console_next_word(&rest))->length_workspace;
    console_say_measurement(&nothing);
    console_say_value((const uint8_t *)&length, sizeof length);
    console_say("\n");
    return;
  }
  const char *name = console_next_word(&rest);
  struct call call = {.kem = find(first)};
  const codekem_kem *kem = call.kem->kem;
  const size_t shares = call.kem->shares;
  const size_t secret_key = call.kem->length_secret_key;
  const size_t secret = call.kem->length_shared_secret;
  const struct operation operations[] = {
      {"keypair",
       keypair,
       {shares * kem->length_keypair_seed},
       {kem->length_public_key, secret_key}},
      {"import", import_key, {kem->length_secret_key}, {secret_key}},
      {"encaps",
       encaps,
       {kem->length_public_key, shares * kem->length_encaps_seed},
       {kem->length_ciphertext, secret}},
      {"decaps", decaps, {kem->length_ciphertext, secret_key}, {secret}},
      {"guarded-decaps", guarded_decaps, {kem->length_ciphertext, secret_key}, {secret}},
  };
  operation_run(operation_find(operations, sizeof operations / sizeof operations[0], name), &call,
                &call.status, rest, (uint8_t *const[]){inputs[0], inputs[1]},
                (uint8_t *const[]){outputs[0], outputs[1]});
}

int main(void) {
  while (console_read_line(line, sizeof line)) {
    run_line();
  }
  return 0;
}
