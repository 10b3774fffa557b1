/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Which implementation of the two codes a back end has. */
#include "hqc/hqc_ops.h"

#define BACKEND(id, name, supported, gf2x, keccak, sparse, goppa, mq4, bike, hqc, ...) \
  BACKEND_TAKES(BACKEND_##id, ckem_hqc_ops_##hqc)

const struct hqc_ops *ckem_hqc_ops_of(const struct backend *backend) {
  switch (backend->id) {
    BACKEND_OTHERWISE(ckem_hqc_ops_portable)
#include "backend.def"
  }
}
