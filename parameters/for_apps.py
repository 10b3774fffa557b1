# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the command and the OpenSSL provider know of the KEMs."""

import re

from parameters.notice import C_NOTICE

ALGORITHMS = """\
/*
 * The table of the provider's algorithms, of which each is a key type, a KEM and a TLS group:
 *
 *   ALGORITHM(identifier, name, kem, classical, group, code_point)
 *
 *   identifier  a word for the names of functions and constants in C
 *   name        as OpenSSL fetches it
 *   kem         the KEM's name in codekem.h
 *   classical   the other half of a hybrid, of algorithms.c, or NULL
 *   group       the TLS group, or NULL if there is none
 *   code_point  of the TLS group
 *
 * Whoever includes it defines ALGORITHM. What the library was built without is not offered. Names
 * and code points of the groups are those of oqs-provider.
 */"""
FACTS = """\
/*
 * What the command knows of KEMs besides what the library says:
 *
 *   FACTS(name, scheme, core, level, parts)
 *
 *   scheme  a value of the enumeration of kems.hpp: other, unless the command knows the scheme
 *   core    true if hardware/ has a core for it, and level is then that core's LEVEL
 *   parts   true if AES and SHA-2 come from libcrypto
 */"""

IDENTIFIERS = """\
/*
 * The object identifiers of keys in files:
 *
 *   WRITTEN(kem, oid)  ours, by which keys are written and read
 *   READ(kem, oid)     that others write, by which keys are read alone
 *   SEED_AT_END(kem)   the last bytes of a secret key are the seed of the pair
 */"""

KNOWN = ("bike", "hqc", "mceliece")  # schemes of which the command does something of its own


def word_of(kem):
    return re.sub("[^a-z0-9]", "", kem.name.lower())


def algorithms(table):
    kems = [kem for kem in table.kems if kem.tls]
    lines = [*C_NOTICE, ALGORITHMS]
    for kem in kems:
        word = word_of(kem)
        lines.append(
            f'ALGORITHM({word}, "{kem.name}", "{kem.name}", NULL, "{word}", {kem.tls["alone"]})'
        )
    for kem in kems:
        for half, point in list(kem.tls.items())[1:]:
            word = f"{half}_{word_of(kem)}"
            lines.append(f'ALGORITHM({word}, "{word}", "{kem.name}", &{half}, "{word}", {point})')
    return "\n".join([*lines, ""])


def identifiers(table):
    lines = [
        *C_NOTICE,
        IDENTIFIERS,
        f'#define ARC "{table.arc}"',
    ]
    for kem in filter(lambda kem: kem.oid, table.kems):
        lines.append(f'WRITTEN("{kem.name}", ARC ".{kem.oid}")')
    for kem in filter(lambda kem: kem.read_oid, table.kems):
        lines.append(f'READ("{kem.name}", "{kem.read_oid}")')
    for kem in filter(lambda kem: kem.seed_at_end, table.kems):
        lines.append(f'SEED_AT_END("{kem.name}")')
    return "\n".join([*lines, "#undef ARC", ""])


def facts(table):
    lines = [*C_NOTICE, FACTS]
    for kem in table.kems:
        core = kem.scheme in ("bike", "hqc") and not kem.superseded
        parts = kem.revision.get("hash") == "aes_sha2"
        scheme = kem.scheme if kem.scheme in KNOWN else "other"
        words = [f'"{kem.name}"', scheme, str(core).lower(), str(kem.level), str(parts).lower()]
        lines.append(f"FACTS({', '.join(words)})")
    return "\n".join([*lines, ""])


def files(table, _root):
    return {
        "apps/openssl-provider/algorithms.def": algorithms(table),
        "apps/key-encoding/key_oids.def": identifiers(table),
        "apps/command/kem_facts.def": facts(table),
    }


def regions(table, _root):
    rows = [f"  {kem.name}" for kem in table.current("bike", "hqc")]
    return {"apps/made.cmake": {"kems": rows}, "tools/made.cmake": {"kems": rows}}
