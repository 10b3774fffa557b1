/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Decodes random errors of BIKE with the library's decoder, for any odd r, and counts failures.
 *
 * usage: codekem_dfr info LEVEL
 *        codekem_dfr info-hqc LEVEL
 *        codekem_dfr run-hqc BACKEND LEVEL SEED FIRST COUNT  words of HQC's inner code; see
 *        run_hqc()
 *        codekem_dfr run    SETTINGS FIRST COUNT  decodings number FIRST and the COUNT - 1 after it
 *        codekem_dfr keys   SETTINGS FIRST COUNT  the keys and errors of these, as JSON
 *        codekem_dfr decode SETTINGS              syndromes from standard input; see decode()
 *
 * SETTINGS is BACKEND LEVEL R T THRESHOLD CLASS PARAMETER SEED. BACKEND: public (any r); one of
 * the library, or its best. T: weight of the errors. THRESHOLD: spec, or CONSTANT:SLOPE in units of
 * 2^-24; then -LOWER, if the first one is lower by so much. CLASS and PARAMETER: see trial.h. SEED:
 * 64 hexadecimal digits.
 */
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backends.h"
#include "bike/decoder.h"
#include "codekem.h"
#include "hqc_trial.h"
#include "public_ops.h"
#include "trial.h"

#define SETTINGS_COUNT 8
#define MAX_LISTED 100
#define THRESHOLD_SHIFT 24

static void fail(const char *what, const char *given) {
  fprintf(stderr, "codekem_dfr: %s: '%s'\n", what, given);
  exit(2);
}

static uint64_t read_number(const char *text, uint64_t low, uint64_t high, const char *what) {
  char *end = NULL;
  const unsigned long long value = strtoull(text, &end, 10);

  if (text[0] < '0' || text[0] > '9' || *end != '\0' || value < low || value > high) {
    fprintf(stderr, "codekem_dfr: %s must be a number from %llu to %llu, not '%s'\n", what,
            (unsigned long long)low, (unsigned long long)high, text);
    exit(2);
  }
  return value;
}

static const struct bike_params *find_level(const char *text) {
  if (strcmp(text, "1") == 0) {
    return &ckem_bike_level1;
  }
  if (strcmp(text, "3") == 0) {
    return &ckem_bike_level3;
  }
  if (strcmp(text, "5") != 0) {
    fail("the level is 1, 3 or 5", text);
  }
  return &ckem_bike_level5;
}

static void read_threshold(struct bike_params *params, char *text) {
  char *lower = strchr(text, '-');
  const char *colon = strchr(text, ':');
  char constant[24];

  if (lower != NULL) {
    *lower++ = '\0';
    params->first_threshold_lower =
        (uint32_t)read_number(lower, 1, 255, "by how much the first threshold is lower");
  }
  if (strcmp(text, "spec") == 0) {
    return;
  }
  if (colon == NULL || (size_t)(colon - text) >= sizeof constant) {
    fail("the threshold is spec or CONSTANT:SLOPE", text);
  }
  memcpy(constant, text, (size_t)(colon - text));
  constant[colon - text] = '\0';
  params->threshold_constant =
      (uint32_t)read_number(constant, 0, UINT32_MAX, "the constant of the threshold");
  params->threshold_slope =
      (uint32_t)read_number(colon + 1, 0, UINT32_MAX, "the slope of the threshold");
  params->threshold_multiplier = 1;
  params->threshold_shift = THRESHOLD_SHIFT;
}

static void read_seed(uint8_t seed[TRIAL_SEED_BYTES], const char *text) {
  if (strlen(text) != 2 * TRIAL_SEED_BYTES ||
      strspn(text, "0123456789abcdef") != 2 * TRIAL_SEED_BYTES) {
    fail("the seed has 64 hexadecimal digits, small letters", text);
  }
  for (size_t i = 0; i < TRIAL_SEED_BYTES; i++) {
    const char digits[3] = {text[2 * i], text[2 * i + 1], '\0'};
    seed[i] = (uint8_t)strtoul(digits, NULL, 16);
  }
}

static void read_class(struct trial_settings *settings, const char *name, const char *parameter) {
  unsigned found = 0;

  while (found < KEY_CLASS_COUNT && strcmp(key_class_names[found], name) != 0) {
    found += 1;
  }
  if (found == KEY_CLASS_COUNT) {
    fail("there is no such class of keys", name);
  }
  settings->key_class = (enum key_class)found;
  settings->class_parameter =
      (uint32_t)read_number(parameter, 0, TRIAL_MAX_KEY_WEIGHT, "the parameter of the class");
  const char *problem = trial_problem(settings);
  if (problem != NULL) {
    fail(problem, parameter);
  }
}

static void select_backend(const char *name) {
  if (codekem_backend_select(strcmp(name, "best") == 0 ? NULL : name) != CODEKEM_OK) {
    fail("this build or processor has no such back end", name);
  }
}

/* Returns the back end: any r by `public`, the ring of the level by the others. */
static const struct backend *read_backend(const char *name, const struct trial_settings *settings,
                                          const struct bike_params *level) {
  if (strcmp(name, "public") == 0) {
    return public_backend(NULL);
  }
  select_backend(name);
  /* The vector kernels are made for the rings of the specification; the reference is not. */
  if (strcmp(name, "reference") != 0 && settings->ring.r_bits != level->ring->r_bits) {
    fail("for other r than the specification's, use the back end public, not", name);
  }
  return public_backend(ckem_backend_in_use());
}

/* Reads SETTINGS; returns the back end. */
static const struct backend *read_settings(struct trial_settings *settings, char **arguments) {
  const struct bike_params *level = find_level(arguments[1]);
  const uint32_t least = 8 * level->key_weight; /* below, keys and errors are no longer sparse */
  const uint32_t r_bits = (uint32_t)read_number(arguments[2], least, TRIAL_MAX_R_BITS, "r");

  if (r_bits % 2 == 0) {
    fail("r must be odd", arguments[2]);
  }
  settings->params = *level;
  settings->ring = (struct gf2x_ring){
      .r_bits = r_bits,
      .words = GF2X_WORDS(r_bits),
      .stride = GF2X_STRIDE(r_bits),
      .bytes = GF2X_BYTES(r_bits),
  };
  settings->params.ring = &settings->ring;
  settings->params.error_weight =
      (uint32_t)read_number(arguments[3], 1, TRIAL_MAX_ERROR_WEIGHT, "the weight of the errors");
  read_threshold(&settings->params, arguments[4]);
  read_class(settings, arguments[5], arguments[6]);
  read_seed(settings->seed, arguments[7]);
  return read_backend(arguments[0], settings, level);
}

static int info(const char *text) {
  const struct bike_params *level = find_level(text);
  const double unit =
      (double)level->threshold_multiplier / (double)(UINT64_C(1) << level->threshold_shift);

  printf(
      "{\"r\":%u,\"d\":%u,\"t\":%u,\"iterations\":%u,\"threshold_constant\":%.8f,"
      "\"threshold_slope\":%.10f,\"threshold_minimum\":%u}\n",
      level->ring->r_bits, level->key_weight, level->error_weight, BIKE_ITERATIONS,
      level->threshold_constant * unit, level->threshold_slope * unit, level->threshold_minimum);
  return 0;
}

static int run(const struct trial_settings *settings, const struct backend *backend, uint64_t first,
               uint64_t count) {
  uint64_t listed[MAX_LISTED];
  uint64_t failures = 0;
  const clock_t start = clock();

  for (uint64_t index = first; index < first + count; index++) {
    if (!trial_run(settings, backend, index)) {
      if (failures < MAX_LISTED) {
        listed[failures] = index;
      }
      failures += 1;
    }
  }
  printf("{\"first\":%llu,\"decodings\":%llu,\"failures\":%llu,\"failed\":[",
         (unsigned long long)first, (unsigned long long)count, (unsigned long long)failures);
  for (uint64_t i = 0; i < failures && i < MAX_LISTED; i++) {
    printf("%s%llu", i > 0 ? "," : "", (unsigned long long)listed[i]);
  }
  printf("],\"seconds\":%.3f}\n", (double)(clock() - start) / (double)CLOCKS_PER_SEC);
  return 0;
}

static void print_list(const uint32_t *list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    printf("%s%u", i > 0 ? "," : "", list[i]);
  }
}

static int keys(const struct trial_settings *settings, uint64_t first, uint64_t count) {
  static struct trial trial;

  for (uint64_t index = first; index < first + count; index++) {
    trial_draw(settings, index, &trial);
    fputs("{\"h0\":[", stdout);
    print_list(trial.h[0], settings->params.key_weight);
    fputs("],\"h1\":[", stdout);
    print_list(trial.h[1], settings->params.key_weight);
    printf("],\"distance\":%u,\"e\":[", trial.distance);
    print_list(trial.e, settings->params.error_weight);
    puts("]}");
  }
  return 0;
}

/* Reads weight positions below r. */
static void read_positions(uint32_t *list, uint32_t count, uint32_t r_bits) {
  for (uint32_t i = 0; i < count; i++) {
    if (scanf("%u", &list[i]) != 1 || list[i] >= r_bits) {
      fputs("codekem_dfr: a key is two lists of d positions below r\n", stderr);
      exit(2);
    }
  }
}

/* For each case on standard input (positions of h0 and of h1, number of coefficients of the
 * syndrome, their positions) prints the positions that the decoder finds, in e0 and then in e1 with
 * r added. */
static int decode(const struct trial_settings *settings, const struct backend *backend) {
  static alignas(64) uint64_t syndrome[GF2X_STRIDE(TRIAL_MAX_R_BITS)];
  static alignas(64) uint64_t found[2][GF2X_STRIDE(TRIAL_MAX_R_BITS)];
  static uint32_t ones[TRIAL_MAX_R_BITS];
  static struct trial trial;
  const uint32_t *const h[2] = {trial.h[0], trial.h[1]};
  uint64_t *const e[2] = {found[0], found[1]};
  const uint32_t r_bits = settings->ring.r_bits;
  int first;

  while ((first = getchar()) != EOF) {
    if (first == '\n' || first == ' ') {
      continue;
    }
    ungetc(first, stdin);
    uint32_t count;
    read_positions(trial.h[0], settings->params.key_weight, r_bits);
    read_positions(trial.h[1], settings->params.key_weight, r_bits);
    read_positions(&count, 1, r_bits + 1);
    read_positions(ones, count, r_bits);
    memset(syndrome, 0, sizeof syndrome);
    for (uint32_t i = 0; i < count; i++) {
      syndrome[ones[i] / 64] |= UINT64_C(1) << (ones[i] % 64);
    }
    trial_decode(settings, backend, h, syndrome, e);
    for (uint32_t j = 0; j < 2 * r_bits; j++) {
      const uint32_t half = j >= r_bits;
      const uint32_t place = j - half * r_bits;
      if ((found[half][place / 64] >> (place % 64) & 1) != 0) {
        printf("%u ", j);
      }
    }
    putchar('\n');
  }
  return 0;
}

static const struct hqc_params *find_hqc_level(const char *text) {
  const struct bike_params *level = find_level(text);

  return level == &ckem_bike_level1   ? &ckem_hqc_level1
         : level == &ckem_bike_level3 ? &ckem_hqc_level3
                                      : &ckem_hqc_level5;
}

static int info_hqc(const char *text) {
  const struct hqc_params *params = find_hqc_level(text);

  printf(
      "{\"r\":%u,\"d\":%u,\"t\":%u,\"outer_length\":%u,\"outer_errors\":%u,"
      "\"inner_length\":%u}\n",
      params->ring->r_bits, params->key_weight, params->error_weight, params->outer_code->length,
      params->outer_code->delta, 128 * params->copies);
  return 0;
}

/* Prints how many symbols the inner code got wrong, and in how many words there were 0, 1, ... such
 * symbols. A decoding is that of one symbol; failed lists the words that the outer code cannot
 * correct. */
static int run_hqc(char **arguments) {
  static uint64_t histogram[REED_SOLOMON_MAX_LENGTH + 1];
  const struct hqc_params *params = find_hqc_level(arguments[1]);
  const uint64_t first = read_number(arguments[3], 0, UINT64_MAX / 2, "the first number");
  const uint64_t count = read_number(arguments[4], 1, UINT32_MAX, "the count");
  uint8_t seed[TRIAL_SEED_BYTES];
  uint64_t failures = 0;
  const char *separator = "";

  select_backend(arguments[0]);
  read_seed(seed, arguments[2]);
  const clock_t start = clock();
  printf("{\"first\":%llu,\"failed\":[", (unsigned long long)first);
  for (uint64_t index = first; index < first + count; index++) {
    const uint32_t wrong = hqc_trial_run(params, ckem_backend_in_use(), seed, index);
    failures += wrong;
    histogram[wrong] += 1;
    if (wrong > params->outer_code->delta) {
      printf("%s%llu", separator, (unsigned long long)index);
      separator = ",";
    }
  }
  printf("],\"decodings\":%llu,\"failures\":%llu,\"histogram\":[",
         (unsigned long long)(count * params->outer_code->length), (unsigned long long)failures);
  for (uint32_t wrong = 0; wrong <= params->outer_code->length; wrong++) {
    printf("%s%llu", wrong > 0 ? "," : "", (unsigned long long)histogram[wrong]);
  }
  printf("],\"seconds\":%.3f}\n", (double)(clock() - start) / (double)CLOCKS_PER_SEC);
  return 0;
}

int main(int argc, char **argv) {
  static struct trial_settings settings;

  if (argc == 3 && strcmp(argv[1], "info") == 0) {
    return info(argv[2]);
  }
  if (argc == 3 && strcmp(argv[1], "info-hqc") == 0) {
    return info_hqc(argv[2]);
  }
  if (argc == 7 && strcmp(argv[1], "run-hqc") == 0) {
    return run_hqc(argv + 2);
  }
  const int with_range = 2 + SETTINGS_COUNT + 2;
  if (argc != with_range && !(argc == with_range - 2 && strcmp(argv[1], "decode") == 0)) {
    fputs("usage: see the head of dfr.c; codekem-lab calls this program\n", stderr);
    return 2;
  }
  const struct backend *backend = read_settings(&settings, argv + 2);
  if (argc == with_range - 2) {
    return decode(&settings, backend);
  }
  const uint64_t first = read_number(argv[with_range - 2], 0, UINT64_MAX / 2, "the first number");
  const uint64_t count = read_number(argv[with_range - 1], 1, UINT32_MAX, "the count");
  if (strcmp(argv[1], "keys") == 0) {
    return keys(&settings, first, count);
  }
  if (strcmp(argv[1], "run") != 0) {
    fail("there is no such command", argv[1]);
  }
  return run(&settings, backend, first, count);
}
