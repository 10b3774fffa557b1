# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What can be measured beside codekem, whether this machine can, and the command that gets each."""

import shutil

from codekem_evaluation import paths, peers

READY = "ready"
LIBOQS = (
    "git clone --depth 1 --branch 0.16.0 https://github.com/open-quantum-safe/liboqs && "
    "codekem-evaluation run --full $(evaluation/peers/liboqs.sh liboqs build/liboqs)"
)
BUILD = "evaluation/peers/build.py"
# What build.py builds: its name there, what it is, its KEMs, where SOURCE comes from.
BUILT = (
    ("hqc-authors", "HQC's authors, portable and AVX2", "HQC", "the package from pqc-hqc.org"),
    ("bike-kem", "bike-kem, AVX2 and AVX-512", "BIKE", "a clone of github.com/awslabs/bike-kem"),
    (
        "libmceliece",
        "libmceliece, AVX2",
        "Classic McEliece",
        "where Debian's libmceliece1 and libmceliece-dev are unpacked",
    ),
)
CRATES = {
    "liboqs": ("liboqs 0.13", "BIKE, Classic McEliece, HQC of 2023, ML-KEM"),
    "rustcrypto": ("RustCrypto hqc-kem", "HQC"),
}
TOOLS = ("git", "cmake", "ninja", "cc")
SHARED = (
    "shared, with crypto_kem_keypair, crypto_kem_enc and crypto_kem_dec, as NIST's packages of "
    "reference code have them, and keys and ciphertexts as long as codekem's; randombytes may be "
    "left out"
)


def state_of_crates():
    """Says whether run measures the crates, or can build them."""
    built = peers.program_in(paths.PEERS_BUILD).is_file()
    return READY if built else "not built yet, which takes minutes"


def lines():
    """Yields what there is, its KEMs and its state here, and below each the command."""
    able, lacking = peers.features()
    reasons = {error.what: f"{error.reason}; {error.remedy}" for error in lacking}
    for feature, (what, kems) in CRATES.items():
        state = state_of_crates() if feature in able else reasons[peers.NAMES[feature]]
        yield f"{what} ({kems}): {state}"
        yield f"  codekem-evaluation run --peers, or {peers.AGAIN}; once built, run measures it"
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    state = f"install {', '.join(missing)}" if missing else READY
    yield f"liboqs 0.16, built in three ways (BIKE, HQC): {state}"
    yield f"  {LIBOQS}"
    for name, what, kems, source in BUILT:
        state = READY if shutil.which("gcc") else "install gcc"
        yield f"{what} ({kems}): {state}"
        yield f"  codekem-evaluation run --full $({BUILD} {name} SOURCE build/{name})"
        yield f"  SOURCE is {source}"
    yield f"any other library (KEMs of codekem): {SHARED}"
    option = "--peer NAME@VERSION:KEM=LIBRARY.so@CODE, CODE portable or vector"
    yield f"  codekem-evaluation run {option}"
    yield "what packages for other languages compete with: it says when it runs what it lacks"
    yield "  codekem-evaluation packages"
