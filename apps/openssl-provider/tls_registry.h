/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The numbers and names of TLS groups that belong to others. */
#ifndef CODEKEM_PROVIDER_TLS_REGISTRY_H
#define CODEKEM_PROVIDER_TLS_REGISTRY_H

/* Returns the name of the group that a code point from 1 to 65535 was given to, or a word for what
 * it is reserved for; NULL if it is unassigned or for private use. */
const char *ckem_tls_owner_of_number(unsigned code_point);

/* Returns the name of the group that name belongs to, in any case and by any of the names that
 * OpenSSL has for it; NULL if it is free. */
const char *ckem_tls_owner_of_name(const char *name);

#endif
