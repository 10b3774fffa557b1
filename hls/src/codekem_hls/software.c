/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Runs a kernel in a process of its own: software LIBRARY BYTES...
 *
 * What the kernel prints goes nowhere. BYTES are the lengths of all arguments and of the result. Arguments come on standard input, and
 * go back on standard output with the result. Each has a guard in front and behind: an index that
 * is wrong by up to 32 bits ends the process instead of reading something else. A page is larger
 * than most arrays, so the kernel runs twice, with arrays at the begin and at the end of pages. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST = 4096 };

static uint8_t *at[MOST], *input[MOST];
static size_t bytes[MOST], pages[MOST];

static int fail(const char *what) {
  fprintf(stderr, "%s\n", what);
  return 1;
}

/* Returns a room of `all` bytes in pages and a guard beside each of `count` parts. */
static uint8_t *reserve(size_t all, size_t count, size_t *guard) {
  for (*guard = (size_t)1 << 35; *guard >= 1 << 20; *guard /= 2) {
    size_t whole = all + (count + 1) * *guard;
    uint8_t *room =
        mmap(NULL, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room != MAP_FAILED) return room;
  }
  return NULL;
}

int main(int words, char **word) {
  size_t count = (size_t)words - 2, page = (size_t)sysconf(_SC_PAGESIZE), all = 0, guard;
  FILE *out = fdopen(dup(STDOUT_FILENO), "wb");
  if (out == NULL || freopen("/dev/null", "w", stdout) == NULL) return fail("no output");
  if (words < 3 || count > MOST) return fail("usage: software LIBRARY BYTES...");
  void *library = dlopen(word[1], RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return fail(dlerror());
  void (*run)(uint8_t **) = (void (*)(uint8_t **))(uintptr_t)dlsym(library, "codekem_hls_run");
  if (run == NULL) return fail(dlerror());
  for (size_t i = 0; i < count; i++) {
    bytes[i] = strtoull(word[2 + i], NULL, 10);
    pages[i] = (bytes[i] + page - 1) / page * page;
    all += pages[i];
    input[i] = calloc(1, bytes[i] + 1);
    if (input[i] == NULL) return fail("no memory");
    if (i + 1 < count && fread(input[i], 1, bytes[i], stdin) != bytes[i]) return fail("no input");
  }
  uint8_t *room = reserve(all, count, &guard);
  if (room == NULL) return fail("no memory");
  for (int at_end = 0; at_end < 2; at_end++) {
    uint8_t *next = room + guard;
    for (size_t i = 0; i < count; i++, next += guard) {
      if (mprotect(next, pages[i], PROT_READ | PROT_WRITE) != 0) return fail("no memory");
      at[i] = at_end ? next + pages[i] - bytes[i] : next;
      memcpy(at[i], input[i], bytes[i]);
      next += pages[i];
    }
    run(at);
  }
  for (size_t i = 0; i < count; i++) {
    if (fwrite(at[i], 1, bytes[i], out) != bytes[i]) return fail("no output");
  }
  return fflush(out) == 0 ? 0 : fail("no output");
}
