/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Runs operations of the library on the board and measures them.
 *
 * Input, one operation in each line, values in hexadecimal:
 *
 *     KEM keypair SEED
 *     KEM encaps PUBLIC_KEY SEED
 *     KEM decaps CIPHERTEXT SECRET_KEY
 *     KEM guarded-keypair ... the same in a block that is as long as the KEM says, before a guard
 *     spin COUNT              runs exactly COUNT instructions: COUNT is even, at least 6
 *     peek INDEX              reads a word of an array at the index: what a trace must show
 *     workspace KEM           no call; gives the working memory of each operation in 4 bytes
 *     backend                 no call; gives the name of the back end
 *
 * Output, one line for each: "ok INSTRUCTIONS STACK_BYTES" and the outputs of the call. The first
 * line that cannot be run ends the program with status 1 and a line that says why.
 */
#include <string.h>

#include "board.h"
#include "codekem.h"
#include "console.h"
#include "measure.h"
#include "operation.h"

enum { MAX_VALUE_BYTES = CODEKEM_MAX_SECRET_KEY, MAX_WORKSPACE_BYTES = 160 * 1024 };

static char line[2 * MAX_VALUES * MAX_VALUE_BYTES + 100];
static uint8_t inputs[MAX_VALUES][MAX_VALUE_BYTES];
static uint8_t outputs[MAX_VALUES][MAX_VALUE_BYTES];

/* An operation and what it reads and writes. */
struct call {
  const codekem_kem *kem;
  codekem_status status;
};

static void keypair(void *context) {
  struct call *call = context;
  call->status = codekem_kem_keypair_with(call->kem, outputs[0], outputs[1],
                                          CODEKEM_OPTIONS(.seed = inputs[0]));
}

static void encaps(void *context) {
  struct call *call = context;
  call->status = codekem_kem_encaps_with(call->kem, outputs[0], outputs[1], inputs[0],
                                         CODEKEM_OPTIONS(.seed = inputs[1]));
}

static void decaps(void *context) {
  struct call *call = context;
  call->status = codekem_kem_decaps(call->kem, outputs[0], inputs[0], inputs[1]);
}

/* The block that a guarded call works in, and the guard behind it. */
static _Alignas(CODEKEM_WORKSPACE_ALIGNMENT) uint8_t workspace[MAX_WORKSPACE_BYTES + GUARD_BYTES];

static void guarded_keypair(void *context) {
  struct call *call = context;
  const size_t length = call->kem->length_keypair_workspace;

  guard_begin(workspace, MAX_WORKSPACE_BYTES, length);
  call->status = codekem_kem_keypair_with(call->kem, outputs[0], outputs[1],
                                          CODEKEM_OPTIONS(.seed = inputs[0], .workspace = workspace,
                                                          .workspace_length = length));
  guard_end(workspace, length);
}

static void guarded_encaps(void *context) {
  struct call *call = context;
  const size_t length = call->kem->length_encaps_workspace;

  guard_begin(workspace, MAX_WORKSPACE_BYTES, length);
  call->status = codekem_kem_encaps_with(call->kem, outputs[0], outputs[1], inputs[0],
                                         CODEKEM_OPTIONS(.seed = inputs[1], .workspace = workspace,
                                                         .workspace_length = length));
  guard_end(workspace, length);
}

static void guarded_decaps(void *context) {
  struct call *call = context;
  const size_t length = call->kem->length_decaps_workspace;

  guard_begin(workspace, MAX_WORKSPACE_BYTES, length);
  call->status =
      codekem_kem_decaps_with(call->kem, outputs[0], inputs[0], inputs[1],
                              CODEKEM_OPTIONS(.workspace = workspace, .workspace_length = length));
  guard_end(workspace, length);
}

/* Runs as many instructions as context says more than the empty function that measure compares
 * with: two in each round and four before. */
__attribute__((naked)) static void spin(void *context) {
  (void)context;
  __asm__ volatile(
      "ldr r0, [r0]\n"
      "subs r0, #4\n"
      "lsrs r0, r0, #1\n"
      "nop\n"
      "1: subs r0, #1\n"
      "bne 1b\n"
      "bx lr\n");
}

static volatile uint32_t array[16];

static void peek(void *context) {
  const uint32_t *index = context;
  (void)array[*index % 16];
}

/* Writes the workspaces of a KEM to lengths[3]. */
static void list_workspaces(uint32_t *lengths, const char *name) {
  const codekem_kem *kem = codekem_kem_find(name);

  if (kem == NULL) {
    console_fail("no such KEM in this build: ", line);
  }
  lengths[0] = kem->length_keypair_workspace;
  lengths[1] = kem->length_encaps_workspace;
  lengths[2] = kem->length_decaps_workspace;
}

/* Runs a command that is not an operation of a KEM; returns 0 if name is not one of these
 * commands. */
static int run_other(const char *name, char *rest) {
  struct measurement measured = {0, 0};
  const char *text = NULL;
  uint32_t lengths[3] = {0, 0, 0};

  if (strcmp(name, "spin") == 0 || strcmp(name, "peek") == 0) {
    uint32_t number = console_read_number(console_next_word(&rest));
    measured = measure(name[0] == 's' ? spin : peek, &number);
  } else if (strcmp(name, "backend") == 0) {
    text = codekem_backend_current();
  } else if (strcmp(name, "workspace") == 0) {
    list_workspaces(lengths, console_next_word(&rest));
  } else {
    return 0;
  }
  console_say_measurement(&measured);
  if (text != NULL) {
    console_say_value((const uint8_t *)text, strlen(text));
  }
  if (lengths[0] != 0) {
    console_say_value((const uint8_t *)lengths, sizeof lengths);
  }
  console_say("\n");
  return 1;
}

static void run_line(void) {
  char *rest = line;
  const char *first = console_next_word(&rest);
  struct call call = {.kem = codekem_kem_find(first)};
  const codekem_kem *kem = call.kem;

  if (run_other(first, rest)) {
    return;
  }
  const char *name = console_next_word(&rest);

  if (kem == NULL || name == NULL) {
    console_fail("no such KEM in this build, or no operation: ", line);
  }
  const struct operation operations[] = {
      {"keypair",
       keypair,
       {kem->length_keypair_seed},
       {kem->length_public_key, kem->length_secret_key}},
      {"encaps",
       encaps,
       {kem->length_public_key, kem->length_encaps_seed},
       {kem->length_ciphertext, kem->length_shared_secret}},
      {"decaps",
       decaps,
       {kem->length_ciphertext, kem->length_secret_key},
       {kem->length_shared_secret}},
      {"guarded-keypair",
       guarded_keypair,
       {kem->length_keypair_seed},
       {kem->length_public_key, kem->length_secret_key}},
      {"guarded-encaps",
       guarded_encaps,
       {kem->length_public_key, kem->length_encaps_seed},
       {kem->length_ciphertext, kem->length_shared_secret}},
      {"guarded-decaps",
       guarded_decaps,
       {kem->length_ciphertext, kem->length_secret_key},
       {kem->length_shared_secret}},
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
