/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Which implementation of sorting a back end has. */
#include "sort/sort.h"

#define BACKEND(id, name, supported, gf2x, keccak, sparse, goppa, ...) \
  BACKEND_TAKES(BACKEND_##id, ckem_sort_##goppa)

const struct sort_ops *ckem_sort_ops_of(const struct backend *backend) {
  switch (backend->id) {
    BACKEND_OTHERWISE(ckem_sort_portable)
#include "backend.def"
  }
}
