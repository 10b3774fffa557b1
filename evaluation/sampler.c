/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Takes raw samples of one KEM on one implementation and prints them as JSON: one batch of
 * exchanges, or the stack that each operation takes, or the clocks of this machine.
 *
 *   codekem-sampler times KEM IMPLEMENTATION MILLISECONDS MOST
 *   codekem-sampler stack KEM IMPLEMENTATION
 *   codekem-sampler clock
 *
 * IMPLEMENTATION is a back end of codekem, or the path of a shared library with the functions of
 * NIST's API (crypto_kem_keypair, crypto_kem_enc, crypto_kem_dec); a path has a slash. What such a
 * library prints goes to stderr, randombytes is there for it, and writing more than codekem's
 * lengths of public keys and ciphertexts is an error; the rest is a library's own affair.
 * A batch is a process of its own, so that the spread includes the effect of where memory happens
 * to lie; its first exchange warms the caches and is not kept, unless it alone takes longer than
 * the batch.
 * Where the scheduler took the processor away in the middle of an operation, the time that the
 * thread had it is given instead; "waited" says how often.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "codekem.h"
#ifdef CODEKEM_HAVE_LEGACY
#include "codekem_legacy.h"
#endif
#ifdef CODEKEM_HAVE_MCELIECE
#include "codekem_mceliece.h"
#endif

#if defined(__x86_64__)
#include <x86intrin.h>
#define HAVE_CYCLES 1
static uint64_t cycles(void) {
  _mm_lfence();
  const uint64_t now = __rdtsc();
  _mm_lfence();
  return now;
}
#else
#define HAVE_CYCLES 0
static uint64_t cycles(void) {
  return 0;
}
#endif

enum {
  OPERATIONS = 3,
  MOST_SAMPLES = 100000,
  STACK_BYTES = 16 << 20,
  SLACK = 1 << 16,
  MARK = 0xa5
};
static const char *const operation_names[OPERATIONS] = {"keygen", "encaps", "decaps"};

/* One KEM on one implementation, and the buffers of an exchange. */
struct subject {
  const codekem_kem *kem;
  int (*keypair)(unsigned char *pk, unsigned char *sk); /* NULL: codekem itself */
  int (*encaps)(unsigned char *ct, unsigned char *ss, const unsigned char *pk);
  int (*decaps)(unsigned char *ss, const unsigned char *ct, const unsigned char *sk);
  unsigned char *pk, *sk, *ct, *ss[2];
  void *workspace; /* of codekem, where keys are not made on the stack; otherwise NULL */
  size_t workspace_length;
};

static _Noreturn void fail(const char *what) {
  fprintf(stderr, "codekem-sampler: error: %s\n", what);
  exit(1);
}

static uint64_t clock_now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint64_t nanoseconds(void) {
  return clock_now(CLOCK_MONOTONIC);
}

static void *allocate(size_t length) {
  void *memory = calloc(1, length);
  if (memory == NULL) {
    fail("out of memory");
  }
  return memory;
}

/* Returns a buffer with SLACK marked bytes behind it. */
static unsigned char *allocate_marked(size_t length) {
  unsigned char *memory = allocate(length + SLACK);
  memset(memory + length, MARK, SLACK);
  return memory;
}

static void check_marks(const unsigned char *memory, size_t length, const char *what) {
  size_t written = length + SLACK;
  while (written > length && memory[written - 1] == MARK) {
    written--;
  }
  if (written > length) {
    fprintf(stderr, "codekem-sampler: error: it wrote %zu bytes of a %s, codekem's has %zu\n",
            written, what, length);
    exit(1);
  }
}

/* What reference packages of NIST's contest leave to the program. */
__attribute__((visibility("default"))) int randombytes(unsigned char *bytes,
                                                       unsigned long long length);
int randombytes(unsigned char *bytes, unsigned long long length) {
  while (length > 0) {
    const ssize_t got = getrandom(bytes, length < 256 ? length : 256, 0);
    if (got <= 0) {
      fail("the system gives no random bytes");
    }
    bytes += got;
    length -= (unsigned long long)got;
  }
  return 0;
}

/* Until the results are printed, what others print goes to stderr. */
static int hide_stdout(void) {
  const int kept = dup(STDOUT_FILENO);
  if (kept < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
    fail("cannot redirect the output");
  }
  return kept;
}

static void show_stdout(int kept) {
  if (fflush(stdout) != 0 || dup2(kept, STDOUT_FILENO) < 0) {
    fail("cannot redirect the output");
  }
}

/* Takes the three functions from a shared library. */
static void open_library(struct subject *s, const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    fail(dlerror());
  }
  *(void **)&s->keypair = dlsym(library, "crypto_kem_keypair");
  *(void **)&s->encaps = dlsym(library, "crypto_kem_enc");
  *(void **)&s->decaps = dlsym(library, "crypto_kem_dec");
  if (s->keypair == NULL || s->encaps == NULL || s->decaps == NULL) {
    fail("the library lacks crypto_kem_keypair, crypto_kem_enc or crypto_kem_dec");
  }
  void (*prepare)(void);
  *(void **)&prepare = dlsym(library, "cpu_features_init"); /* bike-kem wants this call */
  if (prepare != NULL) {
    prepare();
  }
}

static void open_subject(struct subject *s, const char *name, const char *implementation) {
  s->kem = codekem_kem_find(name);
#ifdef CODEKEM_HAVE_LEGACY
  if (s->kem == NULL) {
    s->kem = codekem_legacy_kem_find(name);
  }
#endif
#ifdef CODEKEM_HAVE_MCELIECE
  if (s->kem == NULL) {
    s->kem = codekem_mceliece_kem_find(name);
  }
#endif
  if (s->kem == NULL) {
    fail("no such KEM");
  }
  if (s->kem->length_keypair_workspace > CODEKEM_MAX_STACK) {
    const size_t unit = CODEKEM_WORKSPACE_ALIGNMENT;
    s->workspace_length = (s->kem->length_keypair_workspace + unit - 1) / unit * unit;
    s->workspace = aligned_alloc(unit, s->workspace_length);
    if (s->workspace == NULL) {
      fail("out of memory");
    }
  }
  if (strchr(implementation, '/') != NULL) {
    open_library(s, implementation);
  } else if (codekem_backend_select(implementation) != CODEKEM_OK) {
    fail("this processor or build lacks that back end");
  }
  s->pk = allocate_marked(s->kem->length_public_key);
  s->sk = allocate_marked(s->kem->length_secret_key);
  s->ct = allocate_marked(s->kem->length_ciphertext);
  s->ss[0] = allocate_marked(s->kem->length_shared_secret);
  s->ss[1] = allocate_marked(s->kem->length_shared_secret);
}

static int own_keypair(struct subject *s) {
  return (int)codekem_kem_keypair_with(s->kem, s->pk, s->sk,
                                       CODEKEM_OPTIONS(.workspace = s->workspace,
                                                       .workspace_length = s->workspace_length));
}

/* Does operation 0, 1 or 2. */
static void operate(struct subject *s, int operation) {
  int bad = 0;
  switch (operation) {
    case 0:
      bad = s->keypair ? s->keypair(s->pk, s->sk) : own_keypair(s);
      break;
    case 1:
      bad = s->encaps ? s->encaps(s->ct, s->ss[0], s->pk)
                      : (int)codekem_kem_encaps(s->kem, s->ct, s->ss[0], s->pk);
      break;
    default:
      bad = s->decaps ? s->decaps(s->ss[1], s->ct, s->sk)
                      : (int)codekem_kem_decaps(s->kem, s->ss[1], s->ct, s->sk);
  }
  if (bad != 0) {
    fail("an operation failed");
  }
}

static void check_lengths(const struct subject *s) {
  check_marks(s->pk, s->kem->length_public_key, "public key");
  check_marks(s->ct, s->kem->length_ciphertext, "ciphertext");
}

static void check_exchange(const struct subject *s) {
  if (memcmp(s->ss[0], s->ss[1], s->kem->length_shared_secret) != 0) {
    fail("the two sides of an exchange hold different secrets");
  }
}

/* --- Times ------------------------------------------------------------------------------------ */

struct sample {
  uint64_t nanoseconds[OPERATIONS], cycles[OPERATIONS];
  int waited; /* in so many operations */
};

/* Off the processor for longer: the thread waited for another. Reading the clocks takes 1 or 2. */
enum { WAIT_NANOSECONDS = 20000 };

static void exchange(struct subject *s, struct sample *sample) {
  sample->waited = 0;
  for (int i = 0; i < OPERATIONS; i++) {
    const uint64_t processor_start = clock_now(CLOCK_THREAD_CPUTIME_ID);
    const uint64_t start = nanoseconds();
    const uint64_t first = cycles();
    operate(s, i);
    const uint64_t counted = cycles() - first;
    const uint64_t elapsed = nanoseconds() - start;
    const uint64_t processor = clock_now(CLOCK_THREAD_CPUTIME_ID) - processor_start;
    const int waited = elapsed > processor + WAIT_NANOSECONDS;

    sample->nanoseconds[i] = waited ? processor : elapsed;
    sample->cycles[i] =
        waited ? (uint64_t)((double)counted * (double)processor / (double)elapsed) : counted;
    sample->waited += waited;
  }
}

static void print_samples(const char *key, const struct sample *samples, size_t count,
                          int want_cycles) {
  printf("\"%s\": {", key);
  for (int i = 0; i < OPERATIONS; i++) {
    printf("%s\"%s\": [", i ? ", " : "", operation_names[i]);
    for (size_t j = 0; j < count; j++) {
      const uint64_t value = want_cycles ? samples[j].cycles[i] : samples[j].nanoseconds[i];
      printf("%s%llu", j ? "," : "", (unsigned long long)value);
    }
    printf("]");
  }
  printf("}");
}

static void run_times(struct subject *s, double milliseconds, size_t most, int kept_stdout) {
  const uint64_t budget = (uint64_t)(milliseconds * 1e6);
  struct sample *samples = allocate(most * sizeof *samples);
  size_t count = 0;
  const uint64_t before = nanoseconds();

  exchange(s, &samples[0]);
  check_lengths(s); /* here alone: it reads much memory */
  check_exchange(s);
  const uint64_t start = nanoseconds();
  if (start - before > budget) {
    count = 1; /* too slow to be repeated */
  } else {
    do {
      exchange(s, &samples[count++]);
      check_exchange(s);
    } while (count < most && nanoseconds() - start < budget);
  }
  show_stdout(kept_stdout);
  printf("{");
  print_samples("nanoseconds", samples, count, 0);
  printf(", ");
  if (HAVE_CYCLES) {
    print_samples("cycles", samples, count, 1);
  } else {
    printf("\"cycles\": null");
  }
  int waited = 0;
  for (size_t j = 0; j < count; j++) {
    waited += samples[j].waited;
  }
  printf(", \"waited\": %d}\n", waited);
  free(samples);
}

/* --- Stack ------------------------------------------------------------------------------------ */

struct task {
  struct subject *subject;
  int operation;
};

static void *run_task(void *context) {
  const struct task *task = context;
  if (task->operation >= 0) {
    operate(task->subject, task->operation);
  }
  return NULL;
}

/* Runs a task on a stack filled with a pattern; returns how many bytes of it were written to. */
static size_t stack_of(struct task task) {
  const unsigned char pattern = 0xa5;
  unsigned char *stack =
      mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_attr_t attributes;
  pthread_t thread;
  size_t untouched = 0;

  if (stack == MAP_FAILED) {
    fail("out of memory");
  }
  memset(stack, pattern, STACK_BYTES);
  if (pthread_attr_init(&attributes) != 0 ||
      pthread_attr_setstack(&attributes, stack, STACK_BYTES) != 0 ||
      pthread_create(&thread, &attributes, run_task, &task) != 0) {
    fail("cannot start a thread");
  }
  pthread_join(thread, NULL);
  pthread_attr_destroy(&attributes);
  while (untouched < STACK_BYTES && stack[untouched] == pattern) {
    untouched++;
  }
  munmap(stack, STACK_BYTES);
  return STACK_BYTES - untouched;
}

static void run_stack(struct subject *s) {
  operate(s, 0); /* first calls also resolve symbols and the back end */
  operate(s, 1);
  operate(s, 2);
  const size_t nothing = stack_of((struct task){s, -1}); /* what a thread itself takes */
  printf("{");
  for (int i = 0; i < OPERATIONS; i++) {
    printf("%s\"%s\": %zu", i ? ", " : "", operation_names[i],
           stack_of((struct task){s, i}) - nothing);
  }
  printf("}\n");
}

/* --- Clocks ----------------------------------------------------------------------------------- */

/* Runs n additions that wait for each other: one cycle of the core each. */
static uint64_t chain(uint64_t n) {
  uint64_t x = n;
  for (uint64_t i = 0; i < n; i += 8) {
    for (int j = 0; j < 8; j++) {
      x += i;
      __asm__ volatile("" : "+r"(x));
    }
  }
  return x;
}

static void run_clock(void) {
  const uint64_t additions = 1 << 20;
  uint64_t best = UINT64_MAX;

  for (int run = 0; run < 9; run++) { /* the fastest: the others were interrupted */
    const uint64_t start = nanoseconds();
    chain(additions);
    const uint64_t taken = nanoseconds() - start;
    best = taken < best ? taken : best;
  }
  printf("{\"core_hz\": %.0f, ", (double)additions / (double)best * 1e9);
  if (HAVE_CYCLES) {
    const uint64_t start = nanoseconds();
    const uint64_t first = cycles();
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    const uint64_t last = cycles();
    printf("\"cycles_hz\": %.0f}\n",
           (double)(last - first) / (double)(nanoseconds() - start) * 1e9);
  } else {
    printf("\"cycles_hz\": null}\n");
  }
}

int main(int argc, char **argv) {
  struct subject subject = {0};

  prctl(PR_SET_PDEATHSIG, SIGTERM); /* nobody waits for the samples then */
  if (argc == 2 && strcmp(argv[1], "clock") == 0) {
    run_clock();
  } else if (argc == 6 && strcmp(argv[1], "times") == 0) {
    const double milliseconds = strtod(argv[4], NULL);
    const size_t most = strtoul(argv[5], NULL, 10);
    if (!(milliseconds > 0 && milliseconds <= 3.6e6) || most < 1 || most > MOST_SAMPLES) {
      fail("MILLISECONDS must be above 0 and MOST from 1 to 100000");
    }
    const int kept_stdout = hide_stdout();
    open_subject(&subject, argv[2], argv[3]);
    run_times(&subject, milliseconds, most, kept_stdout);
    fflush(stdout);
    hide_stdout(); /* a library may say something at its end, too */
  } else if (argc == 4 && strcmp(argv[1], "stack") == 0) {
    open_subject(&subject, argv[2], argv[3]);
    run_stack(&subject);
  } else {
    fail(
        "usage: codekem-sampler times KEM IMPLEMENTATION MILLISECONDS MOST | "
        "stack KEM IMPLEMENTATION | clock");
  }
  free(subject.pk);
  free(subject.sk);
  free(subject.ct);
  free(subject.ss[0]);
  free(subject.ss[1]);
  return fflush(stdout) == 0 ? 0 : 1;
}
