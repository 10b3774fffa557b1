/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Which implementation of the two codes a back end has. */
#include "hqc/codes.h"

#define BACKEND(id, name, supported, gf2x, keccak, sparse, goppa, mq4, bike, hqc, ...) \
  BACKEND_TAKES(BACKEND_##id, ckem_hqc_codes_##hqc)

const struct hqc_codes *ckem_hqc_codes_of(const struct backend *backend) {
  switch (backend->id) {
    BACKEND_OTHERWISE(ckem_hqc_codes_portable)
#include "backend.def"
  }
}
