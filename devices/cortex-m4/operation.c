/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Runs operations by name, and guards the blocks that they work in. */
#include "operation.h"

#include <string.h>

#include "console.h"

enum { GUARD = 0xA5 };

const struct operation *operation_find(const struct operation *operations, size_t count,
                                       const char *name) {
  for (size_t i = 0; name != NULL && i < count; i++) {
    if (strcmp(name, operations[i].name) == 0) {
      return &operations[i];
    }
  }
  console_fail("unknown operation ", name != NULL ? name : "");
}

void operation_measure(void (*run)(void *context), void *context, const codekem_status *status) {
  const struct measurement measured = measure(run, context);

  if (*status != CODEKEM_OK) {
    console_fail("the library says: ", codekem_status_text(*status));
  }
  console_say_measurement(&measured);
}

void operation_run(const struct operation *operation, void *context, const codekem_status *status,
                   char *rest, uint8_t *const inputs[MAX_VALUES],
                   uint8_t *const outputs[MAX_VALUES]) {
  for (size_t i = 0; i < MAX_VALUES && operation->in[i] != 0; i++) {
    console_read_value(inputs[i], console_next_word(&rest), operation->in[i]);
  }
  operation_measure(operation->run, context, status);
  for (size_t i = 0; i < MAX_VALUES && operation->out[i] != 0; i++) {
    console_say_value(outputs[i], operation->out[i]);
  }
  console_say("\n");
}

void guard_begin(uint8_t *block, size_t size, size_t length) {
  if (length > size) {
    console_fail("the workspace is longer than the block for it", "");
  }
  memset(block + length, GUARD, GUARD_BYTES);
}

void guard_end(const uint8_t *block, size_t length) {
  for (size_t i = 0; i < GUARD_BYTES; i++) {
    if (block[length + i] != GUARD) {
      console_fail("the call wrote behind its workspace", "");
    }
  }
}
