/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * What the headers promise of every public function, checked row by row of contract_calls.c: each
 * pointer missing in turn, a KEM of another scheme, a workspace that is too short or not aligned, a
 * source of randomness that fails or is stuck, hashing that is stuck, a back end that is not there.
 * A failure has its status and leaves zeros in every output; the steps after one that failed
 * refuse. Buffers have exactly the lengths that they must have, so that a sanitizer sees what goes
 * beyond.
 *
 * usage: contract_check KEM...     "SOFIA" is one; with CODEKEM_CPU=nothing: no back end
 *
 * Prints the functions that it called. Returns 0, or says what was wrong and returns 1.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codekem_legacy.h"
#include "codekem_mceliece.h"
#include "codekem_sofia.h"
#include "contract.h"

/* More than any call asks for, but one that never ends. */
#define MOST_REQUESTS 5000

struct scheme {
  const codekem_kem *kem; /* NULL: SOFIA */
  size_t public_key, secret_key, ciphertext, shared_secret, keypair_seed, encaps_seed;
  uint8_t *good_public_key, *good_secret_key, *good_ciphertext;
};

static struct scheme scheme;
static const struct function *function;
static int requests, stuck_byte; /* of the source; -1: it fails, -2: it is a good one */
const char *situation;
bool no_backend;

static void fail(const char *what) {
  fprintf(stderr, "contract_check: %s, %s, %s: %s\n",
          scheme.kem == NULL ? "SOFIA" : scheme.kem->method_name,
          function == NULL ? "-" : function->name, situation, what);
  exit(1);
}

void require(bool good, const char *what) {
  if (!good) {
    fail(what);
  }
}

static bool source(void *context, uint8_t *out, size_t length) {
  (void)context;
  require(++requests <= MOST_REQUESTS, "asks a source that is stuck without end");
  for (size_t i = 0; i < length; i++) {
    out[i] = stuck_byte == -2 ? (uint8_t)(rand() >> 7) : (uint8_t)stuck_byte;
  }
  return stuck_byte != -1;
}

/* --- Buffers ---------------------------------------------------------------------------------- */

static void *allocate(size_t length) {
  const size_t step = CODEKEM_WORKSPACE_ALIGNMENT;
  void *memory = aligned_alloc(step, (length + step - 1) / step * step);

  require(memory != NULL, "out of memory");
  return memory;
}

static bool is_batched(char letter) {
  return strchr("PSCHcke", letter) != NULL;
}

static size_t length_of(char letter, const struct function *row) {
  const size_t count = is_batched(letter) ? row->operations : 1;
  const size_t mceliece_row = scheme.kem == NULL || codekem_mceliece_rows(scheme.kem) == 0
                                  ? 0
                                  : scheme.public_key / codekem_mceliece_rows(scheme.kem);

  switch (letter) {
    case 'P':
    case 'p':
      return count * scheme.public_key;
    case 'S':
    case 's':
      return count * scheme.secret_key;
    case 'C':
    case 'c':
      return count * scheme.ciphertext;
    case 'H':
      return count * scheme.shared_secret;
    case 'k':
      return count * scheme.keypair_seed;
    case 'e':
      return count * scheme.encaps_seed;
    case 'M':
    case 'm':
      return without_scheme(codekem_mceliece_prepared_length(scheme.kem));
    case 'R':
    case 't':
      return without_scheme(codekem_mceliece_rows_length(scheme.kem));
    case 'Q':
      return mceliece_row;
    case 'E':
    case 'u':
      return sizeof(codekem_mceliece_encapsulation);
    case 'x':
      return CODEKEM_MCELIECE_SHORT_SECRET_KEY;
    case 'z':
      return MESSAGE;
    case 'w':
    case 'v':
      return row->workspace == NULL ? 0 : row->workspace(scheme.kem);
    default:
      return 1; /* a function, or a piece of one byte */
  }
}

/* Does the steps before the one that takes what this letter stands for. */
static void prepare(char letter, void *buffer, size_t length) {
  const size_t needed = scheme.kem == NULL ? 0 : scheme.kem->length_check_workspace;
  uint8_t *workspace = strchr("mt", letter) == NULL ? NULL : allocate(needed);
  uint8_t seed[CODEKEM_MAX_KEYPAIR_SEED] = {0};
  codekem_status status = CODEKEM_OK;

  if (letter == 'u') {
    status = codekem_mceliece_encaps_begin_derand(scheme.kem, buffer, seed);
  } else if (letter == 'm') {
    status = codekem_mceliece_prepare_secret_key(scheme.kem, buffer, length, scheme.good_secret_key,
                                                 workspace, needed);
  } else if (letter == 't') {
    status = codekem_mceliece_rows_begin(scheme.kem, buffer, length, scheme.good_secret_key,
                                         workspace, needed);
  }
  require(status == CODEKEM_OK || no_backend, "a step before does not work");
  free(workspace);
}

/* Fills an input with what is right for it, an output with dirt. */
static void fill(char letter, uint8_t *buffer, size_t length) {
  const uint8_t *good = letter == 'p'                    ? scheme.good_public_key
                        : letter == 's' || letter == 'x' ? scheme.good_secret_key
                        : letter == 'c'                  ? scheme.good_ciphertext
                                                         : NULL;

  memset(buffer, letter >= 'a' && letter <= 'z' ? 0 : DIRT, length);
  if (letter == 'E') {
    /* As a program has it: not set, and full of something. */
    memset(buffer, 0x5A, length);
  }
  for (size_t i = 0, left = length; good != NULL && left > 0; i++) {
    const size_t one = letter == 'c' ? scheme.ciphertext : length;
    memcpy(buffer + i * one, good, one);
    left -= one;
  }
  prepare(letter, buffer, length);
}

/* --- One call --------------------------------------------------------------------------------- */

struct call {
  void *arguments[MAX_ARGUMENTS];
  void *blocks[MAX_ARGUMENTS];
};

static struct call open_call(void) {
  struct call call = {.arguments = {NULL}};

  for (size_t i = 0; function->arguments[i] != '\0'; i++) {
    const char letter = function->arguments[i];
    const size_t length = length_of(letter, function);
    if (letter != 'K') {
      call.blocks[i] = allocate(length);
      fill(letter, call.blocks[i], length);
    }
  }
  for (size_t i = 0; function->arguments[i] != '\0'; i++) {
    call.arguments[i] =
        function->arguments[i] == 'K' ? (void *)(uintptr_t)scheme.kem : call.blocks[i];
  }
  if (function->prepare != NULL) {
    function->prepare(call.arguments);
  }
  contract_workspace_length = length_of('w', function);
  contract_source = source;
  requests = 0;
  return call;
}

/* Every output that the call had is zero; of an encapsulation only the KEM is left. */
static void require_zeros(const struct call *call) {
  for (size_t i = 0; function->arguments[i] != '\0'; i++) {
    const char letter = function->arguments[i];
    const uint8_t *output = call->arguments[i];
    const size_t skipped = letter == 'E' ? sizeof(void *) : 0;
    if (letter < 'A' || letter > 'Z' || letter == 'K' || output == NULL) {
      continue;
    }
    for (size_t k = skipped; k < length_of(letter, function); k++) {
      require(output[k] == 0, "an output is not zeroed");
    }
  }
}

static void close_call(struct call *call) {
  for (size_t i = 0; i < MAX_ARGUMENTS; i++) {
    free(call->blocks[i]);
  }
}

/* Calls with what the caller has changed; want -1: any status. */
static void try(struct call *call, const char *what, int want) {
  situation = what;
  const int status = function->run(call->arguments);
  if (want >= 0 && status != want && !(no_backend && status == CODEKEM_ERROR_BACKEND)) {
    fprintf(stderr, "status %d for %d\n", status, want);
    fail("wrong status");
  }
  if (status != CODEKEM_OK) {
    require_zeros(call);
  }
  close_call(call);
}

/* --- The situations --------------------------------------------------------------------------- */

static size_t place_of(char letter) {
  const char *found = strchr(function->arguments, letter);
  return found == NULL ? MAX_ARGUMENTS : (size_t)(found - function->arguments);
}

/* Functions that only look at bytes need no back end; keys of Classic McEliece no stack holds, and
 * the signature of `verifying` is none. */
static int status_of_good_call(void) {
  const bool mceliece = scheme.kem != NULL && codekem_mceliece_rows(scheme.kem) != 0;
  const char *name = function->name;

  if (strcmp(name, "codekem_sofia_verify_finish") == 0) {
    return CODEKEM_SOFIA_ERROR_SIGNATURE;
  }
  if (strcmp(name, "codekem_mceliece_encaps_end") == 0) {
    return CODEKEM_ERROR_PUBLIC_KEY; /* none was absorbed */
  }
  if (mceliece && function->workspace == NULL &&
      (strstr(name, "keypair") != NULL || strstr(name, "secret_key") != NULL ||
       strstr(name, "derive") != NULL)) {
    return CODEKEM_ERROR_WORKSPACE;
  }
  return CODEKEM_OK;
}

/* The status of a call without the argument that this letter stands for: what is an option may be
 * missing, but not a workspace that has a length. */
static int status_without(char letter) {
  if (!function->has_options || strchr("kerw", letter) == NULL) {
    return CODEKEM_ERROR_NULL;
  }
  return letter == 'w' ? (int)CODEKEM_ERROR_OPTIONS : status_of_good_call();
}

static void check_pointers(void) {
  struct call call = open_call();
  const bool sequel = function->prepare != NULL;
  const bool reads_only = strstr(function->name, "check_public") != NULL ||
                          strstr(function->name, "check_ciphertext") != NULL;

  stuck_byte = -2;
  try(&call, "all is there",
      !no_backend ? status_of_good_call()
      : reads_only || sequel || strpbrk(function->arguments, "umt") != NULL
          ? -1
          : CODEKEM_ERROR_BACKEND);
  for (size_t i = 0; function->arguments[i] != '\0'; i++) {
    const char text[] = {'N', 'U', 'L', 'L', ' ', 'f', 'o', 'r', ' ', function->arguments[i], 0};
    call = open_call();
    call.arguments[i] = NULL;
    if (strchr("Ku", function->arguments[i]) != NULL) { /* nothing says how long outputs are */
      situation = text;
      const int status = function->run(call.arguments);
      require(status == CODEKEM_ERROR_NULL || (no_backend && status == CODEKEM_ERROR_BACKEND),
              "wrong status");
      close_call(&call);
    } else {
      try(&call, text, no_backend ? -1 : status_without(function->arguments[i]));
    }
  }
}

static void check_workspace(void) {
  const size_t w = place_of('w');

  if (w < MAX_ARGUMENTS && !no_backend) {
    struct call call = open_call();
    contract_workspace_length -= 1;
    try(&call, "a short workspace", CODEKEM_ERROR_WORKSPACE);
    call = open_call();
    call.arguments[w] = (uint8_t *)call.arguments[w] + 8;
    contract_workspace_length -= 8;
    try(&call, "a workspace that is not aligned", CODEKEM_ERROR_WORKSPACE);
  }
}

static void check_source(void) {
  static const int bytes[] = {0, 0xFF, 0x5A, 1};

  if (place_of('r') < MAX_ARGUMENTS && !no_backend) {
    struct call call = open_call();
    stuck_byte = -1;
    try(&call, "a source that fails",
        status_of_good_call() == CODEKEM_OK || function->workspace ? CODEKEM_ERROR_RANDOM : -1);
    for (size_t i = 0; i < sizeof bytes / sizeof bytes[0]; i++) {
      call = open_call();
      stuck_byte = bytes[i];
      try(&call, "a source that is stuck", -1);
    }
  }
}

/* What draws from a seed by rejection ends, too, if hashes are all zeros or all ones. */
static void check_stuck_hashing(void) {
  /* Batches of a KEM without batches of its own are slow: one call after the other. */
  const bool skipped =
      scheme.kem != NULL && codekem_mceliece_rows(scheme.kem) != 0 && function->operations > 1;

  for (int ones = 0; ones < 2 && !no_backend && !skipped; ones++) {
    struct call call = open_call();
    stuck_byte = -2;
    contract_stuck_byte = ones == 0 ? 0 : 0xFF;
    try(&call, "hashing that is stuck", -1);
    contract_stuck_byte = -1;
  }
}

/* The functions of codekem_mceliece.h with a KEM they do not know; buffers have its lengths. */
static void check_other_scheme(void) {
  const struct scheme own = scheme;
  const codekem_kem *bike = codekem_kem_at(0);

  if (place_of('K') < MAX_ARGUMENTS && strpbrk(function->arguments, "tm") == NULL) {
    struct call call = open_call();
    close_call(&call);
    scheme.kem = bike;
    scheme.public_key = bike->length_public_key;
    scheme.secret_key = bike->length_secret_key;
    scheme.ciphertext = bike->length_ciphertext;
    scheme.shared_secret = bike->length_shared_secret;
    scheme.good_public_key = scheme.good_secret_key = scheme.good_ciphertext = NULL;
    call = open_call();
    try(&call, "a KEM of another scheme", no_backend ? -1 : CODEKEM_ERROR_NULL);
    scheme = own;
  }
}

static void check_functions(const struct function *rows, size_t count, bool of_one_scheme) {
  for (size_t i = 0; i < count; i++) {
    function = &rows[i];
    check_pointers();
    check_workspace();
    check_source();
    check_stuck_hashing();
    if (of_one_scheme) {
      check_other_scheme();
    }
    printf("%s\n", function->name);
  }
  function = NULL;
}

/* --- All of it -------------------------------------------------------------------------------- */

static const codekem_kem *find(const char *name) {
  const codekem_kem *kem = codekem_kem_find(name);

  kem = kem == NULL ? codekem_legacy_kem_find(name) : kem;
  return kem == NULL ? codekem_mceliece_kem_find(name) : kem;
}

/* Makes an exchange, whose keys and ciphertext are good inputs. */
static void open_scheme(const codekem_kem *kem) {
  uint8_t secret[CODEKEM_LEGACY_MAX_SHARED_SECRET];

  scheme = (struct scheme){kem,
                           kem->length_public_key,
                           kem->length_secret_key,
                           kem->length_ciphertext,
                           kem->length_shared_secret,
                           kem->length_keypair_seed,
                           kem->length_encaps_seed,
                           calloc(1, kem->length_public_key),
                           calloc(1, kem->length_secret_key),
                           calloc(1, kem->length_ciphertext)};
  uint8_t *workspace = allocate(kem->length_keypair_workspace);
  static const uint8_t seed[CODEKEM_LEGACY_MAX_KEYPAIR_SEED] = {1};
  situation = "an exchange";
  memset(workspace, 0, kem->length_keypair_workspace);
  if (!no_backend) {
    require(codekem_kem_keypair_with(
                kem, scheme.good_public_key, scheme.good_secret_key,
                CODEKEM_OPTIONS(.seed = seed, .workspace = workspace,
                                .workspace_length = kem->length_keypair_workspace)) == CODEKEM_OK &&
                codekem_kem_encaps_with(kem, scheme.good_ciphertext, secret, scheme.good_public_key,
                                        CODEKEM_OPTIONS(.seed = seed)) == CODEKEM_OK,
            "it failed");
  }
  free(workspace);
}

static void open_sofia(void) {
  static uint8_t signature[CODEKEM_SOFIA_SIGNATURE], public_key[CODEKEM_SOFIA_PUBLIC_KEY];
  static uint8_t secret_key[CODEKEM_SOFIA_SECRET_KEY], message[MESSAGE];

  scheme = (struct scheme){NULL,
                           CODEKEM_SOFIA_PUBLIC_KEY,
                           CODEKEM_SOFIA_SECRET_KEY,
                           CODEKEM_SOFIA_SIGNATURE,
                           0,
                           CODEKEM_SOFIA_KEYPAIR_SEED,
                           0,
                           public_key,
                           secret_key,
                           signature};
  situation = "a signature";
  if (!no_backend) {
    require(codekem_sofia_keypair(public_key, secret_key) == CODEKEM_SOFIA_OK &&
                codekem_sofia_sign(signature, message, MESSAGE, secret_key) == CODEKEM_SOFIA_OK,
            "it failed");
  }
}

static void check_kem(const codekem_kem *kem) {
  open_scheme(kem);
  check_functions(ckem_kem_functions, kem_function_count, false);
  if (codekem_mceliece_rows(kem) != 0) {
    check_functions(mceliece_functions, mceliece_function_count, true);
    for (int way = 0; way < 6 && !no_backend; way++) {
      check_encapsulation(kem, way);
    }
  }
  free(scheme.good_public_key);
  free(scheme.good_secret_key);
  free(scheme.good_ciphertext);
}

int main(int argc, char **argv) {
  no_backend = codekem_backend_current() == NULL;
  check_rest();
  for (int i = 1; i < argc; i++) {
    const codekem_kem *kem = find(argv[i]);
    if (kem != NULL) {
      check_kem(kem);
    } else {
      situation = argv[i];
      require(strcmp(argv[i], "SOFIA") == 0, "no such KEM");
      open_sofia();
      check_functions(sofia_functions, sofia_function_count, false);
      check_sofia_steps(64, scheme.good_secret_key, CODEKEM_SOFIA_SIGNATURE);
      check_sofia_steps(CODEKEM_SOFIA_SIGN_WORKSPACE, NULL, CODEKEM_SOFIA_SIGNATURE);
    }
  }
  return 0;
}
