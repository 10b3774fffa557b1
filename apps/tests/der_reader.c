/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Reads lines "private HEX" or "public HEX", each a key in DER, and prints what key_der.h finds:
 * "ok OID SEED SECRET PUBLIC", with "-" for what is not there, or "error WHY". What it reads of
 * private keys it also writes in each form, and reads again: "lost" if that is another key. */
#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "key-encoding/key_der.h"

static char line[2000000];
static uint8_t der[1000000];

static int digit(char c) {
  return c <= '9' ? c - '0' : c - 'a' + 10;
}

static void print_part(struct key_der_part part) {
  (void)printf(part.start == NULL ? " -" : " ");
  for (size_t i = 0; part.start != NULL && i < part.length; i++) {
    (void)printf("%02x", part.start[i]);
  }
}

static bool is_same(struct key_der_part a, struct key_der_part b) {
  return (a.start == NULL) == (b.start == NULL) && a.length == b.length &&
         (a.start == NULL || memcmp(a.start, b.start, a.length) == 0);
}

/* Writes a key in a form and reads it again. */
static bool comes_back(const struct key_der *key, enum key_der_form form) {
  struct key_der_part secret_key = key->secret_key;
  struct key_der_part seed = key->seed;
  struct key_der again;
  size_t length = 0;
  uint8_t *written;
  bool good;

  ckem_key_der_choose(form, &secret_key, &seed);
  if (secret_key.start == NULL && seed.start == NULL) {
    return form == KEY_DER_EXPANDED && key->secret_key.start == NULL;
  }
  if (form == KEY_DER_EXPANDED ? seed.start != NULL
                               : key->seed.start != NULL && seed.start == NULL) {
    return false;
  }
  written = ckem_key_der_write_private(key->oid, secret_key, seed, &length);
  good = written != NULL && ckem_key_der_read_private(written, length, &again) &&
         is_same(again.seed, seed) && is_same(again.secret_key, secret_key) &&
         strcmp(again.oid, key->oid) == 0;
  OPENSSL_clear_free(written, length);
  return good;
}

int main(void) {
  while (fgets(line, sizeof line, stdin) != NULL) {
    const bool is_private = strncmp(line, "private ", 8) == 0;
    struct key_der key;
    size_t length = 0;

    for (const char *at = strchr(line, ' ') + 1; *at != '\n'; at += 2) {
      der[length++] = (uint8_t)(16 * digit(at[0]) + digit(at[1]));
    }
    if (!(is_private ? ckem_key_der_read_private(der, length, &key)
                     : ckem_key_der_read_public(der, length, &key))) {
      (void)printf("error %s\n", key.error);
      continue;
    }
    if (is_private && !(comes_back(&key, KEY_DER_SEED) && comes_back(&key, KEY_DER_BOTH) &&
                        comes_back(&key, KEY_DER_EXPANDED))) {
      (void)puts("lost");
      continue;
    }
    (void)printf("ok %s", key.oid);
    print_part(key.seed);
    print_part(key.secret_key);
    print_part(key.public_key);
    (void)puts("");
  }
  return 0;
}
