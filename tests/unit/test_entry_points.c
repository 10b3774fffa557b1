/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The entry points with a KEM that needs more memory than a stack holds: plain calls refuse. */
#include "kem.h"
#include "unit_test.h"

#define BYTES 100
#define WORKSPACE_BYTES ((size_t)1 << 20)

static codekem_status fill(const struct kem_call *call, struct arena arena) {
  uint8_t *const outputs[] = {call->out.public_key, call->out.secret_key, call->out.ciphertext,
                              call->out.shared_secret};

  assert_int_equal(arena.words_left, WORKSPACE_BYTES / 8);
  memset(arena.next, 0x5A, WORKSPACE_BYTES);
  for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
    if (outputs[i] != NULL) {
      memset(outputs[i], 0x5A, BYTES);
    }
  }
  return CODEKEM_OK;
}

static const struct kem_operations operations = {
    .keypair = fill,
    .encaps = fill,
    .decaps = fill,
    .check_secret_key = fill,
    .derive_public_key = fill,
};
static const struct kem_stacks no_stacks = {.keypair = NULL};
static const struct codekem_kem_internal internal = {
    .operations = &operations,
    .stacks = &no_stacks,
    .keypair_request = 32,
    .encaps_request = 32,
};
static const codekem_kem giant = {
    .method_name = "giant",
    .length_public_key = BYTES,
    .length_secret_key = BYTES,
    .length_ciphertext = BYTES,
    .length_shared_secret = BYTES,
    .length_keypair_workspace = WORKSPACE_BYTES,
    .length_encaps_workspace = WORKSPACE_BYTES,
    .length_decaps_workspace = WORKSPACE_BYTES,
    .length_check_workspace = WORKSPACE_BYTES,
    .internal = &internal,
};

static const uint8_t in[BYTES];
static uint8_t out1[BYTES], out2[BYTES];
static _Alignas(64) uint8_t workspace[WORKSPACE_BYTES];

static void dirty(void) {
  memset(out1, 0xA5, BYTES);
  memset(out2, 0xA5, BYTES);
}

/* The outputs that a call has are zero after it refused, or set after it worked. */
static void expect(codekem_status got, codekem_status wanted, int outputs) {
  const int byte = wanted == CODEKEM_OK ? 0x5A : 0;

  assert_int_equal(got, wanted);
  for (size_t i = 0; i < BYTES; i++) {
    assert_int_equal(out1[i], outputs > 0 ? byte : 0xA5);
    assert_int_equal(out2[i], outputs > 1 ? byte : 0xA5);
  }
  dirty();
}

static void plain_calls_refuse_what_no_stack_holds(void **state) {
  const codekem_status refused = CODEKEM_ERROR_WORKSPACE;

  (void)state;
  dirty();
  expect(codekem_kem_keypair(&giant, out1, out2), refused, 2);
  expect(codekem_kem_keypair_with(&giant, out1, out2, CODEKEM_OPTIONS(.seed = in)), refused, 2);
  expect(codekem_kem_encaps(&giant, out1, out2, in), refused, 2);
  expect(codekem_kem_encaps_with(&giant, out1, out2, in, CODEKEM_OPTIONS(.seed = in)), refused, 2);
  expect(codekem_kem_decaps(&giant, out1, in, in), refused, 1);
  expect(codekem_kem_check_secret_key(&giant, in), refused, 0);
  expect(codekem_kem_derive_public_key(&giant, out1, in), refused, 1);
}

static void calls_with_a_workspace_work_and_wipe_it(void **state) {
  const size_t n = WORKSPACE_BYTES;

  (void)state;
  dirty();
  expect(codekem_kem_keypair_with(&giant, out1, out2,
                                  CODEKEM_OPTIONS(.seed = in, .workspace = workspace,
                                                  .workspace_length = n)),
         CODEKEM_OK, 2);
  expect(codekem_kem_keypair_with(&giant, out1, out2,
                                  CODEKEM_OPTIONS(.random = codekem_random_system,
                                                  .workspace = workspace, .workspace_length = n)),
         CODEKEM_OK, 2);
  expect(codekem_kem_encaps_with(&giant, out1, out2, in,
                                 CODEKEM_OPTIONS(.seed = in, .workspace = workspace,
                                                 .workspace_length = n)),
         CODEKEM_OK, 2);
  expect(codekem_kem_encaps_with(&giant, out1, out2, in,
                                 CODEKEM_OPTIONS(.random = codekem_random_system,
                                                 .workspace = workspace, .workspace_length = n)),
         CODEKEM_OK, 2);
  expect(codekem_kem_decaps_with(&giant, out1, in, in,
                                 CODEKEM_OPTIONS(.workspace = workspace, .workspace_length = n)),
         CODEKEM_OK, 1);
  expect(codekem_kem_check_secret_key_with(
             &giant, in, CODEKEM_OPTIONS(.workspace = workspace, .workspace_length = n)),
         CODEKEM_OK, 0);
  expect(codekem_kem_derive_public_key_with(
             &giant, out1, in, CODEKEM_OPTIONS(.workspace = workspace, .workspace_length = n)),
         CODEKEM_OK, 1);
  for (size_t i = 0; i < n; i++) {
    assert_int_equal(workspace[i], 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plain_calls_refuse_what_no_stack_holds),
      cmocka_unit_test(calls_with_a_workspace_work_and_wipe_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
