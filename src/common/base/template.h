/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Names in templates.
 *
 * A template (*.template.h) is code that several back ends include, each after it has defined the
 * operations that the template names at its top. It also defines TEMPLATE_SUFFIX, the ending of its
 * own name, avx2 for instance: functions of the template get that ending, so that no two in the
 * library have the same name.
 */
#ifndef CODEKEM_BASE_TEMPLATE_H
#define CODEKEM_BASE_TEMPLATE_H

/* TEMPLATE_NAME(encode) is encode_avx2 if TEMPLATE_SUFFIX is avx2. */
#define TEMPLATE_NAME(name) TEMPLATE_EXPAND(name, TEMPLATE_SUFFIX)
#define TEMPLATE_EXPAND(name, suffix) TEMPLATE_JOIN(name, suffix)
#define TEMPLATE_JOIN(name, suffix) name##_##suffix

#endif
