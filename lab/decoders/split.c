/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Multilevel splitting. Particles are keys and errors. The score of one is what its decoding shows
 * of difficulties; a failure is above every level. At each level those below it are replaced by
 * copies of those that reach it, each of these with the same expected number of copies, and all
 * move by a Markov chain that leaves the uniform distribution on what reaches the level as it is.
 * The product of the shares that reach each level is then an unbiased estimate of the rate of
 * failures, whatever the chains mix, if levels, swaps and steps do not depend on the run.
 *
 * A move swaps m positions of the error, or up to three of the key, for others, all choices being
 * as likely: so the way back is as likely as the way there.
 *
 * Nearly all proposals are refused at the higher levels, and most of those show it after the first
 * iteration: fewer positions are wrong then than with what reaches the level. So a level has a
 * gate: a number of wrong positions. A move from one side of it to the other is refused without
 * decoding on, but for one in GATE_OPENS, drawn before. Both directions are refused alike: so the
 * chain still leaves the uniform distribution as it is (a symmetric form of delayed acceptance
 * [CF05]), and reaches all that it reached.
 */
#include "split.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FAILED UINT64_MAX
#define KEY_MOVE_EVERY 4 /* one move in so many is of the key */
#define MOST_KEY_SWAPS 3
#define FIRST_SWAP 8
#define LEAST_STEPS 10
#define MOST_STEPS 200
#define STEPS_FACTOR 6
#define GATE_OPENS 16
#define GATE_SHARE 16 /* a pilot puts the gate where one in so many survivors is below */
#define RUN_SHIFT 32 /* of the number of a particle's key and error: run, particle */

struct particle {
  struct trial trial;
  uint64_t ties; /* the seed of what the decoder draws: a part of the state */
  uint64_t score;
  uint32_t middle; /* the positions wrong after the first iteration */
  uint32_t ancestor;
};

/* What one level did. */
struct level_result {
  struct split_level level;
  uint32_t survivors, ancestors;
  uint64_t proposed[2], accepted[2]; /* error, key */
};

struct splitting {
  struct bench *bench;
  const struct split_settings *settings;
  struct particle *particles, *next;
  struct lab_random random;
  uint64_t decodings;
};

static struct set taken; /* empty between uses */

static void forget(uint32_t number) {
  taken.bits[number / 64] &= ~(UINT64_C(1) << (number % 64));
}

static void score(struct splitting *split, struct particle *particle) {
  const bool found = bench_decode(split->bench, particle->trial.e, particle->ties);

  particle->score = found ? split->bench->score : FAILED;
  particle->middle = split->bench->middle;
  split->decodings += 1;
}

/* --- Moves ------------------------------------------------------------------------------------ */

/* Replaces `swaps` of list[0 .. count) by other numbers that are not in `taken`, from `next`. The
 * caller has put the list into taken. */
static void swap_some(struct splitting *split, uint32_t *list, uint32_t count, uint32_t swaps,
                      uint32_t limit) {
  for (uint32_t i = 0; i < swaps; i++) {
    const uint32_t j = i + random_below(&split->random, count - i);
    uint32_t fresh;
    do {
      fresh = random_below(&split->random, limit);
#if defined(LAB_PLANT_MOVE) /* tests plant a move whose way back is less likely */
      fresh = fresh % 3 == 0 ? fresh / 2 : fresh;
#endif
    } while (contains(&taken, fresh));
    insert(&taken, fresh);
    list[j] = list[i];
    list[i] = fresh;
  }
}

static void take_all(const uint32_t *list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    insert(&taken, list[i]);
  }
}

static void forget_all(const uint32_t *list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    forget(list[i]);
  }
}

/* Swaps positions of the part of the error that lies in the near-codeword for others of it. */
static void move_inside(struct splitting *split, struct trial *trial, uint32_t swaps,
                        const uint32_t *near, uint32_t d) {
  const uint32_t held = split->bench->params->trial.class_parameter;
  uint32_t others[TRIAL_MAX_KEY_WEIGHT];
  uint32_t count = 0;

  take_all(trial->e, held);
  for (uint32_t i = 0; i < d; i++) {
    if (!contains(&taken, near[i])) {
      others[count++] = near[i];
    }
  }
  forget_all(trial->e, held);
  for (uint32_t i = 0; i < swaps && i < count && i < held; i++) {
    const uint32_t from = i + random_below(&split->random, held - i);
    const uint32_t to = i + random_below(&split->random, count - i);
    const uint32_t fresh = others[to];
    others[to] = others[i];
    trial->e[from] = trial->e[i];
    trial->e[i] = fresh;
  }
}

static void move_error(struct splitting *split, struct trial *trial, uint32_t swaps) {
  const struct trial_settings *settings = &split->bench->params->trial;
  const uint32_t r_bits = settings->ring.r_bits, d = settings->params.key_weight;
  const uint32_t t = settings->params.error_weight;
  uint32_t near[TRIAL_MAX_KEY_WEIGHT], before[TRIAL_MAX_ERROR_WEIGHT];
  uint32_t held = 0;

  if (settings->key_class == KEY_NEAR_CODEWORD) {
    const uint32_t half = trial->distance >= r_bits;
    const uint32_t shift = trial->distance - half * r_bits;
    for (uint32_t i = 0; i < d; i++) {
      near[i] = half * r_bits + (trial->h[half][i] + shift) % r_bits;
    }
    held = settings->class_parameter;
    if (held > 0 && (held == t || random_below(&split->random, 2) == 0)) {
      move_inside(split, trial, swaps, near, d);
      return;
    }
    take_all(near, d);
  }
  memcpy(before, trial->e, sizeof before);
  take_all(before, t);
  swap_some(split, trial->e + held, t - held, swaps < t - held ? swaps : t - held, 2 * r_bits);
  forget_all(before, t);
  forget_all(trial->e, t);
  if (settings->key_class == KEY_NEAR_CODEWORD) {
    forget_all(near, d);
  }
}

static void move_key(struct splitting *split, struct trial *trial) {
  const struct trial_settings *settings = &split->bench->params->trial;
  const uint32_t r_bits = settings->ring.r_bits, d = settings->params.key_weight;
  const uint32_t swaps = 1 + random_below(&split->random, MOST_KEY_SWAPS);
  uint32_t before[TRIAL_MAX_KEY_WEIGHT];
  uint32_t half = random_below(&split->random, 2);
#if defined(LAB_PLANT_KEY) /* tests plant a move that leaves some positions and never finds them */
  const uint32_t limit = r_bits - r_bits / 4;
#else
  const uint32_t limit = r_bits;
#endif

  if (settings->key_class == KEY_NEAR_CODEWORD) { /* the half that the overlap is not with */
    half = trial->distance < r_bits;
  }
  memcpy(before, trial->h[half], sizeof before);
  take_all(before, d);
  swap_some(split, trial->h[half], d, swaps, limit);
  forget_all(before, d);
  forget_all(trial->h[half], d);
}

/* One step of the chain of one particle, whose key is on the bench; counts in *result. */
static void step(struct splitting *split, struct particle *particle, struct level_result *result) {
  static struct particle proposal;
  const uint32_t least = result->level.least;
  struct lab_gate gate = {.least = least, .low = particle->middle < least};
  const bool key = split->settings->key_moves && !split->settings->fixed_key &&
                   random_below(&split->random, KEY_MOVE_EVERY) == 0;

  proposal = *particle;
  if (key) {
    move_key(split, &proposal.trial);
    bench_set_key(split->bench, proposal.trial.h[0], proposal.trial.h[1]);
  } else {
    move_error(split, &proposal.trial, result->level.swap);
  }
  proposal.ties = random_word(&split->random);
#if defined(LAB_PLANT_GATE) /* tests plant a gate that lets in what it does not let out */
  gate.low = false;
#endif
  if (least > 0) {
    gate.open = random_below(&split->random, GATE_OPENS) == 0;
    split->bench->gate = &gate;
  }
  score(split, &proposal);
  split->bench->gate = NULL;
  result->proposed[key] += 1;
  if (!split->bench->dropped && proposal.score >= result->level.score) {
    *particle = proposal;
    result->accepted[key] += 1;
  }
  if (key) {
    bench_set_key(split->bench, particle->trial.h[0], particle->trial.h[1]);
  }
}

/* --- Levels ----------------------------------------------------------------------------------- */

static void start(struct splitting *split) {
  const struct split_settings *settings = split->settings;
  const struct lab_params *params = split->bench->params;
  static struct trial fixed;

  trial_draw(&params->trial, 0, &fixed);
  random_open(&split->random, params->trial.seed, settings->run | UINT64_C(1) << 63);
  for (uint32_t i = 0; i < settings->particles; i++) {
    struct particle *particle = &split->particles[i];
    trial_draw(&params->trial, (settings->run << RUN_SHIFT | i) + 1, &particle->trial);
    if (settings->fixed_key) {
      memcpy(particle->trial.h, fixed.h, sizeof fixed.h);
    }
    particle->ancestor = i;
    particle->ties = random_word(&split->random);
    bench_set_key(split->bench, particle->trial.h[0], particle->trial.h[1]);
    score(split, particle);
  }
}

/* Replaces all by copies of those at the level: each as often as the others, but for the rest of
 * the division, which goes to different ones by lot. Returns how many there were. */
static uint32_t resample(struct splitting *split, uint64_t level) {
  const uint32_t wanted = split->settings->particles;
  uint32_t survivors = 0;

  for (uint32_t i = 0; i < wanted; i++) {
    if (split->particles[i].score >= level) {
      if (i != survivors) {
        split->particles[survivors] = split->particles[i];
      }
      survivors += 1;
    }
  }
  if (survivors == 0) {
    return 0;
  }
  for (uint32_t i = 0; i < wanted; i++) {
    const uint32_t place = i % survivors;
    if (place == 0) { /* another round: a new order, of which the last round takes the beginning */
      for (uint32_t k = 0; k + 1 < survivors; k++) {
        const uint32_t j = k + random_below(&split->random, survivors - k);
        if (j != k) {
          static struct particle held;
          held = split->particles[k];
          split->particles[k] = split->particles[j];
          split->particles[j] = held;
        }
      }
    }
    split->next[i] = split->particles[place];
  }
  struct particle *other = split->particles;
  split->particles = split->next;
  split->next = other;
  return survivors;
}

static uint32_t count_ancestors(const struct splitting *split) {
  const uint32_t count = split->settings->particles;
  uint8_t *seen = calloc(count, 1);
  uint32_t total = 0;

  for (uint32_t i = 0; seen != NULL && i < count; i++) {
    total += seen[split->particles[i].ancestor] == 0;
    seen[split->particles[i].ancestor] = 1;
  }
  free(seen);
  return total;
}

static int by_score(const void *a, const void *b) {
  const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

  return (left < right) - (left > right);
}

/* For a pilot: the level that a quarter reaches, above the last one; FAILED if so many fail. */
static uint64_t next_level(const struct splitting *split, uint64_t last) {
  const uint32_t count = split->settings->particles;
  uint64_t *scores = malloc(count * sizeof *scores);
  uint64_t level = FAILED;

  if (scores != NULL) {
    for (uint32_t i = 0; i < count; i++) {
      scores[i] = split->particles[i].score;
    }
    qsort(scores, count, sizeof *scores, by_score);
    level = scores[count / 4];
  }
  free(scores);
  return level == FAILED || level > last ? level : last + 1;
}

/* For a pilot: swaps and steps from how often moves were accepted at the level before. */
static void adapt(struct split_level *level, const struct level_result *before) {
  level->swap = FIRST_SWAP;
  level->steps = LEAST_STEPS;
  if (before != NULL) {
    const double share = (double)(before->accepted[0] + 1) / (double)(before->proposed[0] + 1);
    level->swap = before->level.swap;
    if (share < 0.2 && level->swap > 1) {
      level->swap -= 1;
    }
    const double steps = STEPS_FACTOR / share;
    level->steps = steps < LEAST_STEPS  ? LEAST_STEPS
                   : steps > MOST_STEPS ? MOST_STEPS
                                        : (uint32_t)steps;
  }
}

static int by_middle(const void *a, const void *b) {
  const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

  return (left > right) - (left < right);
}

/* For a pilot: the gate. */
static uint32_t gate_of(const struct splitting *split) {
  const uint32_t count = split->settings->particles;
  uint32_t *middles = malloc(count * sizeof *middles);
  uint32_t least = 0;

  if (middles != NULL) {
    for (uint32_t i = 0; i < count; i++) {
      middles[i] = split->particles[i].middle;
    }
    qsort(middles, count, sizeof *middles, by_middle);
    least = middles[count / GATE_SHARE];
  }
  free(middles);
  return least;
}

static void run_level(struct splitting *split, struct level_result *result) {
  result->survivors = resample(split, result->level.score);
  result->ancestors = result->survivors > 0 ? count_ancestors(split) : 0;
  if (split->settings->adaptive && result->survivors > 0) {
    result->level.least = gate_of(split);
  }
  for (uint32_t i = 0; result->survivors > 0 && i < split->settings->particles; i++) {
    struct particle *particle = &split->particles[i];
    bench_set_key(split->bench, particle->trial.h[0], particle->trial.h[1]);
    for (uint32_t k = 0; k < result->level.steps; k++) {
      step(split, particle, result);
    }
  }
}

/* --- Output ----------------------------------------------------------------------------------- */

static void print_list(const char *name, const uint32_t *list, uint32_t count) {
  printf("\"%s\":[", name);
  for (uint32_t i = 0; i < count; i++) {
    printf("%s%u", i > 0 ? "," : "", list[i]);
  }
  putchar(']');
}

static void print_level(const struct level_result *result, bool first) {
  printf(
      "%s{\"score\":%llu,\"swap\":%u,\"steps\":%u,\"least\":%u,\"survivors\":%u,\"ancestors\":%u,"
      "\"proposed\":[%llu,%llu],\"accepted\":[%llu,%llu]}",
      first ? "" : ",", (unsigned long long)result->level.score, result->level.swap,
      result->level.steps, result->level.least, result->survivors, result->ancestors,
      (unsigned long long)result->proposed[0], (unsigned long long)result->proposed[1],
      (unsigned long long)result->accepted[0], (unsigned long long)result->accepted[1]);
  fflush(stdout);
}

/* Prints how many fail, their weights by M (index 0: those whose L is not the class's), and some
 * with key and error. */
static void print_failures(struct splitting *split) {
  const struct lab_params *params = split->bench->params;
  const uint32_t d = params->trial.params.key_weight, t = params->trial.params.error_weight;
  const struct particle *last = NULL;
  static uint64_t weights[65];
  uint32_t failures = 0, printed = 0;

  printf("\"failures\":[");
  for (uint32_t i = 0; i < split->settings->particles; i++) {
    const struct particle *p = &split->particles[i];
    if (p->score != FAILED) {
      continue;
    }
    const struct instances found =
        class_instances(params, params->trial.key_class, p->trial.h[0], p->trial.h[1], p->trial.e);
    const bool own =
        params->trial.key_class == KEY_RANDOM || found.largest == params->trial.class_parameter;
    weights[own ? (found.count < 64 ? found.count : 64) : 0] += 1;
    failures += 1;
    if (printed < split->settings->most_kept &&
        (last == NULL || memcmp(last->trial.e, p->trial.e, t * sizeof p->trial.e[0]) != 0)) {
      printf("%s{", printed > 0 ? "," : "");
      print_list("h0", p->trial.h[0], d);
      putchar(',');
      print_list("h1", p->trial.h[1], d);
      putchar(',');
      print_list("e", p->trial.e, t);
      printf(",\"ties\":\"%llu\",\"ancestor\":%u}", (unsigned long long)p->ties, p->ancestor);
      printed += 1;
      last = p;
    }
  }
  printf("],\"failed\":%u,\"weights\":[", failures);
  for (int i = 0; i < 65; i++) {
    printf("%s%llu", i > 0 ? "," : "", (unsigned long long)weights[i]);
  }
  putchar(']');
}

void split_run(struct bench *bench, const struct split_settings *settings) {
  struct splitting split = {.bench = bench, .settings = settings};
  struct level_result result, before = {0};
  const clock_t begin = clock();
  uint64_t last = 0;
  bool alive = true;
  size_t l = 0;

  split.particles = malloc(settings->particles * sizeof *split.particles);
  split.next = malloc(settings->particles * sizeof *split.next);
  if (split.particles == NULL || split.next == NULL) {
    fputs("codekem_lab: no memory for the particles\n", stderr);
    exit(2);
  }
  printf("{\"run\":%llu,\"particles\":%u,\"levels\":[", (unsigned long long)settings->run,
         settings->particles);
  start(&split);
  for (; alive && l < (settings->adaptive ? SPLIT_MAX_LEVELS : settings->level_count); l++) {
    result = (struct level_result){.level = settings->levels[l]};
    if (settings->adaptive) {
      adapt(&result.level, l > 0 ? &before : NULL);
      result.level.score = next_level(&split, last);
      if (result.level.score == FAILED) {
        break;
      }
    }
    run_level(&split, &result);
    print_level(&result, l == 0);
    alive = result.survivors > 0;
    last = result.level.score;
    before = result;
  }
  printf("],");
  if (alive) {
    print_failures(&split);
  } else {
    printf("\"failures\":[],\"failed\":0,\"weights\":[0]");
  }
  printf(",\"decodings\":%llu,\"seconds\":%.3f}\n", (unsigned long long)split.decodings,
         (double)(clock() - begin) / (double)CLOCKS_PER_SEC);
  free(split.particles);
  free(split.next);
}
