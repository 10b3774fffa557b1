/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Exchanges a secret with every KEM in a thread with a stack of 128 KiB, as musl gives it.
 *
 *   small_thread BACKEND [--fork]
 *
 * Prints a line for each KEM and operation: "plain" if the plain call worked, "workspace" if it
 * refused with CODEKEM_ERROR_WORKSPACE and the call with a workspace worked. Returns 0 if all did.
 * With --fork the calls are in a child of that thread, on its copy of the stack.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codekem.h"

#if defined(_WIN32)
#include <windows.h>
#else
#include <pthread.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#define STACK_BYTES 131072
#define MOST_WORKSPACE (CODEKEM_MAX_STACK)

static _Alignas(CODEKEM_WORKSPACE_ALIGNMENT) unsigned char workspace[MOST_WORKSPACE];
static uint8_t public_key[CODEKEM_MAX_PUBLIC_KEY], secret_key[CODEKEM_MAX_SECRET_KEY];
static uint8_t ciphertext[CODEKEM_MAX_CIPHERTEXT];
static uint8_t secrets[2][CODEKEM_MAX_SHARED_SECRET];
static int failed;
static int in_child;

/* Judges a plain call; returns true if it refused, so that the one with a workspace comes next. */
static bool refused(const codekem_kem *kem, const char *operation, codekem_status status) {
  if (status == CODEKEM_ERROR_WORKSPACE) {
    return true;
  }
  printf("%s %s plain\n", kem->method_name, operation);
  failed |= status != CODEKEM_OK;
  return false;
}

static void with_workspace(const codekem_kem *kem, const char *operation, codekem_status status) {
  printf("%s %s workspace\n", kem->method_name, operation);
  failed |= status != CODEKEM_OK;
}

static void exchange(const codekem_kem *kem) {
  if (refused(kem, "keypair", codekem_kem_keypair(kem, public_key, secret_key))) {
    with_workspace(kem, "keypair",
                   codekem_kem_keypair_with(kem, public_key, secret_key,
                                            CODEKEM_OPTIONS(.random = codekem_random_system,
                                                            .workspace = workspace,
                                                            .workspace_length = sizeof workspace)));
  }
  if (refused(kem, "encaps", codekem_kem_encaps(kem, ciphertext, secrets[0], public_key))) {
    with_workspace(kem, "encaps",
                   codekem_kem_encaps_with(kem, ciphertext, secrets[0], public_key,
                                           CODEKEM_OPTIONS(.random = codekem_random_system,
                                                           .workspace = workspace,
                                                           .workspace_length = sizeof workspace)));
  }
  if (refused(kem, "decaps", codekem_kem_decaps(kem, secrets[1], ciphertext, secret_key))) {
    with_workspace(kem, "decaps",
                   codekem_kem_decaps_with(kem, secrets[1], ciphertext, secret_key,
                                           CODEKEM_OPTIONS(.workspace = workspace,
                                                           .workspace_length = sizeof workspace)));
  }
  if (refused(kem, "check", codekem_kem_check_secret_key(kem, secret_key))) {
    with_workspace(
        kem, "check",
        codekem_kem_check_secret_key_with(kem, secret_key,
                                          CODEKEM_OPTIONS(.workspace = workspace,
                                                          .workspace_length = sizeof workspace)));
  }
  if (memcmp(secrets[0], secrets[1], kem->length_shared_secret) != 0) {
    printf("%s: the secrets differ\n", kem->method_name);
    failed = 1;
  }
}

static void exchange_all(void) {
  for (size_t i = 0; i < codekem_kem_count(); i++) {
    exchange(codekem_kem_at(i));
  }
}

#if defined(_WIN32)
static DWORD WINAPI run(void *unused) {
  (void)unused;
  exchange_all();
  return 0;
}
#else
static void *run(void *unused) {
  int end = 0;
  pid_t child = 0;

  if (in_child != 0) {
    child = fork();
  }
  if (child == 0) {
    exchange_all();
    if (in_child != 0) {
      fflush(stdout);
      _exit(failed);
    }
  } else if (waitpid(child, &end, 0) != child || !WIFEXITED(end) || WEXITSTATUS(end) != 0) {
    printf("the child failed\n");
    failed = 1;
  }
  return unused;
}
#endif

/* Returns false if there is no such thread. */
static bool run_in_small_thread(void) {
#if defined(_WIN32)
  HANDLE thread =
      CreateThread(NULL, STACK_BYTES, run, NULL, STACK_SIZE_PARAM_IS_A_RESERVATION, NULL);

  return thread != NULL && WaitForSingleObject(thread, INFINITE) == WAIT_OBJECT_0;
#else
  pthread_t thread;
  pthread_attr_t attributes;

  return pthread_attr_init(&attributes) == 0 &&
         pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0 &&
         pthread_create(&thread, &attributes, run, NULL) == 0 && pthread_join(thread, NULL) == 0;
#endif
}

int main(int argc, char **argv) {
  in_child = argc == 3 && strcmp(argv[2], "--fork") == 0;
  if (argc != 2 + in_child || codekem_backend_select(argv[1]) != CODEKEM_OK) {
    fprintf(stderr, "usage: small_thread BACKEND [--fork], with a BACKEND that runs here\n");
    return 2;
  }
  if (!run_in_small_thread()) {
    fprintf(stderr, "small_thread: no thread\n");
    return 2;
  }
  return failed;
}
