/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Runs operations of Classic McEliece on the board and measures them. console.h has the form of
 * input and output. SOURCE is what a source of randomness gives, SEED 32 bytes.
 *
 *     KEM keypair SEED                     with working memory of the caller
 *     KEM pages PAGE SEED                  a key pair, the public key in pages of PAGE bytes
 *     KEM encaps PUBLIC_KEY SEED           on the stack
 *     KEM encaps-random PUBLIC_KEY SOURCE  as the reference implementation draws its errors
 *     KEM stream PUBLIC_KEY PIECE SEED     the public key in pieces of PIECE bytes; the state is on
 *                                          the stack, too
 *     KEM decaps CIPHERTEXT SECRET_KEY     on the stack
 *     KEM guarded-encaps, guarded-decaps   the same in a block as long as the KEM says, before a
 *                                          guard
 *     workspace KEM                        no call; the working memory of keypair, encaps, decaps,
 *                                          and of a key pair in pages of 2048 bytes
 *     backend                              no call; the name of the back end
 *
 * For PUBLIC_KEY, "-" is the one of the operation before.
 */
#include <string.h>

#include "board.h"
#include "codekem_mceliece.h"
#include "console.h"
#include "measure.h"
#include "operation.h"

/* The sets up to ckem_mceliece460896. */
enum {
  MAX_PUBLIC_KEY = 524160,
  MAX_SECRET_KEY = 13608,
  MAX_SOURCE = 20 * 384,
  MAX_WORKSPACE = 1200 * 1024,
};

static char line[2 * (MAX_PUBLIC_KEY + MAX_SOURCE) + 100];
static uint8_t public_key[MAX_PUBLIC_KEY], secret_key[MAX_SECRET_KEY];
static uint8_t ciphertext[CODEKEM_MCELIECE_MAX_CIPHERTEXT], shared_secret[32];
static uint8_t source[MAX_SOURCE];
static _Alignas(CODEKEM_WORKSPACE_ALIGNMENT) uint8_t workspace[MAX_WORKSPACE + GUARD_BYTES];

struct call {
  const codekem_kem *kem;
  size_t piece;  /* bytes */
  size_t source; /* bytes that were given */
  size_t taken;  /* bytes of these that were used */
  codekem_status status;
};

static bool draw(void *context, uint8_t *out, size_t length) {
  struct call *call = context;

  if (length > call->source - call->taken) {
    return false;
  }
  memcpy(out, source + call->taken, length);
  call->taken += length;
  return true;
}

static void keypair(void *context) {
  struct call *call = context;

  call->status = codekem_kem_keypair_with(call->kem, public_key, secret_key,
                                          CODEKEM_OPTIONS(.seed = source, .workspace = workspace,
                                                          .workspace_length = sizeof workspace));
}

/* The flash: pages come in order, and each is written once. */
static bool write_page(void *context, size_t offset, const uint8_t *page, size_t length) {
  struct call *call = context;

  if (offset != call->taken || length > call->piece) {
    return false;
  }
  memcpy(public_key + offset, page, length);
  call->taken += length;
  return true;
}

static void pages(void *context) {
  struct call *call = context;
  const size_t length = codekem_mceliece_keypair_in_pages_workspace(call->kem, call->piece);

  guard_begin(workspace, MAX_WORKSPACE, length);
  call->status = codekem_mceliece_keypair_in_pages(call->kem, secret_key, source, call->piece,
                                                   write_page, call, workspace, length);
  guard_end(workspace, length);
}

static void encaps(void *context) {
  struct call *call = context;

  call->status = codekem_kem_encaps_with(call->kem, ciphertext, shared_secret, public_key,
                                         CODEKEM_OPTIONS(.seed = source));
}

static void encaps_random(void *context) {
  struct call *call = context;

  call->status = codekem_mceliece_encaps_random(call->kem, ciphertext, shared_secret, public_key,
                                                draw, call, workspace, sizeof workspace);
}

static void stream(void *context) {
  struct call *call = context;
  codekem_mceliece_encapsulation state;

  call->status = codekem_mceliece_encaps_begin_derand(call->kem, &state, source);
  for (size_t at = 0; at < call->kem->length_public_key && call->status == CODEKEM_OK;) {
    const size_t left = call->kem->length_public_key - at;
    const size_t length = left < call->piece ? left : call->piece;

    call->status = codekem_mceliece_encaps_absorb(&state, public_key + at, length);
    at += length;
  }
  if (call->status == CODEKEM_OK) {
    call->status = codekem_mceliece_encaps_end(&state, ciphertext, shared_secret);
  }
}

static void decaps(void *context) {
  struct call *call = context;

  call->status = codekem_kem_decaps(call->kem, shared_secret, ciphertext, secret_key);
}

static void guarded_encaps(void *context) {
  struct call *call = context;
  const size_t length = call->kem->length_encaps_workspace;

  guard_begin(workspace, MAX_WORKSPACE, length);
  call->status = codekem_kem_encaps_with(call->kem, ciphertext, shared_secret, public_key,
                                         CODEKEM_OPTIONS(.seed = source, .workspace = workspace,
                                                         .workspace_length = length));
  guard_end(workspace, length);
}

static void guarded_decaps(void *context) {
  struct call *call = context;
  const size_t length = call->kem->length_decaps_workspace;

  guard_begin(workspace, MAX_WORKSPACE, length);
  call->status =
      codekem_kem_decaps_with(call->kem, shared_secret, ciphertext, secret_key,
                              CODEKEM_OPTIONS(.workspace = workspace, .workspace_length = length));
  guard_end(workspace, length);
}

enum kind { KEYPAIR, ENCAPS, DECAPS };

struct keyed_operation {
  const char *name;
  void (*run)(void *context);
  enum kind kind;
};

static const struct keyed_operation operations[] = {
    {"keypair", keypair, KEYPAIR},
    {"pages", pages, KEYPAIR},
    {"encaps", encaps, ENCAPS},
    {"encaps-random", encaps_random, ENCAPS},
    {"stream", stream, ENCAPS},
    {"decaps", decaps, DECAPS},
    {"guarded-encaps", guarded_encaps, ENCAPS},
    {"guarded-decaps", guarded_decaps, DECAPS},
};

static void read_source(struct call *call, const char *hex) {
  call->source = hex == NULL ? 0 : strlen(hex) / 2;
  if (call->source > MAX_SOURCE || call->source < call->kem->length_encaps_seed) {
    console_fail("too much randomness, or less than a seed", "");
  }
  console_read_value(source, hex, call->source);
}

static void read_inputs(struct call *call, const struct keyed_operation *operation, char *rest) {
  if (operation->kind == DECAPS) {
    console_read_value(ciphertext, console_next_word(&rest), call->kem->length_ciphertext);
    console_read_value(secret_key, console_next_word(&rest), call->kem->length_secret_key);
    return;
  }
  if (operation->kind == ENCAPS) {
    const char *key = console_next_word(&rest);

    if (key == NULL || strcmp(key, "-") != 0) {
      console_read_value(public_key, key, call->kem->length_public_key);
    }
  }
  if (operation->run == stream || operation->run == pages) {
    call->piece = console_read_number(console_next_word(&rest));
    if (call->piece == 0) {
      console_fail("a piece has at least one byte", "");
    }
  }
  read_source(call, console_next_word(&rest));
}

static void run(struct call *call, const struct keyed_operation *operation, char *rest) {
  read_inputs(call, operation, rest);
  operation_measure(operation->run, call, &call->status);
  if (operation->kind == KEYPAIR) {
    console_say_value(public_key, call->kem->length_public_key);
    console_say_value(secret_key, call->kem->length_secret_key);
  } else {
    if (operation->kind == ENCAPS) {
      console_say_value(ciphertext, call->kem->length_ciphertext);
    }
    console_say_value(shared_secret, call->kem->length_shared_secret);
  }
  console_say("\n");
}

static const codekem_kem *find(const char *name) {
  const codekem_kem *kem = codekem_mceliece_kem_find(name);

  if (kem == NULL || kem->length_public_key > MAX_PUBLIC_KEY) {
    console_fail("no such KEM in this program: ", name == NULL ? "" : name);
  }
  return kem;
}

/* Runs a command that is not an operation; returns 0 if name is not one of these. */
static int run_other(const char *name, char *rest) {
  static const struct measurement none = {0, 0};

  if (strcmp(name, "backend") == 0) {
    const char *backend = codekem_backend_current();

    console_say_measurement(&none);
    console_say_value((const uint8_t *)backend, strlen(backend));
  } else if (strcmp(name, "workspace") == 0) {
    const codekem_kem *kem = find(console_next_word(&rest));
    const uint32_t lengths[4] = {kem->length_keypair_workspace, kem->length_encaps_workspace,
                                 kem->length_decaps_workspace,
                                 codekem_mceliece_keypair_in_pages_workspace(kem, 2048)};

    console_say_measurement(&none);
    console_say_value((const uint8_t *)lengths, sizeof lengths);
  } else {
    return 0;
  }
  console_say("\n");
  return 1;
}

static void run_line(void) {
  char *rest = line;
  const char *first = console_next_word(&rest);

  if (run_other(first, rest)) {
    return;
  }
  struct call call = {.kem = find(first)};
  const char *name = console_next_word(&rest);

  for (size_t i = 0; name != NULL && i < sizeof operations / sizeof operations[0]; i++) {
    if (strcmp(name, operations[i].name) == 0) {
      run(&call, &operations[i], rest);
      return;
    }
  }
  console_fail("unknown operation ", name == NULL ? "" : name);
}

int main(void) {
  while (console_read_line(line, sizeof line)) {
    run_line();
  }
  return 0;
}
