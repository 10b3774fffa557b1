/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Settings of the laboratory, read from words NAME=VALUE. */
#include "settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bike/decoder.h"

#define MOST_PARTICLES 1000000

static void fail(const char *name, const char *value, const char *what) {
  fprintf(stderr, "codekem_lab: %s=%s: %s\n", name, value, what);
  exit(2);
}

static uint64_t number_until(const char *name, const char **text, char end, uint64_t most) {
  char *rest = NULL;
  const unsigned long long value = strtoull(*text, &rest, 10);

  if (**text < '0' || **text > '9' || value > most || (*rest != end && *rest != '\0')) {
    char what[96];
    snprintf(what, sizeof what, "numbers up to %llu are meant", (unsigned long long)most);
    fail(name, *text, what);
  }
  *text = *rest == '\0' ? rest : rest + 1;
  return value;
}

static uint64_t number(const char *name, const char *text, uint64_t least, uint64_t most) {
  const char *rest = text;
  const uint64_t value = number_until(name, &rest, '\0', most);

  if (value < least) {
    char what[64];
    snprintf(what, sizeof what, "at least %llu is meant", (unsigned long long)least);
    fail(name, text, what);
  }
  return value;
}

/* Returns the index of text in names. */
static uint32_t choice(const char *name, const char *text, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (strcmp(text, names[i]) == 0) {
      return (uint32_t)i;
    }
  }
  fail(name, text, "there is no such");
  return 0;
}

/* Fills table from steps VALUE@FROM,...: VALUE from FROM on. */
static void read_steps(const char *name, uint8_t table[LAB_MAX_R_BITS + 1], const char *text,
                       uint64_t most) {
  const char *rest = text;
  uint32_t next = 0;
  uint8_t value = 0;
  bool first = true;

  while (*rest != '\0') {
    const uint8_t following = (uint8_t)number_until(name, &rest, '@', most);
    const uint32_t from = (uint32_t)number_until(name, &rest, ',', LAB_MAX_R_BITS);
    if (from < next || (first && from != 0)) {
      fail(name, text, "VALUE@WEIGHT,... by weight is meant, the first with weight 0");
    }
    for (; next < from; next++) {
      table[next] = value;
    }
    value = following;
    first = false;
  }
  for (; next <= LAB_MAX_R_BITS; next++) {
    table[next] = value;
  }
}

static void read_threshold(struct lab_params *params, const char *text) {
  static const char *const levels[] = {"level1", "level3", "level5"};
  const struct bike_params *const of_level[] = {&ckem_bike_level1, &ckem_bike_level3,
                                                &ckem_bike_level5};

  if (text[0] == 'l') {
    const struct bike_params *level = of_level[choice("threshold", text, levels, 3)];
    for (uint32_t weight = 0; weight <= LAB_MAX_R_BITS; weight++) {
      const uint32_t threshold = ckem_bike_threshold(level, weight);
      params->threshold[weight] = (uint8_t)(threshold < 255 ? threshold : 255);
    }
    return;
  }
  read_steps("threshold", params->threshold, text, 255);
}

static void read_thresholds(struct lab_params *params, const char *text) {
  const char *rest = text;

  params->list_count = 0;
  while (*rest != '\0') {
    if (params->list_count == LAB_MAX_ROUNDS) {
      fail("thresholds", text, "there are too many");
    }
    params->list[params->list_count++] = (uint32_t)number_until("thresholds", &rest, ',', 255);
  }
}

static void read_affine(struct lab_params *params, const char *text) {
  char *rest = NULL;
  double *const values[] = {&params->slope, &params->constant, &params->delta};
  const char *from = text;

  for (int i = 0; i < 3; i++) {
    *values[i] = strtod(from, &rest);
    if (rest == from || *rest != (i < 2 ? ',' : '\0')) {
      fail("affine", text, "SLOPE,CONSTANT,DELTA is meant");
    }
    from = rest + 1;
  }
}

static void read_seed(uint8_t seed[TRIAL_SEED_BYTES], const char *text) {
  if (strlen(text) != 2 * TRIAL_SEED_BYTES ||
      strspn(text, "0123456789abcdef") != 2 * TRIAL_SEED_BYTES) {
    fail("seed", text, "64 hexadecimal digits are meant, small letters");
  }
  for (size_t i = 0; i < TRIAL_SEED_BYTES; i++) {
    const char digits[3] = {text[2 * i], text[2 * i + 1], '\0'};
    seed[i] = (uint8_t)strtoul(digits, NULL, 16);
  }
}

static void read_levels(struct split_settings *split, const char *text) {
  const char *rest = text;
  uint64_t last = 0;

  split->adaptive = strcmp(text, "adaptive") == 0;
  while (!split->adaptive && *rest != '\0') {
    if (split->level_count == SPLIT_MAX_LEVELS) {
      fail("levels", text, "there are too many");
    }
    struct split_level *level = &split->levels[split->level_count++];
    level->score = number_until("levels", &rest, ':', UINT32_MAX);
    level->swap = (uint32_t)number_until("levels", &rest, ':', TRIAL_MAX_ERROR_WEIGHT);
    const bool gated = rest[strcspn(rest, ":,")] == ':';
    level->steps = (uint32_t)number_until("levels", &rest, gated ? ':' : ',', 100000);
    level->least = gated ? (uint32_t)number_until("levels", &rest, ',', 2 * LAB_MAX_R_BITS) : 0;
    if ((split->level_count > 1 && level->score <= last) || level->swap == 0) {
      fail("levels", text, "SCORE:SWAP:STEPS[:GATE],... with rising scores is meant");
    }
    last = level->score;
  }
}

static const struct lab_decoder *read_decoder(const char *text) {
  for (size_t i = 0; i < lab_decoder_count; i++) {
    if (strcmp(text, lab_decoders[i].name) == 0) {
      return &lab_decoders[i];
    }
  }
  fail("decoder", text, "there is no such decoder");
  return NULL;
}

/* Words on the code and the decoder; returns whether the name was one of them. */
static bool read_code_word(struct lab_params *params, const char *name, const char *value) {
  static const char *const roundings[] = {"floor", "nearest", "ceil"};
  static const char *const scores[] = {"wrong", "syndrome"};
  static const char *const ties[] = {"position", "random"};
  struct bike_params *code = &params->trial.params;

  if (strcmp(name, "r") == 0) {
    params->trial.ring.r_bits = (uint32_t)number(name, value, 65, TRIAL_MAX_R_BITS);
  } else if (strcmp(name, "d") == 0) {
    code->key_weight = (uint32_t)number(name, value, 3, TRIAL_MAX_KEY_WEIGHT);
  } else if (strcmp(name, "t") == 0) {
    code->error_weight = (uint32_t)number(name, value, 1, TRIAL_MAX_ERROR_WEIGHT);
  } else if (strcmp(name, "decoder") == 0) {
    params->decoder = read_decoder(value);
  } else if (strcmp(name, "iterations") == 0) {
    params->iterations = (uint32_t)number(name, value, 1, 1000);
  } else if (strcmp(name, "threshold") == 0) {
    read_threshold(params, value);
  } else if (strcmp(name, "masked") == 0) {
    params->masked_threshold = (uint32_t)number(name, value, 1, 255);
  } else if (strcmp(name, "margin") == 0) {
    params->gray_margin = (uint32_t)number(name, value, 0, 255);
  } else if (strcmp(name, "lower") == 0) {
    params->first_lower = (uint32_t)number(name, value, 0, 255);
  } else if (strcmp(name, "affine") == 0) {
    read_affine(params, value);
  } else if (strcmp(name, "rounding") == 0) {
    params->rounding = (enum rounding)choice(name, value, roundings, ROUNDING_COUNT);
  } else if (strcmp(name, "thresholds") == 0) {
    read_thresholds(params, value);
  } else if (strcmp(name, "flips") == 0) {
    params->flips = (uint32_t)number(name, value, 1, 1000000);
  } else if (strcmp(name, "ties") == 0) {
    params->random_ties = choice(name, value, ties, 2) == 1;
  } else if (strcmp(name, "aware") == 0) {
    params->aware = number(name, value, 0, 1) == 1;
  } else if (strcmp(name, "score") == 0) {
    params->score = (enum score)choice(name, value, scores, SCORE_COUNT);
  } else {
    return false;
  }
  return true;
}

/* Words on what is run. */
static void read_run_word(struct lab_settings *settings, const char *name, const char *value) {
  static const char *const keys[] = {"moves", "kept", "fixed"};
  struct trial_settings *trial = &settings->params.trial;
  struct split_settings *split = &settings->split;

  if (strcmp(name, "class") == 0) {
    trial->key_class = (enum key_class)choice(name, value, key_class_names, KEY_CLASS_COUNT);
  } else if (strcmp(name, "parameter") == 0) {
    trial->class_parameter = (uint32_t)number(name, value, 0, TRIAL_MAX_KEY_WEIGHT);
  } else if (strcmp(name, "seed") == 0) {
    read_seed(trial->seed, value);
  } else if (strcmp(name, "engine") == 0) {
    settings->engine = value;
  } else if (strcmp(name, "first") == 0) {
    settings->first = number(name, value, 0, UINT64_MAX / 4);
  } else if (strcmp(name, "count") == 0) {
    settings->count = number(name, value, 1, UINT32_MAX);
  } else if (strcmp(name, "particles") == 0) {
    split->particles = (uint32_t)number(name, value, 4, MOST_PARTICLES);
  } else if (strcmp(name, "run") == 0) {
    split->run = number(name, value, 0, UINT32_MAX / 4);
  } else if (strcmp(name, "levels") == 0) {
    read_levels(split, value);
  } else if (strcmp(name, "key") == 0) {
    const uint32_t key = choice(name, value, keys, 3);
    split->key_moves = key == 0;
    split->fixed_key = key == 2;
  } else if (strcmp(name, "kept") == 0) {
    split->most_kept = (uint32_t)number(name, value, 0, MOST_PARTICLES);
    settings->roulette.most_kept = split->most_kept;
  } else if (strcmp(name, "group") == 0) {
    settings->roulette.parts = (uint32_t)number(name, value, 1, ROULETTE_MAX_PARTS);
  } else if (strcmp(name, "by-weight") == 0) {
    read_steps(name, settings->roulette.table.by_weight, value, ROULETTE_MAX_HALVINGS);
  } else if (strcmp(name, "by-threes") == 0) {
    read_steps(name, settings->roulette.table.by_threes, value, ROULETTE_MAX_HALVINGS);
  } else if (strcmp(name, "by-wrong") == 0) {
    read_steps(name, settings->roulette.table.by_wrong, value, ROULETTE_MAX_HALVINGS);
  } else {
    fail(name, value, "there is no such setting");
  }
}

/* What must hold between settings. */
static void check(struct lab_settings *settings) {
  struct lab_params *params = &settings->params;
  struct trial_settings *trial = &params->trial;
  const uint32_t r_bits = trial->ring.r_bits, d = trial->params.key_weight;

  if (r_bits % 2 == 0 || r_bits < 4 * d || 2 * r_bits < 4 * trial->params.error_weight) {
    fprintf(stderr, "codekem_lab: r=%u must be odd, at least 4 d and 2 t\n", r_bits);
    exit(2);
  }
  if (params->decoder == NULL || params->threshold[0] == 0) {
    fputs("codekem_lab: decoder= and threshold= are missing\n", stderr);
    exit(2);
  }
  if (params->masked_threshold == 0) {
    params->masked_threshold = (d + 1) / 2 + 1;
  }
  for (uint32_t weight = 0; weight <= r_bits; weight++) {
    if (params->threshold[weight] <= params->gray_margin) {
      fail("margin", "", "the gray threshold would not be above 0");
    }
  }
  if (settings->roulette.parts * (trial->params.error_weight + 1) > 2 * r_bits) {
    fail("group", "", "the parts of the errors would not fit into two blocks");
  }
  if (trial_problem(trial) != NULL) {
    fail("class", key_class_names[trial->key_class], trial_problem(trial));
  }
}

void lab_read_settings(struct lab_settings *settings, int count, char **words) {
  struct trial_settings *trial = &settings->params.trial;

  settings->params.gray_margin = BIKE_GRAY_MARGIN;
  settings->params.iterations = BIKE_ITERATIONS;
  settings->params.flips = 1;
  settings->count = 1;
  settings->split.particles = 1000;
  settings->split.key_moves = true;
  settings->split.most_kept = 100;
  settings->roulette.parts = 1;
  for (int i = 0; i < count; i++) {
    char *value = strchr(words[i], '=');
    if (value == NULL) {
      fail(words[i], "", "NAME=VALUE is meant");
    }
    *value++ = '\0';
    if (!read_code_word(&settings->params, words[i], value)) {
      read_run_word(settings, words[i], value);
    }
  }
  trial->params.ring = &trial->ring;
  trial->ring.words = GF2X_WORDS(trial->ring.r_bits);
  trial->ring.stride = GF2X_STRIDE(trial->ring.r_bits);
  trial->ring.bytes = GF2X_BYTES(trial->ring.r_bits);
  check(settings);
}
