/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Which implementation of the decoder's counters a back end has. */
#include "bike/bike_ops.h"

#define BACKEND(id, name, supported, gf2x, keccak, sparse, goppa, mq4, bike, ...) \
  BACKEND_TAKES(BACKEND_##id, ckem_bike_ops_##bike)

const struct bike_ops *ckem_bike_ops_of(const struct backend *backend) {
  switch (backend->id) {
    BACKEND_OTHERWISE(ckem_bike_ops_portable)
#include "backend.def"
  }
}
