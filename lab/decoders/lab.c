/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The decoder laboratory: how often the decoders of decoders.c fail.
 *
 * usage: codekem_lab info                   the engines and decoders, as JSON
 *        codekem_lab direct NAME=VALUE...   decodings first .. first + count - 1
 *        codekem_lab trace NAME=VALUE...    the steps of these, one JSON line for each
 *        codekem_lab given NAME=VALUE...    the steps for cases from standard input: positions of
 *                                           h0, of h1 and of the error, and the seed of the ties
 *        codekem_lab split NAME=VALUE...    one run of multilevel splitting
 *        codekem_lab roulette NAME=VALUE... groups first .. first + count - 1 of draws
 *
 * Settings: settings.h. Key and error number i are those of codekem_dfr with the same seed, so the
 * library's decoder can be given any case.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "settings.h"

#define MAX_LISTED 100
#define MAX_COUNTED 65 /* instances M from here on count as the last */

/* The weight of a failure: index into a histogram of M, 0 if L is not that of the class. */
static uint32_t weight_of(const struct lab_params *params, const struct trial *trial) {
  const struct trial_settings *settings = &params->trial;

  if (settings->key_class == KEY_RANDOM || settings->key_class == KEY_PROGRESSION) {
    return 1;
  }
  const struct instances found =
      class_instances(params, settings->key_class, trial->h[0], trial->h[1], trial->e);
  if (found.largest != settings->class_parameter) {
    return 0;
  }
#if defined(LAB_PLANT_WEIGHT) /* tests plant the weight 1 for all */
  return 1;
#else
  return found.count < MAX_COUNTED ? found.count : MAX_COUNTED - 1;
#endif
}

static int direct(const struct lab_settings *settings, struct bench *bench) {
  static struct trial trial;
  static uint64_t weights[MAX_COUNTED];
  uint64_t listed[MAX_LISTED];
  uint64_t failures = 0;
  const clock_t start = clock();

  for (uint64_t index = settings->first; index < settings->first + settings->count; index++) {
    trial_draw(&settings->params.trial, index, &trial);
    bench_set_key(bench, trial.h[0], trial.h[1]);
    if (!bench_decode(bench, trial.e, random_ties(settings->params.trial.seed, index))) {
      weights[weight_of(&settings->params, &trial)] += 1;
      if (failures < MAX_LISTED) {
        listed[failures] = index;
      }
      failures += 1;
    }
  }
  printf("{\"first\":%llu,\"decodings\":%llu,\"failures\":%llu,\"histogram\":[",
         (unsigned long long)settings->first, (unsigned long long)settings->count,
         (unsigned long long)failures);
  for (int i = 0; i < MAX_COUNTED; i++) {
    printf("%s%llu", i > 0 ? "," : "", (unsigned long long)weights[i]);
  }
  fputs("],\"failed\":[", stdout);
  for (uint64_t i = 0; i < failures && i < MAX_LISTED; i++) {
    printf("%s%llu", i > 0 ? "," : "", (unsigned long long)listed[i]);
  }
  printf("],\"seconds\":%.3f}\n", (double)(clock() - start) / (double)CLOCKS_PER_SEC);
  return 0;
}

static void print_steps(const struct bench *bench, bool found) {
  printf("{\"found\":%s,\"wrong\":%u,\"score\":%llu,\"steps\":[", found ? "true" : "false",
         bench->wrong, (unsigned long long)bench->score);
  for (size_t i = 0; i < bench->step_count && i < LAB_MAX_STEPS; i++) {
    const struct lab_step *step = &bench->steps[i];
    printf("%s[\"%c\",%u,%u,%u,%u]", i > 0 ? "," : "", step->kind, step->syndrome_weight,
           step->threshold, step->flips, step->wrong);
  }
  printf("]}\n");
}

static int trace(const struct lab_settings *settings, struct bench *bench) {
  static struct trial trial;

  for (uint64_t index = settings->first; index < settings->first + settings->count; index++) {
    trial_draw(&settings->params.trial, index, &trial);
    bench_set_key(bench, trial.h[0], trial.h[1]);
    print_steps(bench,
                bench_decode(bench, trial.e, random_ties(settings->params.trial.seed, index)));
  }
  return 0;
}

/* Reads count positions below limit; returns false at the end of the input. */
static bool read_positions(uint32_t *list, uint32_t count, uint32_t limit) {
  for (uint32_t i = 0; i < count; i++) {
    const int got = scanf("%u", &list[i]);
    if (got == EOF && i == 0) {
      return false;
    }
    if (got != 1 || list[i] >= limit) {
      fputs("codekem_lab: a case is d, d and t positions, and a number\n", stderr);
      exit(2);
    }
  }
  return true;
}

static int given(const struct lab_settings *settings, struct bench *bench) {
  static struct trial trial;
  const uint32_t r_bits = settings->params.trial.ring.r_bits;
  const uint32_t d = settings->params.trial.params.key_weight;
  unsigned long long ties;

  while (read_positions(trial.h[0], d, r_bits)) {
    if (!read_positions(trial.h[1], d, r_bits) ||
        !read_positions(trial.e, settings->params.trial.params.error_weight, 2 * r_bits) ||
        scanf("%llu", &ties) != 1) {
      fputs("codekem_lab: a case is d, d and t positions, and a number\n", stderr);
      return 2;
    }
    bench_set_key(bench, trial.h[0], trial.h[1]);
    print_steps(bench, bench_decode(bench, trial.e, ties));
  }
  return 0;
}

static int info(void) {
  const char *const engines[] = {"avx512", "avx2", "portable"};
  const char *separator = "";

  printf("{\"engine\":\"%s\",\"engines\":[", engine_named(NULL)->name);
  for (size_t i = 0; i < sizeof engines / sizeof engines[0]; i++) {
    if (engine_named(engines[i]) != NULL) {
      printf("%s\"%s\"", separator, engines[i]);
      separator = ",";
    }
  }
  fputs("],\"decoders\":[", stdout);
  for (size_t i = 0; i < lab_decoder_count; i++) {
    printf("%s\"%s\"", i > 0 ? "," : "", lab_decoders[i].name);
  }
  puts("]}");
  return 0;
}

int main(int argc, char **argv) {
  static struct lab_settings settings;

  if (argc == 2 && strcmp(argv[1], "info") == 0) {
    return info();
  }
  if (argc < 3) {
    fputs("usage: see the head of lab.c; codekem-lab calls this program\n", stderr);
    return 2;
  }
  lab_read_settings(&settings, argc - 2, argv + 2);
  const struct engine *engine = engine_named(settings.engine);
  if (engine == NULL) {
    fprintf(stderr, "codekem_lab: engine=%s: this processor has no such\n", settings.engine);
    return 2;
  }
  struct bench *bench = bench_new(&settings.params, engine);
  if (strcmp(argv[1], "direct") == 0) {
    return direct(&settings, bench);
  }
  if (strcmp(argv[1], "trace") == 0) {
    return trace(&settings, bench);
  }
  if (strcmp(argv[1], "given") == 0) {
    return given(&settings, bench);
  }
  const enum key_class key_class = settings.params.trial.key_class;
  if (strcmp(argv[1], "roulette") == 0 && key_class == KEY_RANDOM) {
    roulette_run(bench, &settings.roulette, settings.first, settings.count);
    return 0;
  }
  if (strcmp(argv[1], "split") != 0 ||
      (key_class != KEY_RANDOM && key_class != KEY_NEAR_CODEWORD)) {
    fprintf(stderr, "codekem_lab: no such command, or not for this class: '%s'\n", argv[1]);
    return 2;
  }
  split_run(bench, &settings.split);
  return 0;
}
