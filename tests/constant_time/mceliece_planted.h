/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Leaks on purpose, as implementations of Classic McEliece have had them, by name. */
#ifndef CODEKEM_TESTS_CONSTANT_TIME_MCELIECE_PLANTED_H
#define CODEKEM_TESTS_CONSTANT_TIME_MCELIECE_PLANTED_H

#include <stdbool.h>

/* From here on, the library leaks in this way; returns false if there is no such leak. */
bool mceliece_plant(const char *name);

#endif
