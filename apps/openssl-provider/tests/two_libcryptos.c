/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A program that is linked with a libcrypto of its own, and so meets another one as soon as it
 * loads a provider that needs the shared one. It does what its words say, one after the other, and
 * ends: what is not undone then is left to both libraries.
 *
 * usage: two_libcryptos WORD...    OPENSSL_MODULES is the folder with the provider
 *   context, no-context   use a library context of its own from here on; free it
 *   load, reload          load default and codekem; codekem once more
 *   legacy                load OpenSSL's provider "legacy", which needs the shared libcrypto, too
 *   other                 start the shared libcrypto, as another library of a process would
 *   plugin                load the library that CODEKEM_PLUGIN names, and call run() of it
 *   keygen, exchange      make a key; use it
 *   error                 let decapsulation fail
 *   free                  free the key
 *   unload, unload-first  unload codekem and default; default and codekem
 *   exit, thread          end by exit() in a function; by the end of a thread
 */
#include <dlfcn.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CIPHERTEXT 4433
#define SECRET 32

static OSSL_LIB_CTX *library;
static OSSL_PROVIDER *base, *codekem;
static EVP_PKEY *key;

static int use_context(void) {
  library = OSSL_LIB_CTX_new();
  return library != NULL;
}

static int free_context(void) {
  OSSL_LIB_CTX_free(library);
  library = NULL;
  return 1;
}

static int load(void) {
  base = OSSL_PROVIDER_load(library, "default");
  codekem = OSSL_PROVIDER_load(library, "codekem");
  return base != NULL && codekem != NULL;
}

static int reload(void) {
  return OSSL_PROVIDER_load(library, "codekem") != NULL;
}

static int load_legacy(void) {
  return OSSL_PROVIDER_load(library, "legacy") != NULL;
}

static void *find(const char *path, const char *name) {
  void *other = path == NULL ? NULL : dlopen(path, RTLD_NOW | RTLD_LOCAL);

  return other == NULL ? NULL : dlsym(other, name);
}

static int start_other(void) {
  void *found = find("libcrypto.so.3", "OPENSSL_init_crypto");
  int (*start)(uint64_t, const OPENSSL_INIT_SETTINGS *) = NULL;

  memcpy(&start, &found, sizeof start);
  return found != NULL && start != OPENSSL_init_crypto && start(0, NULL) == 1;
}

static int run_plugin(void) {
  void *found = find(getenv("CODEKEM_PLUGIN"), "run");
  int (*run)(void) = NULL;

  memcpy(&run, &found, sizeof run);
  return found != NULL && run();
}

static int keygen(void) {
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(library, "HQC-1", NULL);
  const int good = context != NULL && EVP_PKEY_keygen_init(context) == 1 &&
                   EVP_PKEY_generate(context, &key) == 1;

  EVP_PKEY_CTX_free(context);
  return good;
}

static int exchange_with(size_t length, int expected) {
  static unsigned char ciphertext[CIPHERTEXT], sent[SECRET], received[SECRET];
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(library, key, NULL);
  size_t ciphertext_length = sizeof ciphertext;
  size_t sent_length = sizeof sent;
  size_t received_length = sizeof received;
  int good = EVP_PKEY_encapsulate_init(context, NULL) == 1 &&
             EVP_PKEY_encapsulate(context, ciphertext, &ciphertext_length, sent, &sent_length) == 1;

  good = good && EVP_PKEY_decapsulate_init(context, NULL) == 1 &&
         (EVP_PKEY_decapsulate(context, received, &received_length, ciphertext, length) == 1) ==
             expected;
  EVP_PKEY_CTX_free(context);
  return good && (!expected || memcmp(sent, received, SECRET) == 0);
}

static int exchange(void) {
  return exchange_with(CIPHERTEXT, 1);
}

static int fail(void) {
  return exchange_with(CIPHERTEXT - 1, 0) && ERR_peek_error() != 0;
}

static int free_key(void) {
  EVP_PKEY_free(key);
  key = NULL;
  return 1;
}

static int unload(void) {
  return OSSL_PROVIDER_unload(codekem) == 1 && OSSL_PROVIDER_unload(base) == 1;
}

static int unload_first(void) {
  return OSSL_PROVIDER_unload(base) == 1 && OSSL_PROVIDER_unload(codekem) == 1;
}

static int end(void) {
  exit(0);
}

static void *in_thread(void *unused) {
  (void)unused;
  return keygen() && exchange() && free_key() ? &key : NULL;
}

static int end_thread(void) {
  pthread_t thread;
  void *result = NULL;

  return pthread_create(&thread, NULL, in_thread, NULL) == 0 &&
         pthread_join(thread, &result) == 0 && result != NULL;
}

static const struct {
  const char *word;
  int (*action)(void);
} actions[] = {
    {"context", use_context}, {"no-context", free_context},
    {"load", load},           {"reload", reload},
    {"legacy", load_legacy},  {"other", start_other},
    {"keygen", keygen},       {"exchange", exchange},
    {"error", fail},          {"free", free_key},
    {"unload", unload},       {"unload-first", unload_first},
    {"plugin", run_plugin},   {"exit", end},
    {"thread", end_thread},
};

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    int good = 0;
    for (size_t j = 0; j < sizeof actions / sizeof actions[0]; j++) {
      if (strcmp(argv[i], actions[j].word) == 0) {
        good = actions[j].action();
      }
    }
    if (!good) {
      (void)fprintf(stderr, "%s failed\n", argv[i]);
      ERR_print_errors_fp(stderr);
      return 2;
    }
  }
  return 0;
}
