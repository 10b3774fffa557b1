# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A made-up run whose true values are known, and the command."""

import json
import random

import pytest

from codekem_evaluation import parts, store
from tests import rooms

KEMS = [
    ("BIKE-L1", "BIKE", 1, 1541, 5223, 1573),
    ("BIKE-L3", "BIKE", 3, 3083, 10105, 3115),
    ("HQC-1", "HQC", 1, 2241, 2321, 4433),
    ("ML-KEM-512", "ML-KEM", 1, 800, 1632, 768),
]
# Microseconds of keygen, encaps and decaps of BIKE-L1; others are multiples.
TRUE_TIMES = {"portable": (800, 70, 1200), "avx2": (80, 20, 150), "liboqs": (400, 50, 800)}
FACTORS = {"BIKE-L1": 1, "BIKE-L3": 3, "HQC-1": 0.5, "ML-KEM-512": 0.1}
SURVEY_PROCESSOR = "Intel(R) Core(TM) i5-10310U CPU @ 1.70GHz"


def made_up_run(seed=1, factor=1.0, cpu="Some Processor", rounds=11, samples=20, core_hz=4e9):
    """Returns a run whose samples scatter around TRUE_TIMES times factor."""
    rng = random.Random(seed)
    times = []
    for kem, scheme, *_ in KEMS:
        for implementation, true in TRUE_TIMES.items():
            if scheme == "ML-KEM" and implementation != "liboqs":
                continue
            for operation, value in zip(("keygen", "encaps", "decaps"), true, strict=True):
                centre = value * 1000 * FACTORS[kem] * factor
                taken = [
                    [centre * shift * rng.lognormvariate(0, 0.01) for _ in range(samples)]
                    for shift in [rng.lognormvariate(0, 0.005) for _ in range(rounds)]
                ]
                times.append(
                    {
                        "kem": kem,
                        "implementation": implementation,
                        "operation": operation,
                        "nanoseconds": taken,
                        "cycles": [[value * 2.6 for value in batch] for batch in taken],
                    }
                )
    return {
        "schema": store.SCHEMA_NAME,
        "created": "2026-01-02T03:04:05Z",
        "mode": "full",
        "complete": True,
        "machine": {
            "cpu": cpu,
            "architecture": "x86_64",
            "features": ["avx2"],
            "logical_cpus": 2,
            "os": "Debian",
            "kernel": "Linux 6",
            "governor": "performance",
            "boost": False,
            "core": 1,
            "load": 0.0,
        },
        "build": {
            "commit": "0" * 40,
            "modified": False,
            "compiler": "gcc 12",
            "flags": "-O3",
            "build_type": "Release",
            "codekem": "0.1.0",
        },
        "clock": {
            "time": "CLOCK_MONOTONIC",
            "cycles": "time-stamp counter",
            "cycles_hz": 2.6e9,
            "core_hz": [core_hz] * rounds,
        },
        "settings": {"rounds": rounds, "milliseconds": 1, "most": samples, "seed": 1},
        "waits": {"operations": 1000, "waited": 0},
        "kems": [
            {
                "name": name,
                "scheme": scheme,
                "level": level,
                "version": "1",
                "legacy": False,
                "public_key_bytes": pk,
                "secret_key_bytes": sk,
                "ciphertext_bytes": ct,
            }
            for name, scheme, level, pk, sk, ct in KEMS
        ],
        "implementations": [
            {"name": "portable", "kind": "codekem", "version": "0.1.0"},
            {"name": "avx2", "kind": "codekem", "version": "0.1.0"},
            {
                "name": "liboqs",
                "kind": "peer",
                "version": "0.13",
                "note": "HQC is the revision of 2023",
            },
        ],
        "times": times,
        "profile": [
            {
                "kem": "BIKE-L1",
                "backend": backend,
                "operation": operation,
                "part": part,
                "cycles": cycles,
                "share": 0.5,
                "calls": 1,
            }
            for backend in ("portable", "avx2")
            for operation, part, cycles in [
                ("keygen", "inversion", 30),
                ("keygen", "other", 10),
                ("encaps", "H function", 2),
                ("encaps", "other", 3),
                ("decaps", "decoding", 50),
                ("decaps", "other", 5),
            ]
        ],
        "profile_samples": [],
        "tls": [
            {
                "group": "bikel1",
                "implementation": "codekem",
                "handshakes_per_second": 900.0,
                "median_ms": 1.5,
                "p95_ms": 2.0,
                "p99_ms": 3.0,
                "bytes_client": 1800,
                "bytes_server": 2200,
            }
        ],
        "stack": [
            {"kem": "BIKE-L1", "implementation": "avx2", "operation": operation, "bytes": 50000}
            for operation in ("keygen", "encaps", "decaps")
        ],
        "code": [
            {
                "part": "bike",
                "backend": "avx2",
                "code_bytes": 1000,
                "table_bytes": 10,
                "objects": ["counters_avx2.c.o"],
            },
            {
                "part": "base",
                "backend": None,
                "code_bytes": 100,
                "table_bytes": 1,
                "objects": ["cpu.c.o"],
            },
        ],
        "unavailable": [
            {"what": "RustCrypto hqc-kem", "reason": "there is no cargo", "remedy": "install Rust"}
        ],
    }


OF_PARTS = {}  # by the modules of the parts


@pytest.fixture(autouse=True)
def sections_of_parts(monkeypatch):
    """What other rooms add to a report takes longer than the rest, and is made once for all."""
    make = parts.sections

    def made_once():
        key = tuple(parts.loaded()[0])
        if key not in OF_PARTS:
            OF_PARTS[key] = make()
        return list(OF_PARTS[key])

    monkeypatch.setattr(parts, "sections", made_once)


@pytest.fixture(scope="session")
def make_run():
    return made_up_run


@pytest.fixture
def survey_processor():
    """The processor of the survey, as Linux names it."""
    return SURVEY_PROCESSOR


@pytest.fixture
def stored(tmp_path):
    """stored(run) writes a run and returns its path."""
    count = iter(range(1000))

    def write(run):
        path = tmp_path / f"run-{next(count)}.json"
        path.write_text(json.dumps(run))
        return path

    return write


@pytest.fixture(scope="session")
def evaluation_build(build):
    """A build with the programs that measure, the command among them."""
    rooms.need_room("apps")
    return build("gcc")
