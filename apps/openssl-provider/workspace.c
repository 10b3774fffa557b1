/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Working memory for the KEMs from the heap. */
#include "workspace.h"

#include "provider.h"

bool ckem_workspace_open(struct workspace *workspace, const struct provider *provider,
                         size_t length) {
  uintptr_t start;

  workspace->memory = OPENSSL_malloc(length + CODEKEM_WORKSPACE_ALIGNMENT - 1);
  if (workspace->memory == NULL) {
    return RAISE(provider, REASON_NO_MEMORY, "%zu bytes of working memory", length);
  }
  start = (uintptr_t)workspace->memory;
  start = (start + CODEKEM_WORKSPACE_ALIGNMENT - 1) & ~(uintptr_t)(CODEKEM_WORKSPACE_ALIGNMENT - 1);
  workspace->options = (codekem_options){
      .size = sizeof workspace->options,
      .workspace = (void *)start,
      .workspace_length = length,
  };
  return true;
}

void ckem_workspace_close(struct workspace *workspace) {
  OPENSSL_free(workspace->memory);
}
