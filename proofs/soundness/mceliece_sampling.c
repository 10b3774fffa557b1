/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Drawing errors, with any number of attempts and any source of randomness, also one that fails,
 * over the contracts of the search for repeats and of placing (analyse_errors has the real ones);
 * and the source that comes from a seed: squeezing a stream from every position in a block. M, T,
 * TAU and PARAMS are those of a parameter set.
 */
#include <__fc_builtin.h>
#include <stdint.h>

#include "keccak/keccak.h"
#include "mceliece/mceliece.h"
#include "mceliece/sampling.c"

extern const struct mceliece_params PARAMS;

/*@ requires set: params == &PARAMS;
    requires bytes: \initialized(draw->bytes + (0 .. 2 * TAU - 1));
    requires draw: \valid(draw);
    assigns draw->positions[0 .. T - 1] \from draw->bytes[0 .. 2 * TAU - 1];
    assigns \result \from draw->bytes[0 .. 2 * TAU - 1];
    ensures taken: \result == 0 ||
        \result == 1 && \initialized(draw->positions + (0 .. T - 1)); */
static bool take_positions(const struct mceliece_params *params, struct mceliece_draw *draw);

/* EVA knows each number of positions taken by itself (the annotation in the source). */
void analyse_take_positions(void) {
  struct mceliece_draw draw;

  Frama_C_make_unknown((char *)draw.bytes, 2 * TAU);
  if (take_positions(&PARAMS, &draw)) {
    //@ assert positions: \initialized(draw.positions + (0 .. T - 1));
  }
  Frama_C_show_each_end();
}

static bool any_source(void *context, uint8_t *out, size_t length) {
  (void)context;
  //@ assert length: length == 2 * TAU;
  //@ assert out: \valid(out + (0 .. 2 * TAU - 1));
  Frama_C_make_unknown((char *)out, length);
  return Frama_C_interval(0, 1) != 0;
}

static uint32_t find_repeat(uint16_t *positions, size_t count) {
  //@ assert count: count == T;
  //@ assert set: \initialized(positions + (0 .. T - 1));
  //@ assert room: \valid(positions + (0 .. 2 * T - 1));
  Frama_C_make_unknown((char *)positions, 2 * T * sizeof *positions);
  return (uint32_t)Frama_C_interval(0, 1);
}

static void place(uint64_t *error, size_t words, const uint16_t *positions, size_t count) {
  //@ assert count: count == T;
  //@ assert words: words == MCELIECE_ERROR_WORDS;
  //@ assert positions: \initialized(positions + (0 .. T - 1));
  //@ assert error: \valid(error + (0 .. MCELIECE_ERROR_WORDS - 1));
  /*@ assert apart:
        \separated(error + (0 .. MCELIECE_ERROR_WORDS - 1), positions + (0 .. T - 1)); */
  Frama_C_make_unknown((char *)error, words * sizeof *error);
}

static const struct mceliece_ops contracts = {
    .name = "contracts",
    .find_repeat = find_repeat,
    .place = place,
};

void analyse_draw_error(void) {
  struct mceliece_encoder encoder; /* has room for a draw behind the error */
  const codekem_status status = ckem_mceliece_draw_error(
      &PARAMS, &contracts, encoder.error, mceliece_draw_memory(&encoder), any_source, NULL);

  //@ assert status: status == CODEKEM_OK || status == CODEKEM_ERROR_RANDOM;
  if (status == CODEKEM_OK) {
    //@ assert error: \initialized(encoder.error + (0 .. MCELIECE_ERROR_WORDS - 1));
  }
  Frama_C_show_each_end();
}

static void squeeze_from(size_t position) {
  struct keccak_sponge stream;
  uint8_t out[2 * TAU];

  Frama_C_make_unknown((char *)stream.state, sizeof stream.state);
  stream.ops = &ckem_keccak_portable;
  stream.rate_bytes = SHAKE256_RATE_BYTES;
  stream.position = position;
  stream.suffix = KECCAK_SUFFIX_SHAKE;
  if (ckem_mceliece_random_from_stream(&stream, out, sizeof out)) {
    //@ assert out: \initialized(out + (0 .. 2 * TAU - 1));
    //@ assert state: \initialized(stream.state + (0 .. 24)) && stream.ops == &ckem_keccak_portable;
    //@ assert again: stream.position <= SHAKE256_RATE_BYTES;
  }
}

void analyse_stream(void) {
  for (size_t position = 0; position <= SHAKE256_RATE_BYTES; position++) {
    squeeze_from(position);
  }
  Frama_C_show_each_end();
}
