/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Working memory for the KEMs from the heap: a program's threads may have little stack (128 KiB
 * with musl), and BIKE-L5 takes 211 KiB. The library wipes it before it returns. */
#ifndef CODEKEM_PROVIDER_WORKSPACE_H
#define CODEKEM_PROVIDER_WORKSPACE_H

#include <codekem.h>
#include <stdbool.h>
#include <stddef.h>

struct provider;

struct workspace {
  void *memory; /* as it was allocated */
  codekem_options options;
};

/* Allocates length bytes and sets the options of a call that works in them; returns false,
 * with an error, if there is no memory. */
bool ckem_workspace_open(struct workspace *workspace, const struct provider *provider,
                         size_t length);

void ckem_workspace_close(struct workspace *workspace);

#endif
