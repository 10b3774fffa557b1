/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The buffers of a harness are objects of their own, so none overlaps another. EVA cannot say so:
 * it knows nothing of where objects lie. An analysis with -eva-use-spec takes this instead of the
 * comparison in src/kem/call.c, of which entry_points.c takes either answer.
 */
#ifndef CODEKEM_TESTS_APART_H
#define CODEKEM_TESTS_APART_H

#include "kem.h"

/*@ requires call: \valid_read(call);
    assigns \result \from *call;
    ensures apart: \result == 0; */
bool ckem_kem_overlaps(const struct kem_call *call);

#endif
