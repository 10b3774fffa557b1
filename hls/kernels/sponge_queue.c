/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The sponge around Keccak-f[1600] as one function: words come and go through a queue while the
 * permutation runs, so a block takes little more than its rounds. A part of hqc_fast.c.
 */

/* The queue has a block of the largest rate; a block's words come in the last rounds. */
enum { QUEUE = 17, LATE = ROUNDS - QUEUE };
/* Blocks of a message of so many whole words, and those of its output. */
#define BLOCKS_OF(words, rate) ((words) / (rate) + 1)
#define PAGES_OF(words) (((words) + QUEUE - 1) / QUEUE)

/* As in keccak_f, whose loops have labels of their own. */
static inline void one_round(uint64_t state[static LANES], unsigned round) {
  uint64_t moved[LANES], parity[5];

sums:
  for (int x = 0; x < 5; x++)
    parity[x] = state[x] ^ state[x + 5] ^ state[x + 10] ^ state[x + 15] ^ state[x + 20];
moves:
  for (int i = 0; i < LANES; i++) {
    uint64_t effect = parity[(i + 4) % 5] ^ rotated(parity[NEXT[i % 5]], 1);
    moved[PI[i]] = rotated(state[i] ^ effect, RHO[i]);
  }
mixes:
  for (int i = 0; i < LANES; i++) {
    int row = i - i % 5;
    state[i] = moved[i] ^ (~moved[row + (i + 1) % 5] & moved[row + (i + 2) % 5]);
  }
  state[0] ^= IOTA[round];
}

/*
 * Hashes `first` words from data[before] on, then `count` words from data[from] on and, if tail is
 * set, TAIL_BYTES bytes of the next one; end, see above. Gives words of output to data[to].
 * blocks: BLOCKS_OF(first + count, rate); pages: PAGES_OF(given). More than a block of output is
 * given at a rate of 17 only.
 */
void sponge_run(uint64_t data[static DATA], PUBLIC uint16_t before, PUBLIC uint8_t first,
                PUBLIC uint16_t from, PUBLIC uint16_t count, PUBLIC uint8_t tail,
                PUBLIC uint8_t rate, PUBLIC uint8_t blocks, PUBLIC uint16_t end, PUBLIC uint16_t to,
                PUBLIC uint16_t given, PUBLIC uint8_t pages) {
  uint64_t state[LANES] = {0}, queue[QUEUE] = {0};
  unsigned place = 0, out = 0, total = first + count;

  /* In each pass comes the block that the next one absorbs; the first one has none yet. */
passes:
  for (unsigned pass = 0; pass <= (unsigned)blocks + pages; pass++) {
    unsigned takes = pass > 0 && pass <= blocks, gives = pass > blocks;
  pages_out:
    for (int i = 0; i < QUEUE; i++) {
      uint64_t lane = state[i], word = queue[i];
      state[i] = (pass == 1 ? 0 : lane) ^ (takes ? word : 0);
      queue[i] = gives ? lane : word;
    }
  others:
    for (int i = QUEUE; i < LANES; i++) state[i] = pass == 1 ? 0 : state[i];
  rounds_and_words:
    for (unsigned turn = 0; turn < ROUNDS; turn++) {
      unsigned inside = turn >= LATE && turn - LATE < rate;
      unsigned address = place < first ? before + place : from + place - first;
      uint64_t read = data[inside && place < total + tail ? address : 0];
      uint64_t closing = tail ? (read & (((uint64_t)1 << TAIL) - 1)) | (uint64_t)end << TAIL : end;
      uint64_t word = place < total ? read : place == total ? closing : 0;
      uint64_t last = pass + 1 == blocks && turn - LATE + 1 == rate;
      word = (inside ? word : 0) ^ last << 63;
      if (gives && turn < QUEUE && out < given) data[to + out] = queue[0];
      out += gives && turn < QUEUE;
      place += inside;
    moves_on:
      for (int i = 0; i < QUEUE - 1; i++) queue[i] = queue[i + 1];
      queue[QUEUE - 1] = word;
      one_round(state, turn);
    }
  }
}
