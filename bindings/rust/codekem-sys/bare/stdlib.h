/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The library takes nothing of stdlib.h where there is no environment. */
#pragma once
