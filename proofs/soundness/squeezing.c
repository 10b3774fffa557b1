/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * ckem_keccak_squeeze of SHAKE256, from every position of a block, for every length that a sampler
 * asks for: over the contracts of take_bytes and of the permutation, which are proved alone.
 *
 * Every output ends where its array ends.
 */
#include <stdint.h>

#define SQUEEZED(length) (1)
#include "squeezing.h"

#define RATE SHAKE256_RATE_BYTES
#define LONGEST 400

#define ROOM(sponge) (RATE - (sponge)->position)

/* Either all bytes are in the block, or it is taken to its end. */
/*@ requires state: \initialized(sponge->state + (0 .. 24));
    requires rate: sponge->rate_bytes == RATE && sponge->position < RATE;
    requires length: 0 < length <= LONGEST;
    assigns out[0 .. (length <= ROOM(sponge) ? length : ROOM(sponge)) - 1] \from
        sponge->state[0 .. 24], sponge->position;
    assigns sponge->position \from sponge->position, length;
    assigns \result \from sponge->position, length;
    behavior inside:
      assumes length <= ROOM(sponge);
      requires out: \valid(out + (0 .. length - 1)) && \separated(out + (0 .. length - 1), sponge);
      ensures set: \initialized(out + (0 .. length - 1));
      ensures position: sponge->position <= RATE;
      ensures taken: \result == length;
    behavior to_end:
      assumes length > ROOM(sponge);
      requires out: \valid(out + (0 .. ROOM(sponge) - 1)) &&
          \separated(out + (0 .. ROOM(sponge) - 1), sponge);
      ensures set: \initialized(out + (0 .. RATE - \old(sponge->position) - 1));
      ensures position: sponge->position == RATE;
      ensures taken: \result == RATE - \old(sponge->position);
    complete behaviors;
    disjoint behaviors; */
static size_t take_bytes(struct keccak_sponge *sponge, uint8_t *out, size_t length);

/*@ requires state: \valid(state + (0 .. 24)) && \initialized(state + (0 .. 24));
    assigns state[0 .. 24] \from state[0 .. 24];
    ensures set: \initialized(state + (0 .. 24)); */
static void permute_portable(uint64_t state[25]);

#include "keccak/keccak.c"
#include "keccak/keccak_portable.c"

static void take_inside(size_t length) {
  struct keccak_sponge stream;
  uint8_t out[RATE];

  set_stream(&stream);
  stream.position = (size_t)Frama_C_interval(0, (int)(RATE - length));
  const size_t taken = take_bytes(&stream, out + RATE - length, length);
  //@ assert taken: taken == length;
}

static void take_to_end(size_t position) {
  struct keccak_sponge stream;
  uint8_t out[RATE];

  set_stream(&stream);
  stream.position = position;
  const size_t room = RATE - position;
  const size_t taken =
      take_bytes(&stream, out + RATE - room, (size_t)Frama_C_interval((int)room + 1, LONGEST));
  //@ assert taken: taken == room;
}

void analyse_take(void) {
  struct keccak_sponge stream;

  set_stream(&stream);
  permute_portable(stream.state);
  for (size_t length = 1; length <= RATE; length++) {
    take_inside(length);
  }
  for (size_t position = 0; position < RATE; position++) {
    take_to_end(position);
  }
  Frama_C_show_each_end();
}

static void squeeze_from(struct keccak_sponge *stream, size_t position, size_t length) {
  uint8_t out[LONGEST];

  stream->position = position;
  ckem_keccak_squeeze(stream, out + LONGEST - length, length);
  //@ assert out: \initialized(out + (LONGEST - length .. LONGEST - 1));
  //@ assert stream: is_stream(stream);
}

/* From positions where the block has it all, and from each of the others. */
static void squeeze_from_anywhere(size_t length) {
  struct keccak_sponge stream;
  size_t position = 0;

  set_stream(&stream);
  if (length <= RATE) {
    squeeze_from(&stream, (size_t)Frama_C_interval(0, (int)(RATE - length)), length);
    position = RATE - length + 1;
  }
  for (; position <= RATE; position++) {
    squeeze_from(&stream, position, length);
  }
}

/* Words of BIKE's generator, what HQC discards, candidates of HQC of three bytes each, at most as
 * many as a key of level 5 has positions, and the same rounded up to whole words at each level. */
void analyse_squeeze(void) {
  for (size_t length = 0; length < 8; length++) {
    squeeze_from_anywhere(length);
  }
  for (size_t length = 9; length <= 3 * 131; length += 3) {
    squeeze_from_anywhere(length);
  }
  squeeze_from_anywhere(200);
  squeeze_from_anywhere(304);
  squeeze_from_anywhere(400);
  Frama_C_show_each_end();
}
