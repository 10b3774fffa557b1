/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The bench on which decoders work. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"

/* Positions in which two keys may differ for the syndrome of one to come from the other's. */
#define MOST_DIFFERING 8

static uint64_t *take(size_t words) {
  void *memory = aligned_alloc(64, (words * sizeof(uint64_t) + 63) / 64 * 64);

  if (memory == NULL) {
    fputs("codekem_lab: no memory\n", stderr);
    exit(2);
  }
  memset(memory, 0, words * sizeof(uint64_t));
  return memory;
}

struct bench *bench_new(const struct lab_params *params, const struct engine *engine) {
  const uint32_t r_bits = params->trial.ring.r_bits;
  struct bench *bench = (void *)take((sizeof *bench + 7) / 8);

  bench->params = params;
  bench->engine = engine;
  bench->r_bits = r_bits;
  bench->d = params->trial.params.key_weight;
  bench->copies = take(LAB_COPIES * LAB_COPY_WORDS(r_bits));
  bench->syndrome = take(LAB_STRIDE(r_bits));
  for (int b = 0; b < 2; b++) {
    bench->planes[b] = take(LAB_PLANES * LAB_STRIDE(r_bits));
    bench->reached[b] = take(LAB_STRIDE(r_bits));
    bench->gray[b] = take(LAB_STRIDE(r_bits));
    bench->found[b] = take(LAB_STRIDE(r_bits));
    bench->wrong_bits[b] = take(LAB_STRIDE(r_bits));
    bench->list[b] = (uint32_t *)(void *)take(r_bits / 2 + 1);
  }
  for (int i = 0; i < 2; i++) {
    bench->keys[i].syndrome = take(LAB_STRIDE(r_bits));
    for (int b = 0; b < 2; b++) {
      bench->keys[i].copies_h[b] = take(LAB_COPIES * LAB_COPY_WORDS(r_bits));
    }
  }
  bench->key = &bench->keys[0];
  return bench;
}

static bool is_key(const struct bench_key *key, const uint32_t *const h[2], size_t bytes) {
  return key->filled && memcmp(key->h[0], h[0], bytes) == 0 && memcmp(key->h[1], h[1], bytes) == 0;
}

void bench_set_key(struct bench *bench, const uint32_t *h0, const uint32_t *h1) {
  const uint32_t *const h[2] = {h0, h1};
  const size_t bytes = bench->d * sizeof *h0;
  uint64_t dense[LAB_STRIDE(LAB_MAX_R_BITS)];

  if (is_key(bench->key, h, bytes)) {
    return;
  }
  bench->key = bench->key == &bench->keys[0] ? &bench->keys[1] : &bench->keys[0];
  struct bench_key *key = bench->key;
  bench->h[0] = key->h[0];
  bench->h[1] = key->h[1];
  if (is_key(key, h, bytes)) {
    return;
  }
  for (int b = 0; b < 2; b++) {
    memset(dense, 0, LAB_STRIDE(bench->r_bits) * sizeof *dense);
    for (uint32_t i = 0; i < bench->d; i++) {
      key->h[b][i] = h[b][i];
      dense[h[b][i] / 64] |= UINT64_C(1) << (h[b][i] % 64);
    }
    bench->engine->spread(bench->r_bits, key->copies_h[b], dense);
  }
  key->filled = true;
  key->decoded = false;
}

static void list_error(struct bench *bench, const uint32_t *e, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const int half = e[i] >= bench->r_bits;
    bench_put(bench, half, half ? e[i] - bench->r_bits : e[i]);
  }
}

static void add_listed_columns(struct bench *bench) {
  for (int b = 0; b < 2; b++) {
    if (bench->listed[b] > 0) {
      bench->engine->add_columns(bench->r_bits, bench->syndrome, bench->key->copies_h[b],
                                 bench->list[b], bench->listed[b]);
    }
  }
}

/* Toggles x^shift e_b in the syndrome, e_b being half b of the error. */
static void toggle_half(struct bench *bench, const uint32_t *e, uint32_t half, uint32_t shift) {
  const uint32_t t = bench->params->trial.params.error_weight;

  for (uint32_t i = 0; i < t; i++) {
    if ((e[i] >= bench->r_bits) == (half == 1)) {
      const uint32_t at = (e[i] - half * bench->r_bits + shift) % bench->r_bits;
      bench->syndrome[at / 64] ^= UINT64_C(1) << (at % 64);
    }
  }
}

/* Makes the syndrome of e for a key that has decoded nothing yet from that for the other key, if
 * that has decoded e and has nearly the same positions. Returns whether it did. */
static bool from_other_key(struct bench *bench, const uint32_t *e) {
  const struct bench_key *other = &bench->keys[bench->key == &bench->keys[0]];
  const uint32_t t = bench->params->trial.params.error_weight;
  uint32_t differing = 0;

  if (!other->decoded || memcmp(other->e, e, t * sizeof *e) != 0) {
    return false;
  }
  for (uint32_t i = 0; i < 2 * bench->d; i++) {
    differing += bench->h[i / bench->d][i % bench->d] != other->h[i / bench->d][i % bench->d];
  }
  if (differing > MOST_DIFFERING) {
    return false;
  }
  memcpy(bench->syndrome, other->syndrome, LAB_STRIDE(bench->r_bits) * sizeof(uint64_t));
  for (uint32_t half = 0; half < 2; half++) {
    for (uint32_t i = 0; i < bench->d; i++) {
      if (bench->h[half][i] != other->h[half][i]) {
        toggle_half(bench, e, half, bench->h[half][i]);
        toggle_half(bench, e, half, other->h[half][i]);
      }
    }
  }
  return true;
}

/* Makes the syndrome of e: from that of the last error of this key, or that for the last key, if
 * few places differ. */
static void make_syndrome(struct bench *bench, const uint32_t *e) {
  struct bench_key *key = bench->key;
  const uint32_t t = bench->params->trial.params.error_weight;
  const size_t bytes = LAB_STRIDE(bench->r_bits) * sizeof(uint64_t);
  uint32_t differing[2 * TRIAL_MAX_ERROR_WEIGHT];
  uint32_t count = 0;

  for (uint32_t i = 0; key->decoded && i < t; i++) {
    if (e[i] != key->e[i]) {
      differing[count++] = e[i];
      differing[count++] = key->e[i];
    }
  }
  bench_clear(bench);
  if (key->decoded && count < t) {
    memcpy(bench->syndrome, key->syndrome, bytes);
    list_error(bench, differing, count);
  } else if (key->decoded || !from_other_key(bench, e)) {
    memset(bench->syndrome, 0, bytes);
    list_error(bench, e, t);
  }
  add_listed_columns(bench);
  memcpy(key->syndrome, bench->syndrome, bytes);
  memcpy(key->e, e, t * sizeof *e);
  key->decoded = true;
}

/* Makes the syndrome of what is wrong, of which there is little. */
static void make_syndrome_of_wrong(struct bench *bench) {
  static uint32_t list[LAB_MAX_R_BITS];

  memset(bench->syndrome, 0, LAB_STRIDE(bench->r_bits) * sizeof(uint64_t));
  for (int b = 0; b < 2 && bench->wrong > 0; b++) {
    const size_t count = bench->engine->positions(bench->r_bits, list, bench->wrong_bits[b]);
    bench->engine->add_columns(bench->r_bits, bench->syndrome, bench->key->copies_h[b], list,
                               count);
  }
}

/* Toggles what is on the lists: in what is wrong, and thus in the syndrome, which is that of what
 * is wrong: it takes the shorter way there. */
static void add_lists(struct bench *bench) {
  for (int b = 0; b < 2; b++) {
    for (size_t i = 0; i < bench->listed[b]; i++) {
      const uint32_t position = bench->list[b][i];
      bench->wrong -= bit_of(bench->wrong_bits[b], position);
      bench->wrong_bits[b][position / 64] ^= UINT64_C(1) << (position % 64);
      bench->wrong += bit_of(bench->wrong_bits[b], position);
    }
  }
  if (bench->wrong < bench->listed[0] + bench->listed[1]) {
    make_syndrome_of_wrong(bench);
  } else {
    add_listed_columns(bench);
  }
  bench->syndrome_weight = bench->engine->weight(bench->r_bits, bench->syndrome);
}

/* Decodes the syndrome of e, which is on the bench. */
static bool decode_syndrome(struct bench *bench, const uint32_t *e, uint64_t ties) {
  const size_t bytes = LAB_STRIDE(bench->r_bits) * sizeof(uint64_t);

  for (int b = 0; b < 2; b++) {
    memset(bench->found[b], 0, bytes);
    memset(bench->wrong_bits[b], 0, bytes);
  }
  bench->wrong = bench->params->trial.params.error_weight;
  bench->score = 0;
  bench->middle = 0;
  bench->asked = false;
  bench->dropped = false;
  bench->step_count = 0;
  bench_clear(bench);
  list_error(bench, e, bench->wrong);
  for (int b = 0; b < 2; b++) {
    for (size_t i = 0; i < bench->listed[b]; i++) {
      const uint32_t position = bench->list[b][i];
      bench->wrong_bits[b][position / 64] |= UINT64_C(1) << (position % 64);
    }
  }
  bench->syndrome_weight = bench->engine->weight(bench->r_bits, bench->syndrome);
  bench->first_weight = bench->syndrome_weight;
  if (bench->params->decoder->random || bench->params->random_ties) {
    random_open_short(&bench->ties, ties);
  }
  bench->params->decoder->decode(bench);
  return bench->wrong == 0;
}

bool bench_decode(struct bench *bench, const uint32_t *e, uint64_t ties) {
  make_syndrome(bench, e);
  return decode_syndrome(bench, e, ties);
}

bool bench_decode_parts(struct bench *bench, const uint32_t *e, const uint64_t *const parts[2],
                        uint64_t ties, uint32_t halvings) {
  for (size_t i = 0; i < LAB_STRIDE(bench->r_bits); i++) {
    bench->syndrome[i] = parts[0][i] ^ parts[1][i];
  }
  bench->halvings = halvings;
  bench->played = false;
  return decode_syndrome(bench, e, ties);
}

bool bench_goes_on(struct bench *bench, uint32_t wanted) {
  const uint32_t more = wanted > bench->halvings ? wanted - bench->halvings : 0;

  bench->halvings += more;
  return more == 0 || random_word(&bench->lots) >> (64 - more) == 0;
}

void bench_count(struct bench *bench) {
  bench->engine->spread(bench->r_bits, bench->copies, bench->syndrome);
  for (int b = 0; b < 2; b++) {
    bench->engine->count(bench->r_bits, bench->planes[b], bench->copies, bench->h[b], bench->d);
  }
}

uint32_t bench_counter(const struct bench *bench, int half, uint32_t position) {
  const uint32_t *support = bench->h[half];
  uint32_t total = 0;

  if (bench->engine->common != NULL) {
    return bench->engine->common(bench->r_bits, bench->syndrome, bench->key->copies_h[half],
                                 position);
  }
  for (uint32_t i = 0; i < bench->d; i++) {
    const uint32_t sum = position + support[i];
    const uint32_t reduced = sum - bench->r_bits;
    total += bit_of(bench->syndrome, sum < reduced ? sum : reduced);
  }
  return total;
}

void bench_clear(struct bench *bench) {
  bench->listed[0] = 0;
  bench->listed[1] = 0;
}

void bench_put_all(struct bench *bench, uint64_t *const vectors[2]) {
  for (int b = 0; b < 2; b++) {
    bench->listed[b] +=
        bench->engine->positions(bench->r_bits, bench->list[b] + bench->listed[b], vectors[b]);
  }
}

void bench_put_reached(struct bench *bench, uint32_t threshold) {
  for (int b = 0; b < 2; b++) {
    bench->engine->at_least(bench->r_bits, bench->reached[b], bench->planes[b], threshold);
  }
  bench_put_all(bench, bench->reached);
}

void bench_reach(struct bench *bench, uint32_t threshold, uint32_t gray) {
  const uint32_t levels[2] = {threshold, gray};

  bench->engine->spread(bench->r_bits, bench->copies, bench->syndrome);
  for (int b = 0; b < 2; b++) {
    bench->engine->reach(bench->r_bits, bench->reached[b], gray < threshold ? bench->gray[b] : NULL,
                         bench->copies, bench->h[b], bench->d, levels);
  }
}

void bench_flip(struct bench *bench, char kind, uint32_t threshold) {
  const uint32_t before = bench->syndrome_weight;

  for (int b = 0; b < 2; b++) {
    for (size_t i = 0; i < bench->listed[b]; i++) {
      const uint32_t position = bench->list[b][i];
      bench->found[b][position / 64] ^= UINT64_C(1) << (position % 64);
    }
  }
  add_lists(bench);
  bench->score += bench->params->score == SCORE_WRONG ? bench->wrong : bench->syndrome_weight;
  if (bench->step_count < LAB_MAX_STEPS) {
    bench->steps[bench->step_count] = (struct lab_step){
        .kind = kind,
        .syndrome_weight = before,
        .threshold = threshold,
        .flips = (uint32_t)(bench->listed[0] + bench->listed[1]),
        .wrong = bench->wrong,
    };
  }
  bench->step_count += 1;
}

bool bench_is_stopped(struct bench *bench, uint32_t wrong) {
  const struct lab_gate *gate = bench->gate;

  bench->asked = true;
  bench->middle = wrong;
  bench->dropped = gate != NULL && !gate->open && (wrong < gate->least) != gate->low;
  return bench->dropped;
}

bool bench_done(struct bench *bench) {
  int half;
  uint32_t shift;

  if (!bench->asked && bench_is_stopped(bench, bench->wrong)) {
    return true;
  }
  if (bench->syndrome_weight == 0) {
    return true;
  }
  if (bench->roulette != NULL && !bench->played) {
    const uint32_t wrong = bench->wrong < LAB_MAX_R_BITS ? bench->wrong : LAB_MAX_R_BITS;
    bench->played = true;
    bench->dropped = !bench_goes_on(bench, bench->roulette->by_wrong[wrong]);
    if (bench->dropped) {
      return true;
    }
  }
  if (!bench->params->aware || !near_codeword_found(bench, &half, &shift)) {
    return false;
  }
  bench_clear(bench);
  for (uint32_t i = 0; i < bench->d; i++) {
    bench_put(bench, half, (bench->h[half][i] + shift) % bench->r_bits);
  }
  bench_flip(bench, 'n', 0);
  return true;
}

static int by_number(const void *a, const void *b) {
  const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

  return (left > right) - (left < right);
}

/* The syndrome of x^k h_b is x^k h_b^2, and h_b^2 has the d positions 2 p. */
bool near_codeword_found(const struct bench *bench, int *half, uint32_t *shift) {
  uint32_t square[TRIAL_MAX_KEY_WEIGHT];

  if (bench->syndrome_weight != bench->d) {
    return false;
  }
  for (int b = 0; b < 2; b++) {
    for (uint32_t i = 0; i < bench->d; i++) {
      square[i] = 2 * bench->h[b][i] % bench->r_bits;
    }
    qsort(square, bench->d, sizeof square[0], by_number);
    uint32_t first = 0; /* of the syndrome */
    while (bit_of(bench->syndrome, first) == 0) {
      first += 1;
    }
    for (uint32_t i = 0; i < bench->d; i++) { /* square[i] falls on the first one */
      const uint32_t k = (first + bench->r_bits - square[i]) % bench->r_bits;
      uint32_t same = 0;
      while (same < bench->d && bit_of(bench->syndrome, (square[same] + k) % bench->r_bits) != 0) {
        same += 1;
      }
      if (same == bench->d) {
        *half = b;
        *shift = k;
        return true;
      }
    }
  }
  return false;
}
