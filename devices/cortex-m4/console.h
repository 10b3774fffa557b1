/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Operations as lines of text: how programs on the board read what to do and say what came out.
 *
 * Input, one operation in each line, words apart by one blank, values in hexadecimal. Output, one
 * line for each: "ok INSTRUCTIONS STACK_BYTES" and the outputs. The first line that cannot be run
 * ends the program with status 1 and a line that says why.
 */
#ifndef CODEKEM_EMBEDDED_CONSOLE_H
#define CODEKEM_EMBEDDED_CONSOLE_H

#include <stddef.h>
#include <stdint.h>

#include "measure.h"

/* Says what is wrong and ends the program. */
_Noreturn void console_fail(const char *what, const char *detail);

void console_say(const char *text);
void console_say_number(uint32_t number);

/* Starts the line of an operation that was measured; the caller ends it with "\n". */
void console_say_measurement(const struct measurement *measured);

/* Says a blank and a value. */
void console_say_value(const uint8_t *bytes, size_t length);

/* Reads a line without its end into line[size]; returns 0 at the end of the input. */
int console_read_line(char *line, size_t size);

/* Cuts the next word from text; returns NULL if there is none. */
char *console_next_word(char **text);

/* Reads a value that must have this length. */
void console_read_value(uint8_t *out, const char *hex, size_t length);

/* Reads a decimal number; of NULL it is 0. */
uint32_t console_read_number(const char *text);

#endif
