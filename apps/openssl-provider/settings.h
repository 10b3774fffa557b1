/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What is offered, with names, code points and object identifiers: the defaults, or what the
 * configuration says. */
#ifndef CODEKEM_PROVIDER_SETTINGS_H
#define CODEKEM_PROVIDER_SETTINGS_H

#include <stdbool.h>

struct provider;

/* Returns the configured value of kind.name, or NULL. It lives as long as the configuration. */
const char *ckem_settings_entry(const struct provider *provider, const char *kind,
                                const char *name);

/* Fills provider->offers. The configuration is the section of OpenSSL's configuration file that
 * loads the provider, with these entries, of which each replaces a default:
 *
 *   groups.bikel1 = 65040     the code point of a TLS group; 0: do not offer the group
 *   names.bikel1 = bike1      the name of a TLS group
 *   oids.BIKE-L1 = 1.3.9999.1 the object identifier of keys in files
 *   keys.form = both          what private keys in files have: seed (the default), both, expanded
 *   pool.size = 32            the largest batch of BIKE's keys for TLS; 0, the default: no pools
 *   pool.seconds = 60         how long a key may wait there
 *
 * Those named devices.* are for ckem_devices_load (device.h). Entries for algorithms that the
 * library was built without are ignored. Returns false, with an error, if an entry is wrong, if a
 * number or name is another's in TLS or in OpenSSL, or if two algorithms got the same one. */
bool ckem_settings_load(struct provider *provider);

void ckem_settings_free(struct provider *provider);

#endif
