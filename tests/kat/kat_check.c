/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Runs known answers through the public interface, with nothing but libc: for processors on which
 * the other tests cannot run. Where codekem-legacy was built, its KEMs are known, too.
 *
 * usage: kat_check BACKEND < text, the text as tools/known_answers.py describes it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codekem_legacy.h"

/* No value is longer. */
#define MAX_VALUE (CODEKEM_LEGACY_MAX_SECRET_KEY + CODEKEM_LEGACY_MAX_CIPHERTEXT)

/* A value of a case; length is 0 if the text did not give it. */
struct value {
  const char *name;
  uint8_t bytes[MAX_VALUE];
  size_t length;
};

enum { KEYPAIR_SEED, ENCAPS_SEED, PUBLIC_KEY, SECRET_KEY, CIPHERTEXT, SHARED_SECRET, VALUE_COUNT };

static struct value values[VALUE_COUNT] = {
    [KEYPAIR_SEED] = {.name = "keypair_seed"}, [ENCAPS_SEED] = {.name = "encaps_seed"},
    [PUBLIC_KEY] = {.name = "public_key"},     [SECRET_KEY] = {.name = "secret_key"},
    [CIPHERTEXT] = {.name = "ciphertext"},     [SHARED_SECRET] = {.name = "shared_secret"},
};

static unsigned long line_number;

static void fail(const char *what, const char *detail) {
  fprintf(stderr, "kat_check: line %lu: %s %s\n", line_number, what, detail);
  exit(1);
}

static unsigned hex_digit(char c) {
  static const char digits[] = "0123456789abcdef";
  const char *found = c == '\0' ? NULL : strchr(digits, c);

  if (found == NULL) {
    fail("not a hexadecimal digit", "");
    return 0;
  }
  return (unsigned)(found - digits);
}

static void read_hex(struct value *value, const char *hex) {
  value->length = strlen(hex) / 2;
  if (value->length > sizeof value->bytes || strlen(hex) % 2 != 0) {
    fail("wrong length of", value->name);
  }
  for (size_t i = 0; i < value->length; i++) {
    value->bytes[i] = (uint8_t)(hex_digit(hex[2 * i]) << 4 | hex_digit(hex[2 * i + 1]));
  }
}

/* Fails unless the text gave the value with this length. */
static const uint8_t *given(int index, size_t length) {
  if (values[index].length != length) {
    fail("wrong length of", values[index].name);
  }
  return values[index].bytes;
}

static void check_status(codekem_status status, const char *call) {
  if (status != CODEKEM_OK) {
    fail(call, codekem_status_text(status));
  }
}

static void check_equal(const uint8_t *got, int index, size_t length) {
  if (memcmp(got, given(index, length), length) != 0) {
    fail("wrong", values[index].name);
  }
}

static void run_keypair(const codekem_kem *kem) {
  static uint8_t public_key[CODEKEM_LEGACY_MAX_PUBLIC_KEY];
  static uint8_t secret_key[CODEKEM_LEGACY_MAX_SECRET_KEY];

  check_status(codekem_kem_keypair_with(
                   kem, public_key, secret_key,
                   CODEKEM_OPTIONS(.seed = given(KEYPAIR_SEED, kem->length_keypair_seed))),
               "keypair:");
  check_equal(public_key, PUBLIC_KEY, kem->length_public_key);
  check_equal(secret_key, SECRET_KEY, kem->length_secret_key);
}

static void run_encaps(const codekem_kem *kem) {
  static uint8_t ciphertext[CODEKEM_LEGACY_MAX_CIPHERTEXT];
  uint8_t shared_secret[CODEKEM_LEGACY_MAX_SHARED_SECRET];

  check_status(codekem_kem_encaps_with(
                   kem, ciphertext, shared_secret, given(PUBLIC_KEY, kem->length_public_key),
                   CODEKEM_OPTIONS(.seed = given(ENCAPS_SEED, kem->length_encaps_seed))),
               "encaps:");
  check_equal(ciphertext, CIPHERTEXT, kem->length_ciphertext);
  check_equal(shared_secret, SHARED_SECRET, kem->length_shared_secret);
}

static void run_decaps(const codekem_kem *kem) {
  uint8_t shared_secret[CODEKEM_LEGACY_MAX_SHARED_SECRET];

  check_status(codekem_kem_decaps(kem, shared_secret, given(CIPHERTEXT, kem->length_ciphertext),
                                  given(SECRET_KEY, kem->length_secret_key)),
               "decaps:");
  check_equal(shared_secret, SHARED_SECRET, kem->length_shared_secret);
}

static void run_case(const codekem_kem *kem) {
  if (kem == NULL) {
    fail("no KEM named before", "run");
    return;
  }
  if (values[KEYPAIR_SEED].length != 0) {
    run_keypair(kem);
  }
  if (values[ENCAPS_SEED].length != 0) {
    run_encaps(kem);
  }
  run_decaps(kem);
}

static void set_value(const char *name, const char *hex) {
  for (size_t i = 0; i < VALUE_COUNT; i++) {
    if (strcmp(name, values[i].name) == 0) {
      read_hex(&values[i], hex);
      return;
    }
  }
  fail("unknown name", name);
}

static const codekem_kem *start_kem(const char *name) {
  const codekem_kem *kem = codekem_kem_find(name);

#if defined(CODEKEM_HAVE_LEGACY)
  if (kem == NULL) {
    kem = codekem_legacy_kem_find(name);
  }
#endif
  if (kem == NULL) {
    fail("unknown KEM", name);
  }
  for (size_t i = 0; i < VALUE_COUNT; i++) {
    values[i].length = 0;
  }
  return kem;
}

int main(int argc, char **argv) {
  static char line[2 * MAX_VALUE + 64];
  const codekem_kem *kem = NULL;
  unsigned long cases = 0;

  if (argc != 2) {
    fprintf(stderr, "usage: kat_check BACKEND < known-answers\n");
    return 2;
  }
  check_status(codekem_backend_select(argv[1]), "backend:");
  while (fgets(line, sizeof line, stdin) != NULL) {
    line_number++;
    char *end = strchr(line, '\n');
    char *space = strchr(line, ' ');
    if (end == NULL) {
      fail("the line is too long or has no end", "");
      return 1;
    }
    *end = '\0';
    if (strcmp(line, "run") == 0) {
      run_case(kem);
      cases++;
    } else if (space == NULL) {
      fail("expected a name and a value, got", line);
    } else {
      *space = '\0';
      if (strcmp(line, "kem") == 0) {
        kem = start_kem(space + 1);
      } else {
        set_value(line, space + 1);
      }
    }
  }
  if (cases == 0) {
    fail("no cases", "");
  }
  printf("%lu cases agree (%s)\n", cases, codekem_backend_current());
  return 0;
}
