/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The marks by which a program tells the plugin of its emulator what to count. */
#ifndef CODEKEM_TESTS_PLATFORM_MARKS_H
#define CODEKEM_TESTS_PLATFORM_MARKS_H

/* A system call that no kernel has, so that it does nothing but fail. Its arguments are one of the
 * following and, to begin, an address at the top of the stack that is counted. */
#define PLATFORM_MARK 0x7A11
#define PLATFORM_MARK_BEGIN 1
#define PLATFORM_MARK_END 2

#endif
