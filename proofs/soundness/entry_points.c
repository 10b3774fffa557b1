/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The public functions of src/kem/codekem.c and call.c with every mixture of bad arguments, over a
 * KEM that is all contract: its operations demand their buffers whole, set their outputs to
 * anything, and may fail. */
#include <__fc_builtin.h>
#include <errno.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/random.h>

#include "backends.h"
#include "base/random.h"
#include "contracts.h"
#include "kem.h"

/* Lengths that no two buffers share. */
#define PUBLIC_KEY_BYTES 37
#define SECRET_KEY_BYTES 53
#define CIPHERTEXT_BYTES 41
#define SECRET_BYTES 32
#define KEYPAIR_SEED_BYTES 64
#define ENCAPS_SEED_BYTES 24
#define KEYPAIR_REQUEST_BYTES 64
#define ENCAPS_REQUEST_BYTES 48
#define KEYPAIR_WORKSPACE_BYTES 256
#define ENCAPS_WORKSPACE_BYTES 192
#define DECAPS_WORKSPACE_BYTES 320
#define CHECK_WORKSPACE_BYTES 448
#define MOST_LOWER 7

extern const uint8_t any_public_key[PUBLIC_KEY_BYTES];
extern const uint8_t any_secret_key[SECRET_KEY_BYTES];
extern const uint8_t any_ciphertext[CIPHERTEXT_BYTES];
extern const uint8_t any_keypair_seed[KEYPAIR_SEED_BYTES];
extern const uint8_t any_encaps_seed[ENCAPS_SEED_BYTES];

static bool maybe(void) {
  return Frama_C_interval(0, 1) != 0;
}

static codekem_status some_status(void) {
  return maybe() ? CODEKEM_OK : CODEKEM_ERROR_INTERNAL;
}

const struct backend *ckem_backend_in_use(void) {
  return maybe() ? &portable : (const struct backend *)0;
}

/* --- A KEM that is all contract --- */

static void set(uint8_t *out, size_t length) {
  //@ assert out: \valid(out + (0 .. length - 1));
  Frama_C_make_unknown((char *)out, length);
}

static void demand(const uint8_t *in, size_t length) {
  //@ assert in: \initialized(in + (0 .. length - 1));
}

static void demand_arena(const struct backend *backend, struct arena arena, size_t bytes) {
  //@ assert backend: backend == &portable;
  //@ assert arena: arena.words_left >= bytes / 8;
  set((uint8_t *)arena.next, 8 * arena.words_left);
}

static codekem_status any_keypair(const struct kem_call *call, struct arena arena) {
  demand(call->in.seed, KEYPAIR_SEED_BYTES);
  demand_arena(call->backend, arena, KEYPAIR_WORKSPACE_BYTES);
  set(call->out.public_key, PUBLIC_KEY_BYTES);
  set(call->out.secret_key, SECRET_KEY_BYTES);
  return some_status();
}

static codekem_status any_encaps(const struct kem_call *call, struct arena arena) {
  demand(call->in.public_key, PUBLIC_KEY_BYTES);
  demand(call->in.seed, ENCAPS_SEED_BYTES);
  demand_arena(call->backend, arena, ENCAPS_WORKSPACE_BYTES);
  set(call->out.ciphertext, CIPHERTEXT_BYTES);
  set(call->out.shared_secret, SECRET_BYTES);
  return some_status();
}

static codekem_status any_decaps(const struct kem_call *call, struct arena arena) {
  //@ assert lower: call->options->lower_first_threshold <= MOST_LOWER;
  demand(call->in.ciphertext, CIPHERTEXT_BYTES);
  demand(call->in.secret_key, SECRET_KEY_BYTES);
  demand_arena(call->backend, arena, DECAPS_WORKSPACE_BYTES);
  set(call->out.shared_secret, SECRET_BYTES);
  return some_status();
}

static codekem_status any_check_secret_key(const struct kem_call *call, struct arena arena) {
  demand(call->in.secret_key, SECRET_KEY_BYTES);
  demand_arena(call->backend, arena, CHECK_WORKSPACE_BYTES);
  return some_status();
}

static codekem_status any_derive_public_key(const struct kem_call *call, struct arena arena) {
  demand(call->in.secret_key, SECRET_KEY_BYTES);
  demand_arena(call->backend, arena, CHECK_WORKSPACE_BYTES);
  set(call->out.public_key, PUBLIC_KEY_BYTES);
  return some_status();
}

static bool any_good_public_key(const void *variant, const uint8_t *public_key) {
  demand(public_key, PUBLIC_KEY_BYTES);
  return maybe();
}

static bool any_good_ciphertext(const void *variant, const uint8_t *ciphertext) {
  demand(ciphertext, CIPHERTEXT_BYTES);
  return maybe();
}

static const struct kem_operations operations = {
    .keypair = any_keypair,
    .encaps = any_encaps,
    .decaps = any_decaps,
    .check_secret_key = any_check_secret_key,
    .derive_public_key = any_derive_public_key,
    .good_public_key = any_good_public_key,
    .good_ciphertext = any_good_ciphertext,
};

KEM_STACK(keypair_on_stack, KEYPAIR_WORKSPACE_BYTES / 8);
KEM_STACK(encaps_on_stack, ENCAPS_WORKSPACE_BYTES / 8);
KEM_STACK(decaps_on_stack, DECAPS_WORKSPACE_BYTES / 8);

/* No stack holds what a check needs: the plain calls refuse. */
static const struct kem_stacks stacks = {
    .keypair = keypair_on_stack,
    .encaps = encaps_on_stack,
    .decaps = decaps_on_stack,
};

static const struct codekem_kem_internal internal = {
    .operations = &operations,
    .stacks = &stacks,
    .keypair_request = KEYPAIR_REQUEST_BYTES,
    .encaps_request = ENCAPS_REQUEST_BYTES,
    .most_lower = MOST_LOWER,
};

static const codekem_kem kem = {
    .method_name = "any",
    .length_public_key = PUBLIC_KEY_BYTES,
    .length_secret_key = SECRET_KEY_BYTES,
    .length_ciphertext = CIPHERTEXT_BYTES,
    .length_shared_secret = SECRET_BYTES,
    .length_keypair_seed = KEYPAIR_SEED_BYTES,
    .length_encaps_seed = ENCAPS_SEED_BYTES,
    .length_keypair_workspace = KEYPAIR_WORKSPACE_BYTES,
    .length_encaps_workspace = ENCAPS_WORKSPACE_BYTES,
    .length_decaps_workspace = DECAPS_WORKSPACE_BYTES,
    .length_check_workspace = CHECK_WORKSPACE_BYTES,
    .internal = &internal,
};

/* --- The calls --- */

/* analyse_system_random proves this. */
/*@ requires length: length == KEYPAIR_REQUEST_BYTES || length == ENCAPS_REQUEST_BYTES;
    requires out: \valid(out + (0 .. length - 1));
    assigns out[0 .. length - 1] \from \nothing;
    assigns \result \from \nothing;
    ensures drawn: \result == 0 || \result == 1 && \initialized(out + (0 .. length - 1)); */
bool ckem_random_from_system(void *context, uint8_t *out, size_t length);

#define MAYBE_NULL(pointer) (maybe() ? (pointer) : 0)

/* A source of randomness that may fail, having set its output or not. */
static bool some_random(void *context, uint8_t *out, size_t length) {
  //@ assert length: length == KEYPAIR_REQUEST_BYTES || length == ENCAPS_REQUEST_BYTES;
  if (maybe()) {
    return false;
  }
  set(out, length);
  return true;
}

/* Options that fit or do not; their memory begins and ends anywhere, and is aligned or not. */
static codekem_options some_options(const uint8_t *seed, uint8_t *memory, size_t most) {
  const codekem_options options = {
      .size = sizeof options,
      .seed = MAYBE_NULL(seed),
      .random = MAYBE_NULL(some_random),
      .workspace = MAYBE_NULL(memory + Frama_C_interval(0, 64)),
      .workspace_length = (size_t)Frama_C_interval(0, (int)most),
      .lower_first_threshold = (size_t)Frama_C_interval(0, MOST_LOWER + 1),
  };

  return options;
}

static codekem_status keypair(const codekem_kem *k, uint8_t *public_key, uint8_t *secret_key) {
  uint8_t memory[KEYPAIR_WORKSPACE_BYTES + 64];
  const codekem_options options = some_options(any_keypair_seed, memory, KEYPAIR_WORKSPACE_BYTES);

  return maybe() ? codekem_kem_keypair(k, public_key, secret_key)
                 : codekem_kem_keypair_with(k, public_key, secret_key, &options);
}

static codekem_status encaps(const codekem_kem *k, uint8_t *ciphertext, uint8_t *shared_secret) {
  const uint8_t *public_key = MAYBE_NULL(any_public_key);
  uint8_t memory[ENCAPS_WORKSPACE_BYTES + 64];
  const codekem_options options = some_options(any_encaps_seed, memory, ENCAPS_WORKSPACE_BYTES);

  return maybe() ? codekem_kem_encaps(k, ciphertext, shared_secret, public_key)
                 : codekem_kem_encaps_with(k, ciphertext, shared_secret, public_key, &options);
}

static codekem_status decaps(const codekem_kem *k, uint8_t *shared_secret) {
  const uint8_t *ciphertext = MAYBE_NULL(any_ciphertext);
  const uint8_t *secret_key = MAYBE_NULL(any_secret_key);
  uint8_t memory[DECAPS_WORKSPACE_BYTES + 64];
  const codekem_options options = some_options(any_encaps_seed, memory, DECAPS_WORKSPACE_BYTES);

  return maybe() ? codekem_kem_decaps(k, shared_secret, ciphertext, secret_key)
                 : codekem_kem_decaps_with(k, shared_secret, ciphertext, secret_key, &options);
}

/* The calls that check a secret key, or take the public key out of it. */
static codekem_status check(const codekem_kem *k, uint8_t *public_key) {
  const uint8_t *secret_key = MAYBE_NULL(any_secret_key);
  uint8_t memory[CHECK_WORKSPACE_BYTES + 64];
  const codekem_options options = some_options(any_encaps_seed, memory, CHECK_WORKSPACE_BYTES);

  switch (Frama_C_interval(0, 3)) {
    case 0:
      return codekem_kem_check_secret_key(k, secret_key);
    case 1:
      return codekem_kem_check_secret_key_with(k, secret_key, &options);
    case 2:
      return codekem_kem_derive_public_key(k, public_key, secret_key);
    default:
      return codekem_kem_derive_public_key_with(k, public_key, secret_key, &options);
  }
}

/* Options of a header before and after this one: no byte behind their size is read. */
void analyse_options(void) {
  union {
    codekem_options options;
    uint8_t bytes[sizeof(codekem_options) + 16];
  } later;
  uint8_t shared_secret[SECRET_BYTES];
  uint8_t memory[64];

  Frama_C_make_unknown((char *)&later, sizeof later);
  later.options = some_options(any_encaps_seed, memory, 0);
  later.options.size = (size_t)Frama_C_interval(0, (int)sizeof later);
  Frama_C_show_each_end(codekem_kem_decaps_with(&kem, shared_secret, any_ciphertext, any_secret_key,
                                                &later.options));
}

/* No call reads or writes what it should not, whichever pointers are NULL. Each kind of call alone:
 * states of one would be followed through the others. */
void analyse_null_keypair(void) {
  uint8_t public_key[PUBLIC_KEY_BYTES];
  uint8_t secret_key[SECRET_KEY_BYTES];

  Frama_C_show_each_end(keypair(MAYBE_NULL(&kem), MAYBE_NULL(public_key), MAYBE_NULL(secret_key)));
}

void analyse_null_encaps(void) {
  uint8_t ciphertext[CIPHERTEXT_BYTES];
  uint8_t shared_secret[SECRET_BYTES];

  Frama_C_show_each_end(encaps(MAYBE_NULL(&kem), MAYBE_NULL(ciphertext),
                               MAYBE_NULL(shared_secret)));
}

void analyse_null_decaps(void) {
  uint8_t shared_secret[SECRET_BYTES];

  Frama_C_show_each_end(decaps(MAYBE_NULL(&kem), MAYBE_NULL(shared_secret)));
}

void analyse_null_check(void) {
  uint8_t public_key[PUBLIC_KEY_BYTES];

  Frama_C_show_each_end(check(MAYBE_NULL(&kem), MAYBE_NULL(public_key)));
}

void analyse_null_others(void) {
  uint8_t public_key[PUBLIC_KEY_BYTES];
  const codekem_kem *k = MAYBE_NULL(&kem);
  codekem_status status;

  status = codekem_kem_check_public_key(k, MAYBE_NULL(any_public_key));
  status = codekem_kem_check_ciphertext(k, MAYBE_NULL(any_ciphertext));
  codekem_wipe(MAYBE_NULL(public_key), sizeof public_key);
  Frama_C_show_each_end(status);
}

/* Outputs are set after every call, also one that fails or lacks inputs, but for one with buffers
 * that overlap: whether these do, EVA does not know. */
/*@ predicate is_set(codekem_status status, uint8_t *out, integer length) =
      status == CODEKEM_ERROR_OVERLAP || \initialized(out + (0 .. length - 1)); */

void analyse_set_by_keypair(void) {
  uint8_t public_key[PUBLIC_KEY_BYTES];
  uint8_t secret_key[SECRET_KEY_BYTES];

  const codekem_status status = keypair(&kem, public_key, secret_key);
  //@ assert public_key: is_set(status, &public_key[0], PUBLIC_KEY_BYTES);
  //@ assert secret_key: is_set(status, &secret_key[0], SECRET_KEY_BYTES);
  Frama_C_show_each_end(status);
}

void analyse_set_by_encaps(void) {
  uint8_t ciphertext[CIPHERTEXT_BYTES];
  uint8_t shared_secret[SECRET_BYTES];

  const codekem_status status = encaps(&kem, ciphertext, shared_secret);
  //@ assert ciphertext: is_set(status, &ciphertext[0], CIPHERTEXT_BYTES);
  //@ assert shared_secret: is_set(status, &shared_secret[0], SECRET_BYTES);
  Frama_C_show_each_end(status);
}

void analyse_set_by_decaps(void) {
  uint8_t shared_secret[SECRET_BYTES];

  const codekem_status status = decaps(&kem, shared_secret);
  //@ assert shared_secret: is_set(status, &shared_secret[0], SECRET_BYTES);
  Frama_C_show_each_end(status);
}

/* The system call: an error, or as many bytes as it likes. */
ssize_t getrandom(void *buffer, size_t length, unsigned flags) {
  const int got = Frama_C_interval(-1, (int)length);

  //@ split got;
  //@ assert buffer: \valid((char *)buffer + (0 .. length - 1));
  if (got < 0) {
    errno = Frama_C_interval(1, 133);
  } else if (got > 0) {
    Frama_C_make_unknown(buffer, (size_t)got);
  }
  return got;
}

static void draw_from_system(size_t length) {
  uint8_t out[KEYPAIR_REQUEST_BYTES];
  uint8_t *last = out + KEYPAIR_REQUEST_BYTES - length;

  if (ckem_random_from_system((void *)0, last, length)) {
    //@ assert out: \initialized(last + (0 .. length - 1));
    Frama_C_show_each_drawn();
  }
}

/* The source of randomness of Linux: whatever the system call says, all or nothing is promised. */
void analyse_system_random(void) {
  draw_from_system(ENCAPS_REQUEST_BYTES);
  draw_from_system(KEYPAIR_REQUEST_BYTES);
  Frama_C_show_each_end();
}

/* The table of KEMs and the texts, for any index, name and number. */
void analyse_lookup(void) {
  char name[32];
  size_t index;
  int number;

  Frama_C_make_unknown(name, sizeof name);
  name[sizeof name - 1] = '\0';
  Frama_C_make_unknown((char *)&index, sizeof index);
  Frama_C_make_unknown((char *)&number, sizeof number);
  const codekem_kem *found = codekem_kem_find(MAYBE_NULL(name));
  const codekem_kem *at = codekem_kem_at(index);
  const char *text = codekem_status_text((codekem_status)number);
  //@ assert found: found == \null || \valid_read(found);
  //@ assert at: at == \null || \valid_read(at);
  //@ assert text: \valid_read(text);
  Frama_C_show_each_end(found, at, text);
}
