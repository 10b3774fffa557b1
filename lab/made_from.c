/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * In front of codekem_dfr and codekem_lab: `source` prints the hash of the sources that the program
 * was built from; all else is the program's. Not in their files, whose hash stored campaigns have.
 */
#include <stdio.h>
#include <string.h>

#include "made_from.h"

int program_main(int argc, char **argv);

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "source") == 0) {
    puts(MADE_FROM);
    return 0;
  }
  return program_main(argc, argv);
}
