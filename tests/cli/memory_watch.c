/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Preloaded into the command: when it ends, looks for a secret in all memory that the process can
 * write, and says how often it is there, in the file that MEMORY_WATCH_RESULT names.
 *
 * MEMORY_WATCH_SECRET has the bytes to look for in hexadecimal, each inverted, so that neither the
 * variable nor this library holds them.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_SECRET 64

static size_t count_in(const volatile uint8_t *start, size_t length, const uint8_t *inverted,
                       size_t secret_length) {
  size_t found = 0;

  for (size_t i = 0; i + secret_length <= length; i++) {
    size_t equal = 0;
    while (equal < secret_length && (uint8_t)(start[i + equal] ^ 0xFF) == inverted[equal]) {
      equal++;
    }
    found += equal == secret_length;
  }
  return found;
}

__attribute__((destructor)) static void look(void) {
  const char *text = getenv("MEMORY_WATCH_SECRET");
  const char *result = getenv("MEMORY_WATCH_RESULT");
  uint8_t inverted[MAX_SECRET];
  char line[512];
  size_t length = 0;
  size_t found = 0;

  if (text == NULL || result == NULL) {
    return;
  }
  for (; length < MAX_SECRET && sscanf(text + 2 * length, "%2hhx", &inverted[length]) == 1;
       length++) {
  }
  FILE *maps = fopen("/proc/self/maps", "r");
  while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
    unsigned long start, end;
    char readable, writable;
    if (sscanf(line, "%lx-%lx %c%c", &start, &end, &readable, &writable) == 4 && readable == 'r' &&
        writable == 'w' && strstr(line, "[vvar") == NULL) {
      found += count_in((const volatile uint8_t *)start, end - start, inverted, length);
    }
  }
  if (maps != NULL) {
    (void)fclose(maps);
  }
  FILE *out = fopen(result, "w");
  if (out != NULL) {
    (void)fprintf(out, "%zu\n", found);
    (void)fclose(out);
  }
}
