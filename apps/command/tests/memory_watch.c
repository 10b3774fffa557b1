/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Preloaded into the command: when it ends, looks for a secret in all memory that the process can
 * change, and writes "found" or "nothing" into the file that MEMORY_WATCH_RESULT names.
 *
 * MEMORY_WATCH_SECRET has the bytes to look for in hexadecimal, each inverted, so that neither the
 * variable nor this library holds them. Nothing here allocates: that would overwrite what was given
 * back before.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_SECRET 64

static char maps[1 << 20]; /* the text of /proc/self/maps */
static uint8_t inverted[MAX_SECRET];
static size_t secret_length;

static int digit(char c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads the hexadecimal number at *text, and moves behind it and the character that follows. */
static uintptr_t take_number(const char **text) {
  uintptr_t value = 0;

  for (; digit(**text) >= 0; (*text)++) {
    value = value << 4 | (uintptr_t)digit(**text);
  }
  (*text)++;
  return value;
}

static size_t count_in(const uint8_t *start, size_t length) {
  size_t found = 0;

  for (size_t i = 0; i + secret_length <= length; i++) {
    size_t equal = 0;
    while (equal < secret_length && (start[i + equal] ^ 0xFF) == inverted[equal]) {
      equal++;
    }
    found += equal == secret_length;
  }
  return found;
}

static void read_maps(void) {
  const int file = open("/proc/self/maps", O_RDONLY);
  size_t length = 0;
  ssize_t got;

  while (file >= 0 && (got = read(file, maps + length, sizeof maps - 1 - length)) > 0) {
    length += (size_t)got;
  }
  maps[length] = '\0';
  close(file);
}

__attribute__((destructor)) static void look(void) {
  const char *text = getenv("MEMORY_WATCH_SECRET");
  const char *result = getenv("MEMORY_WATCH_RESULT");
  size_t found = 0;

  if (text == NULL || result == NULL) {
    return;
  }
  for (; secret_length < MAX_SECRET && text[0] != '\0'; text += 2) {
    inverted[secret_length++] = (uint8_t)(digit(text[0]) << 4 | digit(text[1]));
  }
  read_maps();
  /* Lines are "start-end rwxp ...". */
  for (const char *line = maps; *line != '\0';) {
    const uintptr_t start = take_number(&line);
    const uintptr_t end = take_number(&line);
    if (line[0] == 'r' && line[1] == 'w') {
      found += count_in((const uint8_t *)start, end - start);
    }
    line = strchr(line, '\n') + 1;
  }
  const int out = open(result, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const char *verdict = found == 0 ? "nothing" : "found";
  if (write(out, verdict, strlen(verdict)) < 0) {
    abort();
  }
  close(out);
}
