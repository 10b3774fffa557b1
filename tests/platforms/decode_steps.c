/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Runs BIKE's decoder and prints what each of its steps does, for processors that Python cannot
 * load the library on.
 *
 *   decode_steps BACKEND < cases
 *
 * A case is a line: the level (1, 3 or 5), c0 in hexadecimal, the positions of h0 and then of h1.
 * For each case a line of JSON comes out, with the steps as in tests/vectors/bike/decoder.json and
 * the error found: e0 and e1 in hexadecimal. Returns 2 with a message if a line is wrong.
 */
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends.h"
#include "bike/decoder.h"
#include "codekem.h"

#define LARGEST_R_BITS 40973
#define ELEMENTS 5

static alignas(64)
    uint64_t memory[ELEMENTS * GF2X_STRIDE(LARGEST_R_BITS) + BIKE_DECODER_WORDS(LARGEST_R_BITS)];
static char line[1 << 16];

static void fail(const char *what) {
  fprintf(stderr, "decode_steps: %s\n", what);
  exit(2);
}

static const struct bike_params *params_of(const char *level) {
  switch (level == NULL ? 0 : level[0]) {
    case '1':
      return &ckem_bike_level1;
    case '3':
      return &ckem_bike_level3;
    case '5':
      return &ckem_bike_level5;
    default:
      fail("the level must be 1, 3 or 5");
      return NULL;
  }
}

static void read_element(const struct gf2x_ring *ring, uint64_t *out, const char *hex) {
  uint8_t bytes[GF2X_BYTES(LARGEST_R_BITS)];

  if (hex == NULL || strlen(hex) != 2 * (size_t)ring->bytes) {
    fail("c0 has the wrong length");
  }
  for (size_t i = 0; i < ring->bytes; i++) {
    unsigned byte = 0;
    if (sscanf(hex + 2 * i, "%2x", &byte) != 1) {
      fail("c0 is not hexadecimal");
    }
    bytes[i] = (uint8_t)byte;
  }
  ckem_gf2x_decode(ring, out, bytes);
}

/* What the observer needs. */
struct observed {
  const struct backend *backend;
  const struct gf2x_ring *ring;
  uint64_t *const *e;
  const char *separator;
};

static void print_step(void *context, const struct bike_decoder_step *step) {
  struct observed *seen = context;
  const struct gf2x_ops *ops = seen->backend->gf2x;
  const struct gf2x_ring *ring = seen->ring;

  printf(
      "%s{\"syndrome_weight_before\": %u, \"threshold\": %u, \"flips_block0\": %u, "
      "\"flips_block1\": %u, \"error_weight_after\": %u",
      seen->separator, step->syndrome_weight, step->threshold, ops->weight(ring, step->flips[0]),
      ops->weight(ring, step->flips[1]),
      ops->weight(ring, seen->e[0]) + ops->weight(ring, seen->e[1]));
  if (step->gray[0] != NULL) {
    printf(", \"gray_block0\": %u, \"gray_block1\": %u", ops->weight(ring, step->gray[0]),
           ops->weight(ring, step->gray[1]));
  }
  printf("}");
  seen->separator = ", ";
}

static void run_case(const struct backend *backend) {
  const struct bike_params *params = params_of(strtok(line, " \n"));
  const struct gf2x_ring *ring = params->ring;
  uint32_t support[2][SPARSE_MAX_POSITIONS];
  uint64_t *element[ELEMENTS];
  struct bike_decoder_key key = {.ordered = false};

  for (size_t i = 0; i < ELEMENTS; i++) {
    element[i] = memory + i * ring->stride;
  }
  read_element(ring, element[0], strtok(NULL, " \n"));
  for (int b = 0; b < 2; b++) {
    for (size_t i = 0; i < params->key_weight; i++) {
      const char *word = strtok(NULL, " \n");
      if (word == NULL) {
        fail("positions are missing");
        return;
      }
      support[b][i] = (uint32_t)strtoul(word, NULL, 10);
    }
    backend->sparse->set_positions(ring, element[1 + b], support[b], params->key_weight, 0);
    key.h[b] = element[1 + b];
    key.support[b] = support[b];
  }
  uint64_t *const e[2] = {element[3], element[4]};
  struct observed seen = {backend, ring, e, ""};
  printf("{\"steps\": [");
  ckem_bike_decode(params, backend, e, element[0], &key, print_step, &seen,
                   (struct arena){memory + ELEMENTS * ring->stride,
                                  BIKE_DECODER_WORDS(LARGEST_R_BITS)});
  printf("], \"e\": \"");
  for (int b = 0; b < 2; b++) {
    uint8_t bytes[GF2X_BYTES(LARGEST_R_BITS)];
    ckem_gf2x_encode(ring, bytes, e[b]);
    for (size_t i = 0; i < ring->bytes; i++) {
      printf("%02x", bytes[i]);
    }
  }
  printf("\"}\n");
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fail("usage: decode_steps BACKEND < cases");
  }
  if (codekem_backend_select(argv[1]) != CODEKEM_OK) {
    fail("this processor cannot run the back end");
  }
  while (fgets(line, sizeof line, stdin) != NULL) {
    run_case(ckem_backend_in_use());
  }
  return 0;
}
