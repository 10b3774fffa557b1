/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A program for a board: exchanges by each core of the system, told on the serial port.
 *
 * It prints, for each core that is there, the cycles of the three calls and whether both sides hold
 * the same secret, and then waits for any byte to do so again. The seeds count up from fixed ones:
 * this program has no random numbers, so its keys are known to everybody.
 */
#include <string.h>

#include "board.h"
#include "codekem.h"
#include "offload.h"

enum { OPERATIONS = 3, DIGITS = 10 };

static void say(const char *text) {
  board_write(text, strlen(text));
}

static void say_number(uint32_t number) {
  char digits[DIGITS + 1] = {0};
  size_t at = DIGITS;

  do {
    digits[--at] = (char)('0' + number % 10);
    number /= 10;
  } while (number != 0);
  say(digits + at);
}

/* Returns the cycles since *since, and sets it to now. */
static uint32_t lap(uint32_t *since) {
  const uint32_t before = *since;

  *since = board_time();
  return *since - before;
}

/* Returns whether both sides hold the same secret. */
static bool exchange(const codekem_kem *kem, offload_to core, uint8_t counter,
                     uint32_t cycles[OPERATIONS]) {
  static uint8_t public_key[2241], secret_key[5223], ciphertext[4433]; /* the longest of each */
  const uint8_t key_seed[64] = {counter, 1}, seed[32] = {counter, 2};
  uint8_t alice[32], bob[32];
  uint32_t time = board_time();

  if (offload_keypair_derand(core, kem, public_key, secret_key, key_seed) != CODEKEM_OK) {
    return false;
  }
  cycles[0] = lap(&time);
  if (offload_encaps_derand(core, kem, ciphertext, alice, public_key, seed) != CODEKEM_OK) {
    return false;
  }
  cycles[1] = lap(&time);
  if (offload_decaps(core, kem, bob, ciphertext, secret_key) != CODEKEM_OK) {
    return false;
  }
  cycles[2] = lap(&time);
  return memcmp(alice, bob, sizeof alice) == 0;
}

static bool exchange_told(const char *name, uint8_t counter) {
  static const char *const operations[OPERATIONS] = {" KeyGen ", " Encaps ", " Decaps "};
  const codekem_kem *kem = codekem_kem_find(name);
  kem_device core;
  uint32_t cycles[OPERATIONS] = {0};

  if (kem == NULL || !board_core(&core, name, BOARD_INTERRUPT)) {
    say(name);
    say(": no core\r\n");
    return true;
  }
  const bool same = exchange(kem, &core, counter, cycles);
  say(name);
  for (size_t i = 0; i < OPERATIONS; i++) {
    say(operations[i]);
    say_number(cycles[i]);
  }
  say(same ? ": both hold the same secret\r\n" : ": FAILED\r\n");
  return same;
}

int main(void) {
  uint8_t counter = 0;
  uint8_t any;
  bool good = true;

  do {
    good &= exchange_told("BIKE-L1", counter);
    good &= exchange_told("HQC-1", counter++);
    say("any key for another one\r\n");
  } while (good && board_read(&any, 1));
  return good ? 0 : 1;
}
