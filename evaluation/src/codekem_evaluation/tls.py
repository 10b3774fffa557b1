# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Adds TLS 1.3 handshakes over loopback to a run; codekem_handshakes of the provider measures
them."""

import pathlib

from codekem_base.errors import Unavailable
from codekem_base.parameters import GROUPS
from codekem_evaluation import sampler

CODEKEM = (*GROUPS, "x25519_bikel1", "x25519_hqc1")
# What a server would take otherwise, of OpenSSL itself.
OPENSSL = {"X25519": "OpenSSL 3 has it", "X25519MLKEM768": "use OpenSSL 3.5 or later"}
SECONDS = {"quick": 0.4, "full": 6}
KEYS = (
    "group",
    "implementation",
    "handshakes_per_second",
    "median_ms",
    "p95_ms",
    "p99_ms",
    "bytes_client",
    "bytes_server",
)


def take(run, build, progress):
    """Fills run["tls"]: server and client are processes on a core each, so nothing is pinned
    here."""
    program = pathlib.Path(build) / "bin" / "codekem_handshakes"
    if not program.is_file():
        raise Unavailable(
            "TLS handshakes",
            f"there is no {program.name} in the build",
            "build the provider: run 'make evaluate'",
        )
    provider = ["--provider", "codekem", "--module-path", pathlib.Path(build) / "ossl-modules"]
    groups = [
        *[(name, "openssl", [], remedy) for name, remedy in OPENSSL.items()],
        *[(name, "codekem", provider, "run 'make evaluate' again") for name in CODEKEM],
    ]
    for number, (group, implementation, options, remedy) in enumerate(groups):
        progress(number, len(groups), f"TLS handshakes: {group}")
        try:
            row = sampler.call(
                [
                    program,
                    "--group",
                    group,
                    "--implementation",
                    implementation,
                    "--seconds",
                    SECONDS[run["mode"]],
                    *options,
                ],
                f"TLS handshakes with {group}",
                remedy,
            )
            run["tls"].append({key: row[key] for key in KEYS})
        except Unavailable as error:
            run["unavailable"].append(error.as_json())
