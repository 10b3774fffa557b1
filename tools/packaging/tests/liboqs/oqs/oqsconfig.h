/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* As oqs/sha3.h here: a build without checks of constant time defines nothing that we ask for. */
