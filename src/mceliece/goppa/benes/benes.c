/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Which implementation of Benes networks a back end has. */
#include "benes/benes.h"

#define BACKEND(id, name, supported, gf2x, keccak, sparse, goppa, ...) \
  BACKEND_TAKES(BACKEND_##id, ckem_benes_##goppa)

const struct benes_ops *ckem_benes_ops_of(const struct backend *backend) {
  switch (backend->id) {
    BACKEND_OTHERWISE(ckem_benes_portable)
#include "backend.def"
  }
}
