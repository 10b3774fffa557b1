/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Runs operations of the library or of the cores on the system of hardware/soc, and measures them.
 *
 * Input: a line for each operation, and right behind it the bytes of its inputs:
 *
 *     KEM keypair [core] [polled] [keccak] [product] [stack]    seed
 *     KEM encaps ...                         public key, seed
 *     KEM decaps ...                         ciphertext, secret key
 *     forget                                 wipes all inputs and outputs that this program has
 *
 * The library does the operation, or with `core` the KEM's core, which is waited for by interrupt,
 * or with `polled` by its register. With `keccak` or `product` the library leaves these pieces to
 * hardware. `stack` also measures how far the stack goes.
 * `outside` gives encaps by a core a seed that does not lie in the RAM, which the DMA refuses: the
 * answer is "failed STATUS", of the driver's Wipe after that, and no output.
 *
 * Output: "ok CYCLES STACK_BYTES CORE_CYCLES" in a line, with 0 for what was not measured, and
 * right behind it the bytes of the outputs. The first line that cannot be run ends the program with
 * status 1 and a line that says why; the end of the input ends it with status 0.
 */
#include <string.h>

#include "board.h"
#include "codekem.h"
#include "kem_packet.h"
#include "offload.h"
#include "pieces.h"
#include "soc_map.h"

enum { MAX_LINE = 80, MAX_WORDS = 6, MARGIN_WORDS = 64 };
#define PAINT 0xC0DEC0DEu

/* Long enough for the longest of what may stand there, of levels 1 and 3. */
enum { MAX_KEY = 10500, MAX_SHORT = 9100 };
static _Alignas(4) uint8_t first_in[MAX_SHORT], second_in[MAX_KEY];
static _Alignas(4) uint8_t first_out[MAX_SHORT], second_out[MAX_KEY];

static void say(const char *text) {
  board_write(text, strlen(text));
}

static _Noreturn void fail(const char *what, const char *detail) {
  say("error: ");
  say(what);
  say(detail);
  say("\n");
  board_exit(1);
}

static void say_number(uint32_t number) {
  char digits[12];
  size_t at = sizeof digits - 1;

  digits[at] = '\0';
  do {
    digits[--at] = (char)('0' + number % 10);
    number /= 10;
  } while (number != 0);
  digits[--at] = ' ';
  say(digits + at);
}

static bool read_line(char *line) {
  for (size_t length = 0; length < MAX_LINE; length++) {
    if (!board_read(&line[length], 1)) {
      return false;
    }
    if (line[length] == '\n') {
      line[length] = '\0';
      return true;
    }
  }
  fail("the line is too long", "");
}

/* Cuts a line into words; returns how many. */
static size_t cut(char *line, const char *words[MAX_WORDS]) {
  size_t count = 0;

  for (char *next = line; next != NULL && count < MAX_WORDS;) {
    words[count++] = next;
    next = strchr(next, ' ');
    if (next != NULL) {
      *next++ = '\0';
    }
  }
  return count;
}

/* An operation and what it works on. */
struct call {
  const codekem_kem *kem;
  offload_to core;
  const uint8_t *seed; /* of encaps */
  codekem_status status;
};

static void keypair(struct call *call) {
  call->status = offload_keypair_derand(call->core, call->kem, first_out, second_out, first_in);
}

static void encaps(struct call *call) {
  call->status =
      offload_encaps_derand(call->core, call->kem, first_out, second_out, second_in, call->seed);
}

static void decaps(struct call *call) {
  call->status = offload_decaps(call->core, call->kem, first_out, first_in, second_in);
}

static void nothing(struct call *call) {
  (void)call;
}

static __attribute__((noinline)) uint32_t cycles_of(void (*run)(struct call *), struct call *call) {
  const uint32_t start = board_time();
  run(call);
  return board_time() - start;
}

static uint32_t *stack_pointer(void) {
  uint32_t *sp;

  __asm__ volatile("mv %0, sp" : "=r"(sp));
  return sp;
}

/* Writes a pattern to the memory below the stack. */
static void paint(void) {
  volatile uint32_t *const top = stack_pointer();

  for (volatile uint32_t *word = bss_end; word < top - MARGIN_WORDS; word++) {
    *word = PAINT;
  }
}

/* Returns how far the stack has gone below this function's: what lost its paint was used. */
static uint32_t painted_over(void) {
  volatile uint32_t *const top = stack_pointer();
  volatile uint32_t *lowest = bss_end;

  while (lowest < top && *lowest == PAINT) {
    lowest++;
  }
  return (uint32_t)((uintptr_t)top - (uintptr_t)lowest);
}

struct operation {
  const char *name;
  void (*run)(struct call *call);
  size_t first_in, second_in, first_out, second_out; /* lengths */
  bool second_first;                                 /* the order of the inputs */
};

static struct operation operation_of(const codekem_kem *kem, const char *name) {
  const struct operation operations[] = {
      {"keypair", keypair, kem->length_keypair_seed, 0, kem->length_public_key,
       kem->length_secret_key, false},
      {"encaps", encaps, kem->length_encaps_seed, kem->length_public_key, kem->length_ciphertext,
       kem->length_shared_secret, true},
      {"decaps", decaps, kem->length_ciphertext, kem->length_secret_key, kem->length_shared_secret,
       0, false},
  };

  for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
    if (strcmp(name, operations[i].name) == 0) {
      return operations[i];
    }
  }
  fail("unknown operation ", name);
}

static void read_inputs(const struct operation *operation) {
  const bool swapped = operation->second_first;
  const size_t first = operation->first_in, second = operation->second_in;

  if (first > sizeof first_in || second > sizeof second_in ||
      operation->first_out > sizeof first_out || operation->second_out > sizeof second_out) {
    fail("this program has no room for the KEM", "");
  }
  if ((swapped && !board_read(second_in, second)) || !board_read(first_in, first) ||
      (!swapped && !board_read(second_in, second))) {
    fail("the input ends within an operation", "");
  }
}

static void run_operation(const char *const *words, size_t count) {
  struct call call = {.kem = codekem_kem_find(words[0]), .seed = first_in};
  kem_device device;
  bool core = false, polled = false, keccak = false, product = false, stack = false;
  bool outside = false;

  if (call.kem == NULL || count < 2) {
    fail("no such KEM in this build, or no operation: ", words[0]);
  }
  for (size_t i = 2; i < count; i++) {
    core |= strcmp(words[i], "core") == 0;
    polled |= strcmp(words[i], "polled") == 0;
    keccak |= strcmp(words[i], "keccak") == 0;
    product |= strcmp(words[i], "product") == 0;
    stack |= strcmp(words[i], "stack") == 0;
    outside |= strcmp(words[i], "outside") == 0;
  }
  const struct operation operation = operation_of(call.kem, words[1]);
  if (core) {
    if (!board_core(&device, words[0], polled ? BOARD_POLLING : BOARD_INTERRUPT)) {
      fail("this system has no core for ", words[0]);
    }
    call.core = &device;
  }
  if (!pieces_use(keccak, product)) {
    fail("this system has not these pieces", "");
  }
  read_inputs(&operation);
  if (outside) {
    call.seed = (const uint8_t *)SYSTEM_SOC; /* NOLINT: an address of the map, not of the RAM */
  }
  const uint32_t overhead = cycles_of(nothing, &call);
  if (stack) {
    paint();
  }
  const uint32_t cycles = cycles_of(operation.run, &call) - overhead;
  const uint32_t bytes = stack ? painted_over() : 0;
  if (outside && core && call.status != CODEKEM_OK) {
    say("failed");
    say_number((uint32_t)device.run(device.context, KEM_OP_WIPE, NULL, 0, NULL, 0));
    say("\n");
    return;
  }
  if (call.status != CODEKEM_OK) {
    fail("the operation failed: ", codekem_status_text(call.status));
  }
  say("ok");
  say_number(cycles);
  say_number(bytes);
  say_number(core ? board_core_cycles() : 0);
  say("\n");
  board_write(first_out, operation.first_out);
  board_write(second_out, operation.second_out);
}

static void forget(void) {
  memset(first_in, 0, sizeof first_in);
  memset(second_in, 0, sizeof second_in);
  memset(first_out, 0, sizeof first_out);
  memset(second_out, 0, sizeof second_out);
  /* Nobody reads them any more, and yet they must be gone. */
  __asm__ volatile("" : : : "memory");
  say("ok 0 0 0\n");
}

int main(void) {
  char line[MAX_LINE];

  while (read_line(line)) {
    const char *words[MAX_WORDS];
    const size_t count = cut(line, words);
    if (strcmp(words[0], "forget") == 0) {
      forget();
    } else {
      run_operation(words, count);
    }
  }
  return 0;
}
