/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * In front of codekem_dfr and codekem_lab: `source` prints the hash of the sources that the program
 * was built from; all else is the program's. A batch ends with the process that wants it, however
 * that ends. Not in their files, whose hash stored campaigns have.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "made_from.h"

int program_main(int argc, char **argv);

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "source") == 0) {
    puts(MADE_FROM);
    return 0;
  }
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
  return program_main(argc, argv);
}
