/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The options of a call: what does not fit is refused in words, and so are buffers that overlap,
 * before anything is written. With a KEM whose operations only fill their outputs. */
#include "kem.h"
#include "unit_test.h"

#define PUBLIC_KEY_BYTES 37
#define SECRET_KEY_BYTES 53
#define CIPHERTEXT_BYTES 41
#define SECRET_BYTES 32
#define KEYPAIR_SEED_BYTES 29
#define ENCAPS_SEED_BYTES 23
#define WORKSPACE_BYTES 128
#define COUNT 3
#define MOST_LOWER 2
#define GAP 7 /* between input keys of a batch */
#define DIRT 0xA5
#define FILLED 0x5A

/* --- The KEM ---------------------------------------------------------------------------------- */

static codekem_status fill_items(const struct kem_call *call, struct arena arena, size_t count) {
  const codekem_kem *kem = call->kem;

  memset(arena.next, FILLED, 8 * arena.words_left);
  if (call->out.public_key != NULL) {
    memset(call->out.public_key, FILLED, count * kem->length_public_key);
  }
  if (call->out.secret_key != NULL) {
    memset(call->out.secret_key, FILLED, count * kem->length_secret_key);
  }
  if (call->out.ciphertext != NULL) {
    memset(call->out.ciphertext, FILLED, count * kem->length_ciphertext);
  }
  if (call->out.shared_secret != NULL) {
    memset(call->out.shared_secret, FILLED, count * kem->length_shared_secret);
  }
  return CODEKEM_OK;
}

static codekem_status fill(const struct kem_call *call, struct arena arena) {
  return fill_items(call, arena, 1);
}

static codekem_status fill_all(const struct kem_call *call, struct arena arena) {
  return fill_items(call, arena, call->batch.count);
}

KEM_STACK(on_stack, WORKSPACE_BYTES / 8);

static const struct kem_operations operations = {fill,     fill,     fill,     fill, fill,
                                                 fill_all, fill_all, fill_all, NULL, NULL};
static const struct kem_stacks stacks = {on_stack, on_stack, on_stack, on_stack,
                                         on_stack, on_stack, on_stack};
static const struct codekem_kem_internal internal = {
    .operations = &operations,
    .stacks = &stacks,
    .keypair_request = KEYPAIR_SEED_BYTES,
    .encaps_request = ENCAPS_SEED_BYTES,
    .most_lower = MOST_LOWER,
};
static const codekem_kem filling = {
    .method_name = "filling",
    .length_public_key = PUBLIC_KEY_BYTES,
    .length_secret_key = SECRET_KEY_BYTES,
    .length_ciphertext = CIPHERTEXT_BYTES,
    .length_shared_secret = SECRET_BYTES,
    .length_keypair_seed = KEYPAIR_SEED_BYTES,
    .length_encaps_seed = ENCAPS_SEED_BYTES,
    .length_keypair_workspace = WORKSPACE_BYTES,
    .length_encaps_workspace = WORKSPACE_BYTES,
    .length_decaps_workspace = WORKSPACE_BYTES,
    .length_check_workspace = WORKSPACE_BYTES,
    .length_keypair_batch_workspace = WORKSPACE_BYTES,
    .length_encaps_batch_workspace = WORKSPACE_BYTES,
    .length_decaps_batch_workspace = WORKSPACE_BYTES,
    .internal = &internal,
};

/* --- Calls by the places of their buffers ----------------------------------------------------- */

enum { OUT_1, OUT_2, WORKSPACE, SEED, IN_1, IN_2, BUFFERS, WRITTEN = SEED };

typedef uint8_t *const *places;

static codekem_status keypair(places at, size_t count, const codekem_options *options) {
  (void)count;
  return codekem_kem_keypair_with(&filling, at[OUT_1], at[OUT_2], options);
}

static codekem_status encaps(places at, size_t count, const codekem_options *options) {
  (void)count;
  return codekem_kem_encaps_with(&filling, at[OUT_1], at[OUT_2], at[IN_1], options);
}

static codekem_status decaps(places at, size_t count, const codekem_options *options) {
  (void)count;
  return codekem_kem_decaps_with(&filling, at[OUT_1], at[IN_1], at[IN_2], options);
}

static codekem_status check(places at, size_t count, const codekem_options *options) {
  (void)count;
  return codekem_kem_check_secret_key_with(&filling, at[IN_1], options);
}

static codekem_status derive(places at, size_t count, const codekem_options *options) {
  (void)count;
  return codekem_kem_derive_public_key_with(&filling, at[OUT_1], at[IN_1], options);
}

static codekem_status keypairs(places at, size_t count, const codekem_options *options) {
  return codekem_kem_keypair_batch(&filling, count, at[OUT_1], at[OUT_2], options);
}

static codekem_status encapsulations(places at, size_t count, const codekem_options *options) {
  return codekem_kem_encaps_batch(&filling, count, at[OUT_1], at[OUT_2], at[IN_1],
                                  PUBLIC_KEY_BYTES + GAP, options);
}

static codekem_status decapsulations(places at, size_t count, const codekem_options *options) {
  return codekem_kem_decaps_batch(&filling, count, at[OUT_1], at[IN_1], at[IN_2],
                                  SECRET_KEY_BYTES + GAP, options);
}

#define KEYS(length) (COUNT * (length) + (COUNT - 1) * GAP)

static const struct operation {
  codekem_status (*run)(places at, size_t count, const codekem_options *options);
  size_t length[BUFFERS]; /* 0: there is no such buffer */
} calls[] = {
    {keypair, {PUBLIC_KEY_BYTES, SECRET_KEY_BYTES, WORKSPACE_BYTES, KEYPAIR_SEED_BYTES, 0, 0}},
    {encaps,
     {CIPHERTEXT_BYTES, SECRET_BYTES, WORKSPACE_BYTES, ENCAPS_SEED_BYTES, PUBLIC_KEY_BYTES, 0}},
    {decaps, {SECRET_BYTES, 0, WORKSPACE_BYTES, 0, CIPHERTEXT_BYTES, SECRET_KEY_BYTES}},
    {check, {0, 0, WORKSPACE_BYTES, 0, SECRET_KEY_BYTES, 0}},
    {derive, {PUBLIC_KEY_BYTES, 0, WORKSPACE_BYTES, 0, SECRET_KEY_BYTES, 0}},
    {keypairs,
     {COUNT * PUBLIC_KEY_BYTES, COUNT * SECRET_KEY_BYTES, WORKSPACE_BYTES,
      COUNT * KEYPAIR_SEED_BYTES, 0, 0}},
    {encapsulations,
     {COUNT * CIPHERTEXT_BYTES, COUNT * SECRET_BYTES, WORKSPACE_BYTES, COUNT * ENCAPS_SEED_BYTES,
      KEYS(PUBLIC_KEY_BYTES), 0}},
    {decapsulations,
     {COUNT * SECRET_BYTES, 0, WORKSPACE_BYTES, 0, COUNT * CIPHERTEXT_BYTES,
      KEYS(SECRET_KEY_BYTES)}},
};
#define CALLS (sizeof calls / sizeof calls[0])

/* The buffers lie in one field, each in the middle of a part of its own. */
#define PART 1024
static _Alignas(64) uint8_t field[BUFFERS * PART];

static void place_apart(const struct operation *call, uint8_t **at) {
  for (size_t i = 0; i < BUFFERS; i++) {
    at[i] = call->length[i] == 0 ? NULL : field + i * PART + PART / 2;
  }
  memset(field, DIRT, sizeof field);
}

static codekem_options options_of(places at) {
  return (codekem_options){.size = sizeof(codekem_options),
                           .seed = at[SEED],
                           .workspace = at[WORKSPACE],
                           .workspace_length = WORKSPACE_BYTES};
}

static codekem_status run(const struct operation *call, places at) {
  const codekem_options options = options_of(at);

  return call->run(at, COUNT, &options);
}

static void expect_field(uint8_t byte) {
  for (size_t i = 0; i < sizeof field; i++) {
    assert_int_equal(field[i], byte);
  }
}

/* The outputs, and what else was there. */
static void expect_outputs(const struct operation *call, places at, uint8_t byte) {
  for (size_t i = OUT_1; i <= OUT_2; i++) {
    for (size_t k = 0; k < call->length[i]; k++) {
      assert_int_equal(at[i][k], byte);
    }
  }
}

/* --- What overlaps ---------------------------------------------------------------------------- */

/* Puts buffer `moved` in each way over and beside buffer `written`. */
static void try_pair(const struct operation *call, size_t written, size_t moved) {
  const size_t length = call->length[written], own = call->length[moved];
  uint8_t *at[BUFFERS];

  place_apart(call, at);
  uint8_t *const first = at[written];
  uint8_t *const over[] = {first - own + 1, first, first + 1, first + length - 1};
  uint8_t *const beside[] = {first - own, first + length};
  for (size_t i = 0; i < sizeof over / sizeof over[0]; i++) {
    at[moved] = over[i];
    assert_int_equal(run(call, at), CODEKEM_ERROR_OVERLAP);
    expect_field(DIRT);
  }
  for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++) {
    at[moved] = beside[i];
    const bool aligned = (uintptr_t)at[WORKSPACE] % CODEKEM_WORKSPACE_ALIGNMENT == 0;
    assert_int_equal(run(call, at), aligned ? CODEKEM_OK : CODEKEM_ERROR_WORKSPACE);
  }
}

static void what_is_written_overlaps_nothing(void **state) {
  size_t pairs = 0;

  (void)state;
  for (size_t c = 0; c < CALLS; c++) {
    for (size_t written = 0; written < WRITTEN; written++) {
      for (size_t moved = 0; moved < BUFFERS; moved++) {
        if (moved != written && calls[c].length[written] != 0 && calls[c].length[moved] != 0) {
          try_pair(&calls[c], written, moved);
          pairs++;
        }
      }
    }
  }
  assert_int_equal(pairs, 2 * (3 * 3 + 3 * 4 + 2 * 3) + 1 * 1 + 2 * 2);
}

/* The options are read while the call works. */
static void options_are_not_written_over(void **state) {
  (void)state;
  for (size_t c = 0; c < CALLS; c++) {
    for (size_t written = 0; written < WRITTEN; written++) {
      if (calls[c].length[written] > 0) {
        uint8_t *at[BUFFERS];
        place_apart(&calls[c], at);
        codekem_options *options = (codekem_options *)(void *)at[written];
        *options = options_of(at);
        const codekem_options before = *options;
        assert_int_equal(calls[c].run(at, COUNT, options), CODEKEM_ERROR_OVERLAP);
        assert_memory_equal(options, &before, sizeof before);
      }
    }
  }
}

/* Inputs may share memory: nothing is written there. */
static void inputs_may_overlap(void **state) {
  (void)state;
  for (size_t c = 0; c < CALLS; c++) {
    uint8_t *at[BUFFERS];
    place_apart(&calls[c], at);
    for (size_t i = SEED; i < BUFFERS; i++) {
      at[i] = at[i] == NULL ? NULL : field + SEED * PART;
    }
    assert_int_equal(run(&calls[c], at), CODEKEM_OK);
    expect_outputs(&calls[c], at, FILLED);
  }
}

/* Counts and strides for which an address space is too short: whatever would be written, it would
 * be elsewhere, too. */
static void batches_beyond_memory_are_refused(void **state) {
  const size_t counts[] = {SIZE_MAX, SIZE_MAX / SECRET_BYTES, SIZE_MAX / SECRET_BYTES + 2};
  uint8_t *at[BUFFERS];

  (void)state;
  for (size_t c = 5; c < CALLS; c++) {
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
      place_apart(&calls[c], at);
      const codekem_options options = options_of(at);
      assert_int_equal(calls[c].run(at, counts[i], &options), CODEKEM_ERROR_OVERLAP);
      expect_field(DIRT);
    }
  }
  place_apart(&calls[7], at);
  assert_int_equal(codekem_kem_decaps_batch(&filling, COUNT, at[OUT_1], at[IN_1], at[IN_2],
                                            (size_t)0 - SECRET_KEY_BYTES, NULL),
                   CODEKEM_ERROR_OVERLAP);
  expect_field(DIRT);
}

/* --- What does not fit ------------------------------------------------------------------------ */

static bool draw(void *context, uint8_t *out, size_t length) {
  (void)context;
  memset(out, 1, length);
  return true;
}

/* Demands that a call with these options is refused, and that its outputs are zeroed. */
static void refused(const struct operation *call, const codekem_options *options) {
  uint8_t *at[BUFFERS];

  place_apart(call, at);
  assert_int_equal(call->run(at, COUNT, options), CODEKEM_ERROR_OPTIONS);
  expect_outputs(call, at, 0);
}

static void works(const struct operation *call, const codekem_options *options) {
  uint8_t *at[BUFFERS];

  place_apart(call, at);
  assert_int_equal(call->run(at, COUNT, options), CODEKEM_OK);
  expect_outputs(call, at, FILLED);
}

static void options_that_do_not_fit_are_refused(void **state) {
  static const uint8_t seed[COUNT * KEYPAIR_SEED_BYTES];
  int context = 0;

  (void)state;
  for (size_t c = 0; c < CALLS; c++) {
    const bool draws = calls[c].length[SEED] != 0;
    works(&calls[c], NULL);
    works(&calls[c], &(codekem_options){.size = sizeof(codekem_options)});
    refused(&calls[c], CODEKEM_OPTIONS(.seed = seed, .random = draw));
    refused(&calls[c], CODEKEM_OPTIONS(.random_context = &context));
    refused(&calls[c], CODEKEM_OPTIONS(.workspace_length = 1));
    (draws ? works : refused)(&calls[c], CODEKEM_OPTIONS(.seed = seed));
    (draws ? works : refused)(&calls[c], CODEKEM_OPTIONS(.random = draw));
    (draws ? works : refused)(&calls[c],
                              CODEKEM_OPTIONS(.random = draw, .random_context = &context));
  }
}

/* Only decapsulations have a first threshold, and it can be lowered by so much only. */
static void a_threshold_is_lowered_where_there_is_one(void **state) {
  (void)state;
  for (size_t c = 0; c < CALLS; c++) {
    const bool decapsulates = calls[c].run == decaps || calls[c].run == decapsulations;
    works(&calls[c], CODEKEM_OPTIONS(.lower_first_threshold = 0));
    (decapsulates ? works : refused)(&calls[c], CODEKEM_OPTIONS(.lower_first_threshold = 1));
    (decapsulates ? works : refused)(&calls[c],
                                     CODEKEM_OPTIONS(.lower_first_threshold = MOST_LOWER));
    refused(&calls[c], CODEKEM_OPTIONS(.lower_first_threshold = MOST_LOWER + 1));
    refused(&calls[c], CODEKEM_OPTIONS(.lower_first_threshold = SIZE_MAX));
  }
}

/* The options of a later header: they have members behind those of this one. */
static void unknown_options_are_refused_unless_they_are_zero(void **state) {
  union {
    codekem_options options;
    uint8_t bytes[2048];
  } later;
  const size_t sizes[] = {0, 1, sizeof(codekem_options) - 1, 1025, sizeof later, SIZE_MAX};

  (void)state;
  for (size_t c = 0; c < CALLS; c++) {
    memset(&later, 0, sizeof later);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
      later.options.size = sizes[i];
      refused(&calls[c], &later.options);
    }
    for (size_t size = sizeof(codekem_options); size <= 1024; size += 8) {
      later.options.size = size;
      works(&calls[c], &later.options);
      later.bytes[size] = 1; /* behind its end */
      works(&calls[c], &later.options);
      later.bytes[size] = 0;
    }
    const size_t unknown[] = {sizeof(codekem_options), sizeof(codekem_options) + 1, 1023};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
      later.options.size = 1024;
      later.bytes[unknown[i]] = 0x80;
      refused(&calls[c], &later.options);
      later.bytes[unknown[i]] = 0;
    }
  }
}

/* Nothing is said about options without buffers, nor about places of buffers without options. */
static void the_first_mistake_counts(void **state) {
  const codekem_options wrong = {.size = 1};
  uint8_t *at[BUFFERS];

  (void)state;
  for (size_t c = 0; c < CALLS; c++) {
    place_apart(&calls[c], at);
    at[IN_1] = NULL;
    if (calls[c].length[IN_1] != 0) {
      assert_int_equal(calls[c].run(at, COUNT, &wrong), CODEKEM_ERROR_NULL);
    }
  }
  place_apart(&calls[0], at);
  at[OUT_2] = at[OUT_1];
  assert_int_equal(keypair(at, 1, &wrong), CODEKEM_ERROR_OPTIONS);
  assert_int_equal(keypair(at, 1, CODEKEM_OPTIONS(.workspace = field + 1, .workspace_length = 1)),
                   CODEKEM_ERROR_OVERLAP);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_written_overlaps_nothing),
      cmocka_unit_test(options_are_not_written_over),
      cmocka_unit_test(inputs_may_overlap),
      cmocka_unit_test(batches_beyond_memory_are_refused),
      cmocka_unit_test(options_that_do_not_fit_are_refused),
      cmocka_unit_test(a_threshold_is_lowered_where_there_is_one),
      cmocka_unit_test(unknown_options_are_refused_unless_they_are_zero),
      cmocka_unit_test(the_first_mistake_counts),
  };

  return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
