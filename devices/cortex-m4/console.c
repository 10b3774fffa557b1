/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Operations as lines of text. */
#include "console.h"

#include <string.h>

#include "board.h"

static const char digits[] = "0123456789abcdef";

void console_say(const char *text) {
  board_write(text, strlen(text));
}

_Noreturn void console_fail(const char *what, const char *detail) {
  console_say("error: ");
  console_say(what);
  console_say(detail);
  console_say("\n");
  board_exit(1);
}

void console_say_number(uint32_t number) {
  char text[11];
  size_t at = sizeof text - 1;

  text[at] = '\0';
  do {
    text[--at] = (char)('0' + number % 10);
    number /= 10;
  } while (number != 0);
  console_say(text + at);
}

void console_say_measurement(const struct measurement *measured) {
  console_say("ok ");
  console_say_number(measured->instructions);
  console_say(" ");
  console_say_number(measured->stack_bytes);
}

void console_say_value(const uint8_t *bytes, size_t length) {
  char text[256];

  console_say(" ");
  for (size_t i = 0; i < length;) {
    size_t held = 0;

    for (; i < length && held < sizeof text; i++) {
      text[held++] = digits[bytes[i] >> 4];
      text[held++] = digits[bytes[i] & 15];
    }
    board_write(text, held);
  }
}

int console_read_line(char *line, size_t size) {
  static char block[4096];
  static size_t held, taken;

  for (size_t length = 0; length < size; length++) {
    if (taken == held) {
      held = board_read(block, sizeof block);
      taken = 0;
      if (held == 0) {
        return 0;
      }
    }
    line[length] = block[taken++];
    if (line[length] == '\n') {
      line[length] = '\0';
      return 1;
    }
  }
  console_fail("the line is too long", "");
}

char *console_next_word(char **text) {
  char *word = *text;

  if (word == NULL) {
    return NULL;
  }
  *text = strchr(word, ' ');
  if (*text != NULL) {
    *(*text)++ = '\0';
  }
  return word;
}

static unsigned hex_digit(char c) {
  const char *found = c == '\0' ? NULL : strchr(digits, c);

  if (found == NULL) {
    console_fail("not a hexadecimal digit in a value", "");
  }
  return (unsigned)(found - digits);
}

void console_read_value(uint8_t *out, const char *hex, size_t length) {
  if (hex == NULL || strlen(hex) != 2 * length) {
    console_fail("a value has the wrong length", "");
  }
  for (size_t i = 0; i < length; i++) {
    out[i] = (uint8_t)(hex_digit(hex[2 * i]) << 4 | hex_digit(hex[2 * i + 1]));
  }
}

uint32_t console_read_number(const char *text) {
  uint32_t number = 0;

  for (; text != NULL && *text >= '0' && *text <= '9'; text++) {
    number = 10 * number + (uint32_t)(*text - '0');
  }
  return number;
}
