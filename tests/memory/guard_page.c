/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Calls that need more than the stack of their thread: they must end at its guard page.
 *
 *   guard_page BACKEND
 *
 * Below the guard page of a thread with 128 KiB is memory of somebody else. A child process makes
 * keys, encapsulates and decapsulates there, for every KEM. One line for each says "ran", "refused"
 * (CODEKEM_ERROR_WORKSPACE) or "stopped" (by a segmentation fault), and how many bytes behind the
 * guard page were overwritten.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "codekem.h"

#define STACK_BYTES ((size_t)128 << 10)
#define VICTIM_BYTES ((size_t)512 << 10)
#define PAINT 0x42

static const char *const names[] = {"keypair", "encaps", "decaps"};

static uint8_t public_key[CODEKEM_MAX_PUBLIC_KEY], secret_key[CODEKEM_MAX_SECRET_KEY];
static uint8_t ciphertext[CODEKEM_MAX_CIPHERTEXT], shared_secret[CODEKEM_MAX_SHARED_SECRET];
static const codekem_kem *kem;
static int operation;
static codekem_status status;

static void run(void) {
  switch (operation) {
    case 0:
      status = codekem_kem_keypair(kem, public_key, secret_key);
      break;
    case 1:
      status = codekem_kem_encaps(kem, ciphertext, shared_secret, public_key);
      break;
    default:
      status = codekem_kem_decaps(kem, shared_secret, ciphertext, secret_key);
  }
}

static void *thread_main(void *unused) {
  run();
  return unused;
}

/* What the child does: returns 0 if the call succeeded, 1 if it refused, 2 otherwise. */
static int run_in_thread(uint8_t *stack) {
  pthread_attr_t attributes;
  pthread_t thread;

  if (pthread_attr_init(&attributes) != 0 ||
      pthread_attr_setstack(&attributes, stack, STACK_BYTES) != 0 ||
      pthread_create(&thread, &attributes, thread_main, NULL) != 0 ||
      pthread_join(thread, NULL) != 0) {
    return 2;
  }
  return status == CODEKEM_OK ? 0 : status == CODEKEM_ERROR_WORKSPACE ? 1 : 2;
}

static void try_operation(uint8_t *victim, uint8_t *stack) {
  size_t overwritten = 0;
  int end = 0;

  memset(victim, PAINT, VICTIM_BYTES);
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    (void)signal(SIGSEGV, SIG_DFL);
    _exit(run_in_thread(stack));
  }
  if (child < 0 || waitpid(child, &end, 0) != child) {
    perror("guard_page");
    exit(2);
  }
  for (size_t i = 0; i < VICTIM_BYTES; i++) {
    overwritten += victim[i] != PAINT;
  }
  const int code = WIFEXITED(end) ? WEXITSTATUS(end) : 2;
  const char *how = code == 0 ? "ran" : code == 1 ? "refused" : "failed";
  if (WIFSIGNALED(end) && WTERMSIG(end) == SIGSEGV) {
    how = "stopped";
  }
  printf("%s %s %s %zu\n", kem->method_name, names[operation], how, overwritten);
}

int main(int argc, char **argv) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  uint8_t *victim = mmap(NULL, VICTIM_BYTES + page + STACK_BYTES, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS, -1, 0);

  if (argc != 2 || codekem_backend_select(argv[1]) != CODEKEM_OK || victim == MAP_FAILED ||
      mprotect(victim + VICTIM_BYTES, page, PROT_NONE) != 0) {
    fprintf(stderr, "usage: guard_page BACKEND, of which this processor has the instructions\n");
    return 2;
  }
  for (size_t i = 0; (kem = codekem_kem_at(i)) != NULL; i++) {
    operation = 0;
    run();
    operation = 1;
    run();
    for (operation = 0; operation < 3; operation++) {
      try_operation(victim, victim + VICTIM_BYTES + page);
    }
  }
  return 0;
}
