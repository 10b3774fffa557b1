/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What jni.h asks of a machine, for those of the jar: a JDK has it for its own alone. */
#pragma once

#if defined(_WIN32)
#define JNIEXPORT __declspec(dllexport)
#else
#define JNIEXPORT __attribute__((visibility("default")))
#endif
#define JNIIMPORT
#define JNICALL

typedef int jint;
typedef long long jlong;
typedef signed char jbyte;
