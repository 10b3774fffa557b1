/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The prefix of external names (base/names.h says why). */
#ifndef CODEKEM_NAMES_H
#define CODEKEM_NAMES_H

#define backend_in_use codekem_backend_in_use
#define bike_l1 codekem_bike_l1
#define bike_l1_v4_2_sha3 codekem_bike_l1_v4_2_sha3
#define bike_l1_v4_2_sha3_bind codekem_bike_l1_v4_2_sha3_bind
#define bike_l3 codekem_bike_l3
#define bike_l3_v4_2_sha3 codekem_bike_l3_v4_2_sha3
#define bike_l3_v4_2_sha3_bind codekem_bike_l3_v4_2_sha3_bind
#define bike_l5 codekem_bike_l5
#define bike_l5_v4_2_sha3 codekem_bike_l5_v4_2_sha3
#define bike_l5_v4_2_sha3_bind codekem_bike_l5_v4_2_sha3_bind
#define hqc_1 codekem_hqc_1
#define hqc_1_v5_0_0 codekem_hqc_1_v5_0_0
#define hqc_3 codekem_hqc_3
#define hqc_3_v5_0_0 codekem_hqc_3_v5_0_0
#define hqc_5 codekem_hqc_5
#define hqc_5_v5_0_0 codekem_hqc_5_v5_0_0
#define kem_call_of_batch codekem_kem_call_of_batch
#define kem_run codekem_kem_run
#define kem_start codekem_kem_start

#endif
