/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Makes a mistake that shows inside the library, so that a sanitizer can prove that it watches:
 *
 *   sanitizer_probe short-buffer | uninitialised | overflow
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codekem.h"

int main(int argc, char **argv) {
  const codekem_kem *kem = codekem_kem_find("BIKE-L1");
  const char *mistake = argc == 2 ? argv[1] : "";

  if (strcmp(mistake, "overflow") == 0) {
    return argc + INT_MAX; /* the command line is not known to the compiler */
  }
  const bool is_short = strcmp(mistake, "short-buffer") == 0;
  if (kem == NULL || (!is_short && strcmp(mistake, "uninitialised") != 0)) {
    fprintf(stderr, "usage: sanitizer_probe short-buffer|uninitialised|overflow\n");
    return 2;
  }
  uint8_t *public_key = malloc(kem->length_public_key - is_short);
  if (public_key == NULL) {
    return 2;
  }
  const codekem_status status = codekem_kem_check_public_key(kem, public_key);
  printf("not found: %s\n", codekem_status_text(status));
  free(public_key);
  return 0;
}
