/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The prefix of external names (base/names.h says why). */
#ifndef CODEKEM_SOFIA_NAMES_H
#define CODEKEM_SOFIA_NAMES_H

#define sofia_add_scaled codekem_sofia_add_scaled
#define sofia_challenges_of codekem_sofia_challenges_of
#define sofia_expand codekem_sofia_expand
#define sofia_hash_add codekem_sofia_hash_add
#define sofia_hash_flush codekem_sofia_hash_flush
#define sofia_hashers_begin codekem_sofia_hashers_begin
#define sofia_hashers_flush codekem_sofia_hashers_flush
#define sofia_make_keypair codekem_sofia_make_keypair
#define sofia_sample_challenges codekem_sofia_sample_challenges
#define sofia_sign_absorb codekem_sofia_sign_absorb
#define sofia_sign_begin codekem_sofia_sign_begin
#define sofia_sign_commit codekem_sofia_sign_commit
#define sofia_sign_draw codekem_sofia_sign_draw
#define sofia_sign_same_message codekem_sofia_sign_same_message
#define sofia_sign_write codekem_sofia_sign_write
#define sofia_start_parts codekem_sofia_start_parts
#define sofia_transcript codekem_sofia_transcript
#define sofia_verify_begin codekem_sofia_verify_begin
#define sofia_verify_result codekem_sofia_verify_result

#endif
