/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Does what tests/sofia_program.py asks for, one line after the other, with nothing but libc:
 * it also runs on emulated processors.
 *
 * usage: sofia_check BACKEND
 *
 * A line is a letter and numbers; the bytes that it announces follow it. Answers are bytes.
 *   k                      seed[32] to public key
 *   s MESSAGE PART         secret key, message[MESSAGE] to signature; with PART > 0 by the steps,
 *                          in parts of that many bytes the first time, and of one more then
 *   r MESSAGE              secret key, randomness[3 438 32], message to signature
 *   v MESSAGE LENGTH PART  public key, message, signature[LENGTH] to the status in one byte
 *   f                      seed of F to F
 *   e COUNT POLAR          seed of F, x[COUNT], y[POLAR], z[POLAR] to F(x), G(y, z), and F(x) again
 *                          by single polynomials
 *   c LENGTH               stream[LENGTH] to alpha[438], bit[438]
 */
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(_WIN32)
#include <fcntl.h>
#include <io.h>
#endif

#include "backends.h"
#include "codekem_sofia.h"
#include "sofia/sofia.h"

enum { VECTORS = SOFIA_ROUNDS * SOFIA_VECTOR_BYTES };

static alignas(64) uint8_t workspace[CODEKEM_SOFIA_SIGN_WORKSPACE];
static uint8_t signature[CODEKEM_SOFIA_SIGNATURE + 4096];
static uint8_t *message;
static size_t message_length;

static _Noreturn void fail(const char *what) {
  fprintf(stderr, "sofia_check: %s\n", what);
  exit(1);
}

static void check_status(codekem_sofia_status status) {
  if (status != CODEKEM_SOFIA_OK) {
    fail(codekem_sofia_status_text(status));
  }
}

static void get(uint8_t *bytes, size_t length) {
  if (length > 0 && fread(bytes, 1, length, stdin) != length) {
    fail("the input ends too early");
  }
}

static void put(const void *bytes, size_t length) {
  if (fwrite(bytes, 1, length, stdout) != length || fflush(stdout) != 0) {
    fail("cannot write");
  }
}

static void get_message(size_t length) {
  free(message);
  message = malloc(length + 1);
  message_length = length;
  if (message == NULL) {
    fail("out of memory");
  }
  get(message, length);
}

/* One run over the message in parts. */
static void update(codekem_sofia_status (*step)(void *, const uint8_t *, size_t), size_t part) {
  for (size_t done = 0; done < message_length; done += part) {
    const size_t rest = message_length - done;
    check_status(step(workspace, message + done, rest < part ? rest : part));
  }
}

static void run_keypair(void) {
  uint8_t seed[CODEKEM_SOFIA_KEYPAIR_SEED], public_key[CODEKEM_SOFIA_PUBLIC_KEY];
  uint8_t secret_key[CODEKEM_SOFIA_SECRET_KEY];

  get(seed, sizeof seed);
  check_status(codekem_sofia_keypair_derand(public_key, secret_key, seed));
  if (memcmp(secret_key, seed, sizeof seed) != 0) {
    fail("the secret key is not the seed");
  }
  put(public_key, sizeof public_key);
}

static void run_sign(size_t length, size_t part) {
  uint8_t secret_key[CODEKEM_SOFIA_SECRET_KEY];

  get(secret_key, sizeof secret_key);
  get_message(length);
  if (part == 0) {
    check_status(codekem_sofia_sign(signature, message, length, secret_key));
  } else {
    check_status(codekem_sofia_sign_start(workspace, sizeof workspace, secret_key));
    update(codekem_sofia_sign_update, part);
    check_status(codekem_sofia_sign_again(workspace));
    update(codekem_sofia_sign_update, part + 1);
    check_status(codekem_sofia_sign_finish(workspace, signature));
  }
  put(signature, CODEKEM_SOFIA_SIGNATURE);
}

static void run_sign_with_randomness(size_t length) {
  struct sofia_signing *signing = (void *)workspace;
  uint8_t secret_key[CODEKEM_SOFIA_SECRET_KEY];

  get(secret_key, sizeof secret_key);
  ckem_sofia_sign_begin(signing, ckem_backend_in_use(), secret_key);
  get(signing->r0[0], VECTORS);
  get(signing->t0[0], VECTORS);
  get(signing->e0[0], VECTORS);
  get_message(length);
  ckem_sofia_sign_commit(signing);
  ckem_sofia_sign_absorb(signing, message, length, true);
  ckem_sofia_sign_write(signing, signature);
  put(signature, CODEKEM_SOFIA_SIGNATURE);
}

static codekem_sofia_status verify_in_parts(const uint8_t *public_key, size_t length, size_t part) {
  const codekem_sofia_status status =
      codekem_sofia_verify_start(workspace, sizeof workspace, signature, length, public_key);

  if (status != CODEKEM_SOFIA_OK) {
    return status;
  }
  update(codekem_sofia_verify_update, part);
  return codekem_sofia_verify_finish(workspace);
}

static void run_verify(size_t length, size_t signature_length, size_t part) {
  uint8_t public_key[CODEKEM_SOFIA_PUBLIC_KEY];

  if (signature_length > sizeof signature) {
    fail("the signature is too long for this program");
  }
  get(public_key, sizeof public_key);
  get_message(length);
  get(signature, signature_length);
  const codekem_sofia_status status =
      part == 0 ? codekem_sofia_verify(message, length, signature, signature_length, public_key)
                : verify_in_parts(public_key, signature_length, part);
  const uint8_t answer = (uint8_t)status;
  put(&answer, 1);
}

/* F of a seed that is read. */
static struct sofia_system *get_system(void) {
  struct sofia_system *system = (void *)workspace;
  uint8_t seed[SOFIA_SEED_BYTES];

  get(seed, sizeof seed);
  ckem_sofia_expand(ckem_backend_in_use()->keccak, system->polynomials, seed);
  return system;
}

/* Writes F(x) polynomial by polynomial. */
static void put_single_values(const struct mq4_ops *ops, const uint8_t *system, const uint8_t *x) {
  uint64_t monomials[MQ4_MONOMIAL_WORDS];
  sofia_vector value = {0};

  ckem_mq4_monomials(monomials, x);
  for (size_t k = 0; k < MQ4_VARIABLES; k++) {
    const uint32_t v = ops->value(monomials, system + k * MQ4_POLYNOMIAL_BYTES);
    value[k / 8] |= (uint8_t)((v & 1) << k % 8);
    value[MQ4_PLANE_BYTES + k / 8] |= (uint8_t)((v >> 1) << k % 8);
  }
  put(value, sizeof value);
}

static void run_evaluate(size_t count, size_t polar) {
  static uint8_t x[MQ4_MOST_PLACES][32], y[MQ4_MOST_PLACES][32], z[MQ4_MOST_PLACES][32];
  static uint8_t values[MQ4_MOST_PLACES][32], polar_values[MQ4_MOST_PLACES][32];
  struct sofia_system *system = get_system();
  const struct mq4_ops *ops = ckem_mq4_ops_of(ckem_backend_in_use());
  const struct mq4_places places = {x[0], values[0], count, y[0], z[0], polar_values[0], polar};

  if (count > MQ4_MOST_PLACES || polar > MQ4_MOST_PLACES) {
    fail("too many places");
  }
  get(x[0], 32 * count);
  get(y[0], 32 * polar);
  get(z[0], 32 * polar);
  ops->evaluate(&places, system->polynomials, system->scratch);
  put(values, 32 * count);
  put(polar_values, 32 * polar);
  for (size_t i = 0; i < count; i++) {
    put_single_values(ops, system->polynomials, x[i]);
  }
}

static size_t stream_left;

static void next_of_stream(void *context, uint8_t *out, size_t length) {
  (void)context;
  if (length > stream_left) {
    fail("the sampler reads more than it needs");
  }
  get(out, length);
  stream_left -= length;
}

static void run_challenges(size_t length) {
  struct sofia_challenges challenges;
  uint8_t rest[1];

  stream_left = length;
  if (!ckem_sofia_sample_challenges(&challenges, next_of_stream, NULL)) {
    fail("the sampler gave up");
  }
  for (; stream_left > 0; stream_left--) {
    get(rest, 1);
  }
  put(challenges.alpha, sizeof challenges.alpha);
  put(challenges.bit, sizeof challenges.bit);
}

static void run_line(const char *line) {
  size_t a = 0, b = 0, c = 0;
  char letter = 0;

  (void)sscanf(line, "%c %zu %zu %zu", &letter, &a, &b, &c);
  switch (letter) {
    case 'k':
      run_keypair();
      break;
    case 's':
      run_sign(a, b);
      break;
    case 'r':
      run_sign_with_randomness(a);
      break;
    case 'v':
      run_verify(a, b, c);
      break;
    case 'f':
      put(get_system()->polynomials, MQ4_SYSTEM_BYTES);
      break;
    case 'e':
      run_evaluate(a, b);
      break;
    case 'c':
      run_challenges(a);
      break;
    default:
      fail("unknown request");
  }
}

int main(int argc, char **argv) {
  char line[80];

#if defined(_WIN32)
  (void)_setmode(_fileno(stdin), _O_BINARY);
  (void)_setmode(_fileno(stdout), _O_BINARY);
#endif
  if (argc != 2) {
    fail("usage: sofia_check BACKEND");
  }
  if (codekem_backend_select(argv[1]) != CODEKEM_OK) {
    fprintf(stderr, "sofia_check: no back end %s here\n", argv[1]);
    return 77;
  }
  while (fgets(line, sizeof line, stdin) != NULL) {
    run_line(line);
  }
  free(message);
  return 0;
}
