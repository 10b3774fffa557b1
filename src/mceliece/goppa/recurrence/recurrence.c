/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Which implementation of recurrences a back end has. */
#include "recurrence/recurrence.h"

#define BACKEND(id, name, supported, gf2x, keccak, sparse, goppa, ...) \
  BACKEND_TAKES(BACKEND_##id, ckem_recurrence_##goppa)

const struct recurrence_ops *ckem_recurrence_ops_of(const struct backend *backend) {
  switch (backend->id) {
    BACKEND_OTHERWISE(ckem_recurrence_portable)
#include "backend.def"
  }
}
