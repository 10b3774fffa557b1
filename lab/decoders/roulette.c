/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Counting with Russian roulette. A draw that is likely to decode goes on with probability 2^-k
 * only, and a failure then counts 2^k: so the weighted count has the expectation of the plain one,
 * whatever the tables are, if they do not depend on the run. It is played three times: on the
 * weight of the syndrome, on the number of checks with three errors, and on the positions that are
 * wrong after the first iteration. The fewer checks have three errors, the smaller are the counters
 * of wrong positions: their sum over all of them is that of the errors in unsatisfied checks.
 *
 * The first two have to be cheap. A group has one key and parts a_i and b_j of errors; its draws
 * are all a_i + b_j, whose syndrome is the sum of two. The b_j avoid all a_i. No position is
 * treated differently from another, so each a_i + b_j alone is uniform among the errors of weight
 * t, and a count over them is unbiased. Draws of a group are not independent: groups are, and
 * intervals are made from what whole groups gave.
 */
#include "roulette.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_LISTED 100
#define PARTS_STREAM (UINT64_C(1) << 62) /* of the number of a stream: no group has it */
#define LOTS_STREAM (UINT64_C(1) << 63)

struct part {
  uint32_t positions[TRIAL_MAX_ERROR_WEIGHT];
  uint64_t
      *errors[2]; /* in each check, modulo 4: low bits, which are the syndrome, and high ones */
};

struct table {
  struct bench *bench;
  const struct roulette_settings *settings;
  uint32_t half[2]; /* weights of the parts of each kind */
  struct part parts[2][ROULETTE_MAX_PARTS];
  struct trial trial;
  uint64_t decoded, completed, failures;
  uint64_t halvings[ROULETTE_MAX_HALVINGS + 1]; /* failures by what they stand for */
  uint64_t listed[MAX_LISTED];
  uint64_t *sums; /* weights of the groups with failures */
  size_t sum_count;
};

static void *take_memory(size_t bytes) {
  void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);

  if (memory == NULL) {
    fputs("codekem_lab: no memory for a group\n", stderr);
    exit(2);
  }
  return memory;
}

static void take_away(struct set *set, const uint32_t *list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    set->bits[list[i] / 64] &= ~(UINT64_C(1) << (list[i] % 64));
  }
}

static void make_part(struct table *table, struct part *part, uint32_t count) {
  const struct bench *bench = table->bench;
  uint32_t list[2][TRIAL_MAX_ERROR_WEIGHT];
  size_t listed[2] = {0, 0};

  memset(part->errors[0], 0, LAB_STRIDE(bench->r_bits) * sizeof *part->errors[0]);
  memset(part->errors[1], 0, LAB_STRIDE(bench->r_bits) * sizeof *part->errors[1]);
  for (uint32_t i = 0; i < count; i++) {
    const int half = part->positions[i] >= bench->r_bits;
    list[half][listed[half]++] = part->positions[i] - (half ? bench->r_bits : 0);
  }
  for (int b = 0; b < 2; b++) {
    bench->engine->count_columns(bench->r_bits, part->errors[0], part->errors[1],
                                 bench->key->copies_h[b], list[b], listed[b]);
  }
}

/* Draws the key and the parts of a group. */
static void draw_group(struct table *table, uint64_t group) {
  static struct set all, own; /* own is empty between uses */
  const struct trial_settings *trial = &table->bench->params->trial;
  const uint32_t limit = 2 * trial->ring.r_bits;
  struct stream stream;

  trial_draw(trial, group, &table->trial);
  bench_set_key(table->bench, table->trial.h[0], table->trial.h[1]);
  stream_open(&stream, trial->seed, group | PARTS_STREAM);
  random_open(&table->bench->lots, trial->seed, group | LOTS_STREAM);
  memset(&all, 0, sizeof all);
  for (int kind = 0; kind < 2; kind++) {
    struct set *avoided = kind == 0 ? &own : &all;
    const uint32_t count = table->half[kind];
    for (uint32_t i = 0; i < table->settings->parts; i++) {
      uint32_t *list = table->parts[kind][i].positions;
      draw_distinct(&stream, avoided, list, 0, count, limit);
      take_away(avoided, list, count);
      make_part(table, &table->parts[kind][i], count);
    }
    for (uint32_t i = 0; kind == 0 && i < table->settings->parts; i++) {
      for (uint32_t k = 0; k < count; k++) {
        insert(&all, table->parts[0][i].positions[k]);
      }
    }
  }
}

static void print_positions(const char *name, const uint32_t *list, uint32_t count) {
  printf("\"%s\":[", name);
  for (uint32_t i = 0; i < count; i++) {
    printf("%s%u", i > 0 ? "," : "", list[i]);
  }
  putchar(']');
}

static void print_case(const struct table *table, uint64_t index, uint64_t ties) {
  const struct bike_params *code = &table->bench->params->trial.params;

  printf("%s{\"index\":%llu,", table->failures > 0 ? "," : "", (unsigned long long)index);
  print_positions("h0", table->trial.h[0], code->key_weight);
  putchar(',');
  print_positions("h1", table->trial.h[1], code->key_weight);
  putchar(',');
  print_positions("e", table->trial.e, code->error_weight);
  printf(",\"ties\":\"%llu\"}", (unsigned long long)ties);
}

/* Decodes one draw, unless the roulette drops it; returns what its failure counts, 0 if it has
 * none. */
static uint64_t play(struct table *table, const struct part *a, const struct part *b,
                     uint64_t index) {
  struct bench *bench = table->bench;
  const uint64_t *const syndromes[2] = {a->errors[0], b->errors[0]};
  const uint64_t *const errors[2][2] = {{a->errors[0], a->errors[1]}, {b->errors[0], b->errors[1]}};
  const uint64_t ties = random_ties(bench->params->trial.seed, index);
  const uint32_t weight = bench->engine->distance(bench->r_bits, syndromes[0], syndromes[1]);

  bench->halvings = 0;
  if (!bench_goes_on(bench, bench->roulette->by_weight[weight])) {
    return 0;
  }
  const uint32_t threes = bench->engine->threes(bench->r_bits, errors[0], errors[1]);
  if (!bench_goes_on(bench, bench->roulette->by_threes[threes])) {
    return 0;
  }
  table->decoded += 1;
  memcpy(table->trial.e, a->positions, table->half[0] * sizeof *a->positions);
  memcpy(table->trial.e + table->half[0], b->positions, table->half[1] * sizeof *b->positions);
  const bool found = bench_decode_parts(bench, table->trial.e, syndromes, ties, bench->halvings);
  table->completed += !bench->dropped;
  if (found || bench->dropped) {
    return 0;
  }
  if (table->failures < table->settings->most_kept) {
    print_case(table, index, ties);
  }
  if (table->failures < MAX_LISTED) {
    table->listed[table->failures] = index;
  }
  table->failures += 1;
  table->halvings[bench->halvings] += 1;
#if defined(LAB_PLANT_ROULETTE) /* tests plant the weight 1 for all */
  return 1;
#else
  return UINT64_C(1) << bench->halvings;
#endif
}

static void print_numbers(const char *name, const uint64_t *list, size_t count) {
  printf("\"%s\":[", name);
  for (size_t i = 0; i < count; i++) {
    printf("%s%llu", i > 0 ? "," : "", (unsigned long long)list[i]);
  }
  fputs("],", stdout);
}

static void print_table(const struct table *table, uint64_t decodings) {
  const size_t listed = table->failures < MAX_LISTED ? table->failures : MAX_LISTED;

  printf("\"decodings\":%llu,\"decoded\":%llu,\"completed\":%llu,\"failures\":%llu,",
         (unsigned long long)decodings, (unsigned long long)table->decoded,
         (unsigned long long)table->completed, (unsigned long long)table->failures);
  print_numbers("halvings", table->halvings, ROULETTE_MAX_HALVINGS + 1);
  print_numbers("sums", table->sums, table->sum_count);
  print_numbers("failed", table->listed, listed);
}

void roulette_run(struct bench *bench, const struct roulette_settings *settings, uint64_t first,
                  uint64_t count) {
  static struct table table;
  const uint32_t t = bench->params->trial.params.error_weight;
  const uint64_t draws = (uint64_t)settings->parts * settings->parts;
  const clock_t start = clock();

  table.bench = bench;
  table.settings = settings;
  table.half[0] = t / 2;
  table.half[1] = t - t / 2;
  table.sums = take_memory(count * sizeof *table.sums);
  bench->roulette = &settings->table;
  for (int kind = 0; kind < 2; kind++) {
    for (uint32_t i = 0; i < settings->parts; i++) {
      for (int b = 0; b < 2; b++) {
        table.parts[kind][i].errors[b] = take_memory(LAB_STRIDE(bench->r_bits) * sizeof(uint64_t));
      }
    }
  }
  printf("{\"first\":%llu,\"cases\":[", (unsigned long long)first);
  for (uint64_t group = first; group < first + count; group++) {
    uint64_t sum = 0;
    draw_group(&table, group);
    for (uint64_t draw = 0; draw < draws; draw++) {
      sum += play(&table, &table.parts[0][draw / settings->parts],
                  &table.parts[1][draw % settings->parts], group * draws + draw);
    }
    if (sum > 0) {
      table.sums[table.sum_count++] = sum;
    }
  }
  fputs("],", stdout);
  print_table(&table, draws * count);
  printf("\"seconds\":%.3f}\n", (double)(clock() - start) / (double)CLOCKS_PER_SEC);
}
