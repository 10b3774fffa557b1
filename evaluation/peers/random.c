/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Randomness for libraries that leave it to their users: that of the system, until somebody who
 * checks known answers calls peer_random (build.py). */
#include "random.h"

#include <stdlib.h>
#include <sys/random.h>

static peer_fill *fill_by;

void peer_random(peer_fill *fill) {
  fill_by = fill;
}

void peer_bytes(unsigned char *out, size_t length) {
  if (fill_by != NULL) {
    fill_by(out, length);
    return;
  }
  while (length > 0) {
    const size_t part = length < 256 ? length : 256; /* so many are never refused */

    if (getrandom(out, part, 0) != (ssize_t)part) {
      abort();
    }
    out += part;
    length -= part;
  }
}
