/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Verifies arbitrary signatures of arbitrary lengths for arbitrary keys and messages, in parts and
 * at once. No call may touch other memory, and all back ends and both ways give the same verdict.
 */
#include <stdlib.h>
#include <string.h>

#include "codekem_sofia.h"
#include "fuzz_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MESSAGE = 400 };

struct call {
  uint8_t *public_key, *signature, *message;
  size_t signature_length, message_length, part;
  codekem_sofia_status first;
  int have_first;
};

static codekem_sofia_status in_parts(const struct call *call, void *workspace) {
  codekem_sofia_status status =
      codekem_sofia_verify_start(workspace, CODEKEM_SOFIA_VERIFY_WORKSPACE, call->signature,
                                 call->signature_length, call->public_key);

  for (size_t done = 0; status == CODEKEM_SOFIA_OK && done < call->message_length;) {
    const size_t rest = call->message_length - done;
    const size_t here = rest < call->part ? rest : call->part;
    status = codekem_sofia_verify_update(workspace, call->message + done, here);
    done += here;
  }
  return status == CODEKEM_SOFIA_OK ? codekem_sofia_verify_finish(workspace) : status;
}

static void verify(void *context) {
  struct call *call = context;
  void *workspace = aligned_alloc(CODEKEM_WORKSPACE_ALIGNMENT, CODEKEM_SOFIA_VERIFY_WORKSPACE);

  fuzz_require(workspace != NULL, "no memory");
  const codekem_sofia_status status =
      codekem_sofia_verify_workspace(call->message, call->message_length, call->signature,
                                     call->signature_length, call->public_key, workspace,
                                     CODEKEM_SOFIA_VERIFY_WORKSPACE);
  fuzz_require(status == CODEKEM_SOFIA_OK || status == CODEKEM_SOFIA_ERROR_SIGNATURE,
               "an unexpected status");
  fuzz_require(in_parts(call, workspace) == status, "parts give another verdict");
  fuzz_require(!call->have_first || call->first == status, "back ends disagree");
  call->first = status;
  call->have_first = 1;
  free(workspace);
}

/* Signs with a key that never changes, which takes long enough to be done once. */
static const uint8_t *honest(uint8_t *public_key, const uint8_t *message) {
  static uint8_t signature[CODEKEM_SOFIA_SIGNATURE], key[CODEKEM_SOFIA_PUBLIC_KEY];
  static int made;
  uint8_t secret_key[CODEKEM_SOFIA_SECRET_KEY] = {1};

  if (!made) {
    fuzz_require(codekem_sofia_keypair_derand(key, secret_key, secret_key) == CODEKEM_SOFIA_OK &&
                     codekem_sofia_sign(signature, message, MESSAGE, secret_key) ==
                         CODEKEM_SOFIA_OK,
                 "signing failed");
    made = 1;
  }
  memcpy(public_key, key, sizeof key);
  return signature;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct fuzz_input input = {data, size};
  const uint8_t what = fuzz_take_byte(&input);
  struct call call = {
      .signature_length = CODEKEM_SOFIA_SIGNATURE, .message_length = MESSAGE, .part = 1};
  uint8_t message[MESSAGE] = {7}, key[CODEKEM_SOFIA_PUBLIC_KEY];
  const uint8_t *signature = honest(key, message);

  call.part += fuzz_take_byte(&input);
  if ((what & 7) == 7) { /* a wrong length */
    call.signature_length -= fuzz_take_byte(&input);
  }
  call.public_key = fuzz_allocate(sizeof key);
  call.signature = fuzz_allocate(call.signature_length);
  call.message = fuzz_allocate(MESSAGE);
  memcpy(call.public_key, key, sizeof key);
  memcpy(call.signature, signature, call.signature_length);
  memcpy(call.message, message, MESSAGE);
  if (what & 8) {
    fuzz_change(&input, call.public_key, sizeof key);
  }
  if (what & 16) {
    fuzz_change(&input, call.message, MESSAGE);
  }
  if (what & 32) {
    fuzz_change(&input, call.signature, call.signature_length);
  }
  fuzz_require(fuzz_for_each_backend(verify, &call) > 0, "no back end");
  free(call.public_key);
  free(call.signature);
  free(call.message);
  return 0;
}
