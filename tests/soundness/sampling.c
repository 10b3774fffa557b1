/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The sampler of HQC alone, which has no bound on its rounds, and the squeezing below it.
 *
 * analyse_sampler takes keccak_squeeze by its specification, which analyse_squeeze proves for every
 * position in a block and every length that the sampler asks for; specifications.h has what the
 * rest of HQC may rely on.
 */
#include <__fc_builtin.h>
#include <stdint.h>

#include "contracts.h"
#include "specifications.h"

#define MAX_LENGTH (3 * KEY_WEIGHT + 7)

/*@ requires stream: is_stream(sponge);
    requires length: length <= 3 * KEY_WEIGHT + 7;
    requires out: \valid(out + (0 .. length - 1));
    requires apart: \separated(out + (0 .. length - 1), sponge);
    assigns out[0 .. length - 1] \from sponge->state[0 .. 24], sponge->position;
    assigns sponge->state[0 .. 24] \from sponge->state[0 .. 24], sponge->position, length;
    assigns sponge->position \from sponge->position, length;
    ensures set: \initialized(out + (0 .. length - 1));
    ensures stream: is_stream(sponge); */
void keccak_squeeze(struct keccak_sponge *sponge, uint8_t *out, size_t length);

/* A stream that was squeezed before, to wherever. */
static void set_stream(struct keccak_sponge *stream) {
  Frama_C_make_unknown((char *)stream->state, sizeof stream->state);
  stream->ops = &keccak_portable;
  stream->rate_bytes = SHAKE256_RATE_BYTES;
  stream->position = (size_t)Frama_C_interval(0, SHAKE256_RATE_BYTES);
  stream->suffix = KECCAK_SUFFIX_SHAKE;
}

void analyse_sampler(void) {
  const struct hqc_variant variant = {.params = &HQC_PARAMS, .tag_5_0_0 = TAG};
  struct keccak_sponge stream;
  uint32_t positions[KEY_WEIGHT];

  set_stream(&stream);
  hqc_sample_rejection(&variant, &stream, positions);
  //@ assert positions: \initialized(positions + (0 .. KEY_WEIGHT - 1));
  //@ assert stream: is_stream(&stream);
  Frama_C_show_each_end();
}

/* The byte behind the output stays as it was. All outputs begin at one place, so that EVA can take
 * what it found for one length for another. */
static void squeeze_from(size_t position, size_t length) {
  struct keccak_sponge stream;
  uint8_t out[MAX_LENGTH + 1];

  set_stream(&stream);
  stream.position = position;
  keccak_squeeze(&stream, out, length);
  //@ assert out: \initialized(out + (0 .. length - 1));
  //@ assert no_more: !\initialized(out + length);
  //@ assert stream: is_stream(&stream);
}

static void squeeze_from_anywhere(size_t length) {
  for (size_t position = 0; position <= SHAKE256_RATE_BYTES; position++) {
    squeeze_from(position, length);
  }
}

/* FIRST to LAST candidates, three bytes each; from one on also what is discarded behind them. */
void analyse_squeeze(void) {
  for (size_t length = 0; FIRST == 1 && length < 8; length++) {
    squeeze_from_anywhere(length);
  }
  for (size_t count = FIRST; count <= LAST; count++) {
    squeeze_from_anywhere(3 * count);
  }
  if (LAST == KEY_WEIGHT) {
    squeeze_from_anywhere((3 * KEY_WEIGHT + 7) / 8 * 8);
  }
  Frama_C_show_each_end();
}
