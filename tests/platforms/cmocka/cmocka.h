/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The part of cmocka's interface that tests/unit uses, for processors for which Debian has no
 * cmocka beside the native one. A failed assertion ends the program, as nothing has to be cleaned
 * up.
 */
#ifndef CODEKEM_TESTS_PLATFORMS_CMOCKA_H
#define CODEKEM_TESTS_PLATFORMS_CMOCKA_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
  const char *name;
  void (*run)(void **state);
};

#define cmocka_unit_test(function) {#function, function}

static inline void assertion_holds(int holds, const char *text, const char *file, int line) {
  if (!holds) {
    printf("[  ERROR   ] %s:%d: %s\n[  FAILED  ]\n", file, line, text);
    exit(1);
  }
}

#define assert_true(c) assertion_holds(!!(c), #c, __FILE__, __LINE__)
#define assert_false(c) assertion_holds(!(c), "not " #c, __FILE__, __LINE__)
#define assert_null(p) assertion_holds((p) == NULL, #p " is NULL", __FILE__, __LINE__)
#define assert_non_null(p) assertion_holds((p) != NULL, #p " is not NULL", __FILE__, __LINE__)
#define assert_in_range(a, low, high)                                        \
  assertion_holds((unsigned long long)(a) >= (unsigned long long)(low) &&    \
                      (unsigned long long)(a) <= (unsigned long long)(high), \
                  #a " from " #low " to " #high, __FILE__, __LINE__)
#define assert_int_equal(a, b) \
  assertion_holds((long long)(a) == (long long)(b), #a " == " #b, __FILE__, __LINE__)
#define assert_int_not_equal(a, b) \
  assertion_holds((long long)(a) != (long long)(b), #a " != " #b, __FILE__, __LINE__)
#define assert_memory_equal(a, b, length) \
  assertion_holds(memcmp(a, b, length) == 0, #a " equals " #b, __FILE__, __LINE__)
#define assert_memory_not_equal(a, b, length) \
  assertion_holds(memcmp(a, b, length) != 0, #a " differs from " #b, __FILE__, __LINE__)
#define assert_string_equal(a, b) \
  assertion_holds(strcmp(a, b) == 0, #a " equals " #b, __FILE__, __LINE__)

#define fail_msg(...) (printf(__VA_ARGS__), assertion_holds(0, "failed", __FILE__, __LINE__))

#define print_message(...) ((void)printf(__VA_ARGS__))

static inline int run_tests(const char *group, const struct CMUnitTest *tests, size_t count) {
  for (size_t i = 0; i < count; i++) {
    void *state = NULL;
    printf("[ RUN      ] %s: %s\n", group, tests[i].name);
    tests[i].run(&state);
  }
  printf("[  PASSED  ] %zu test(s).\n", count);
  return 0;
}

/* Fixtures are not supported. */
#define cmocka_run_group_tests_name(name, tests, setup, teardown) \
  ((void)(setup), (void)(teardown), run_tests(name, tests, sizeof(tests) / sizeof((tests)[0])))
#define cmocka_run_group_tests(tests, setup, teardown) \
  cmocka_run_group_tests_name("tests", tests, setup, teardown)

#endif
