/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The bench on which decoders work. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"

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
    bench->copies_h[b] = take(LAB_COPIES * LAB_COPY_WORDS(r_bits));
    bench->planes[b] = take(LAB_PLANES * LAB_STRIDE(r_bits));
    bench->reached[b] = take(LAB_STRIDE(r_bits));
    bench->found[b] = take(LAB_STRIDE(r_bits));
    bench->wrong_bits[b] = take(LAB_STRIDE(r_bits));
    bench->list[b] = (uint32_t *)(void *)take(r_bits / 2 + 1);
  }
  return bench;
}

void bench_set_key(struct bench *bench, const uint32_t *h0, const uint32_t *h1) {
  uint64_t dense[LAB_STRIDE(LAB_MAX_R_BITS)];

  bench->h[0] = h0;
  bench->h[1] = h1;
  for (int b = 0; b < 2; b++) {
    memset(dense, 0, LAB_STRIDE(bench->r_bits) * sizeof *dense);
    for (uint32_t i = 0; i < bench->d; i++) {
      dense[bench->h[b][i] / 64] |= UINT64_C(1) << (bench->h[b][i] % 64);
    }
    bench->engine->spread(bench->r_bits, bench->copies_h[b], dense);
  }
}

/* Adds what is on the lists to the syndrome, and toggles it in `bits`. */
static void add_lists(struct bench *bench) {
  for (int b = 0; b < 2; b++) {
    if (bench->listed[b] > 0) {
      bench->engine->add_columns(bench->r_bits, bench->syndrome, bench->copies_h[b], bench->list[b],
                                 bench->listed[b]);
    }
    for (size_t i = 0; i < bench->listed[b]; i++) {
      const uint32_t position = bench->list[b][i];
      bench->wrong -= bit_of(bench->wrong_bits[b], position);
      bench->wrong_bits[b][position / 64] ^= UINT64_C(1) << (position % 64);
      bench->wrong += bit_of(bench->wrong_bits[b], position);
    }
  }
  bench->syndrome_weight = bench->engine->weight(bench->r_bits, bench->syndrome);
}

bool bench_decode(struct bench *bench, const uint32_t *e, uint64_t ties) {
  const size_t bytes = LAB_STRIDE(bench->r_bits) * sizeof(uint64_t);

  memset(bench->syndrome, 0, bytes);
  for (int b = 0; b < 2; b++) {
    memset(bench->found[b], 0, bytes);
    memset(bench->wrong_bits[b], 0, bytes);
  }
  bench->wrong = 0;
  bench->score = 0;
  bench->step_count = 0;
  bench_clear(bench);
  for (uint32_t i = 0; i < bench->params->trial.params.error_weight; i++) {
    const int half = e[i] >= bench->r_bits;
    bench_put(bench, half, half ? e[i] - bench->r_bits : e[i]);
  }
  add_lists(bench);
  bench->first_weight = bench->syndrome_weight;
  if (bench->params->decoder->random || bench->params->random_ties) {
    random_open_short(&bench->ties, ties);
  }
  bench->params->decoder->decode(bench);
  return bench->wrong == 0;
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

void bench_put_reached(struct bench *bench, uint32_t threshold) {
  for (int b = 0; b < 2; b++) {
    bench->engine->at_least(bench->r_bits, bench->reached[b], bench->planes[b], threshold);
    for (uint32_t i = 0; i < (bench->r_bits + 63) / 64; i++) {
      for (uint64_t bits = bench->reached[b][i]; bits != 0; bits &= bits - 1) {
        bench_put(bench, b, 64 * i + (uint32_t)__builtin_ctzll(bits));
      }
    }
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

bool bench_done(struct bench *bench) {
  int half;
  uint32_t shift;

  if (bench->syndrome_weight == 0) {
    return true;
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
