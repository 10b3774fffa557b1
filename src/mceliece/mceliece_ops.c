/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Which implementation of drawing and encoding a back end has. */
#include "mceliece/mceliece_ops.h"

#define BACKEND(id, name, supported, gf2x, keccak, sparse, goppa, mq4, bike, hqc, mceliece) \
  BACKEND_TAKES(BACKEND_##id, ckem_mceliece_ops_##mceliece)

const struct mceliece_ops *ckem_mceliece_ops_of(const struct backend *backend) {
  switch (backend->id) {
    BACKEND_OTHERWISE(ckem_mceliece_ops_portable)
#include "backend.def"
  }
}
