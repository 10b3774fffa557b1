/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Which implementation of the decoder's counters a back end has. */
#include "bike/counters.h"

#define BACKEND(id, name, supported, gf2x, keccak, sparse, goppa, mq4, bike, ...) \
  BACKEND_TAKES(BACKEND_##id, ckem_bike_counters_##bike)

const struct bike_counters *ckem_bike_counters_of(const struct backend *backend) {
  switch (backend->id) {
    BACKEND_OTHERWISE(ckem_bike_counters_portable)
#include "backend.def"
  }
}
