# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Peers that are shared libraries: side by side in one process; liboqs as the script builds it."""

import os
import platform
import subprocess
import sys

import pytest

from codekem_evaluation import findings, measure, peers, sampler


@pytest.fixture
def program(evaluation_build):
    return sampler.Sampler(evaluation_build)


def test_side_by_side_prints_ratios_with_their_intervals(evaluation_build, root):
    done = subprocess.run(
        [
            sys.executable,
            root / "evaluation" / "peers" / "side_by_side.py",
            evaluation_build,
            "portable",
            "HQC-1=reference",
            "--rounds",
            "12",
        ],
        stdin=subprocess.DEVNULL,
        text=True,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    head, rule, *rows = done.stdout.splitlines()
    assert head == "| KEM | operation | codekem | quartiles | peer | quartiles | ratio | interval |"
    assert rule.count("|") == head.count("|")
    assert [row.split(" | ")[:2] for row in rows] == [
        ["| HQC-1", name] for name in ("keypair", "encaps", "decaps")
    ]
    for row in rows:
        ratio, interval = row.strip("| ").split(" | ")[-2:]
        low, high = map(float, interval.split(" to "))
        assert low <= float(ratio) <= high


def test_notes_on_a_peer_are_kept_for_each_scheme(monkeypatch, make_run):
    sizes = {f"{part}_bytes": 1 for part in ("public_key", "secret_key", "ciphertext")}
    rows = [
        {"library": "theirs", "kem": kem, "version": "1", "note": note, **sizes}
        for kem, note in [
            ("BIKE-L1", "vector code"),
            ("BIKE-L3", "vector code"),
            ("HQC-1", "plain C"),
            ("ML-KEM-512", ""),
        ]
    ]
    monkeypatch.setattr(sampler, "call", lambda *_: rows)
    run = make_run()
    assert len(peers.subjects("program", run)) == 4
    theirs = next(i for i in run["implementations"] if i["name"] == "theirs")
    assert theirs["note"] == "BIKE is vector code; HQC is plain C"
    assert findings.described(theirs, "HQC") == "theirs (1, HQC is plain C)"
    assert findings.described(theirs, "ML-KEM") == "theirs (1)"


# A liboqs as small as can be: what liboqs.sh needs of its folders, options and functions.
SMALL_LIBOQS = {
    "src/common/common.h": "",
    "CMakeLists.txt": """
cmake_minimum_required(VERSION 3.25)
project(liboqs C)
add_library(oqs STATIC kems.c)
target_include_directories(oqs PRIVATE "${PROJECT_BINARY_DIR}/include")
set_target_properties(oqs PROPERTIES ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
foreach(header oqs oqsconfig)
  configure_file(${header}.h "${PROJECT_BINARY_DIR}/include/oqs/${header}.h" COPYONLY)
endforeach()
file(WRITE "${PROJECT_BINARY_DIR}/options"
     "${OQS_DIST_BUILD} ${OQS_OPT_TARGET} ${CMAKE_BUILD_TYPE}")
""",
    "oqsconfig.h": '#define OQS_VERSION_TEXT "0.99"\n',
    "oqs.h": """
#include <stddef.h>
#include <oqs/oqsconfig.h>
#define OQS_RAND_alg_system "system"
void OQS_randombytes_custom_algorithm(void (*fill)(unsigned char *, size_t));
int OQS_randombytes_switch_algorithm(const char *name);
typedef enum { OQS_ERROR = -1, OQS_SUCCESS = 0 } OQS_STATUS;
#define DECLARE(name) OQS_STATUS OQS_KEM_##name##_keypair(unsigned char *, unsigned char *); \\
  OQS_STATUS OQS_KEM_##name##_encaps(unsigned char *, unsigned char *, const unsigned char *); \\
  OQS_STATUS OQS_KEM_##name##_decaps(unsigned char *, const unsigned char *, const unsigned char *);

#define KEM_LIST(K) K(bike_l1) K(bike_l3) K(bike_l5) K(hqc_1) K(hqc_3) K(hqc_5)
KEM_LIST(DECLARE)
""",
    "kems.c": """
#include <oqs/oqs.h>
#include <string.h>
void OQS_randombytes_custom_algorithm(void (*fill)(unsigned char *, size_t)) { (void)fill; }
int OQS_randombytes_switch_algorithm(const char *name) { return name == NULL; }
#define DEFINE(name) \\
  OQS_STATUS OQS_KEM_##name##_keypair(unsigned char *p, unsigned char *s) { \\
    p[0] = s[0] = 1; return OQS_SUCCESS; } \\
  OQS_STATUS OQS_KEM_##name##_encaps(unsigned char *c, unsigned char *k, \\
                                     const unsigned char *p) { \\
    memset(k, 7, 64); c[0] = p[0]; return OQS_SUCCESS; } \\
  OQS_STATUS OQS_KEM_##name##_decaps(unsigned char *k, const unsigned char *c, \\
                                     const unsigned char *s) { \\
    memset(k, 7, 64); return c[0] == s[0] ? OQS_SUCCESS : OQS_ERROR; }
KEM_LIST(DEFINE)
""",
}


@pytest.fixture
def small_liboqs(tmp_path):
    for name, text in SMALL_LIBOQS.items():
        path = tmp_path / "liboqs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "liboqs"


def build_liboqs(root, *arguments):
    return subprocess.run(
        [root / "evaluation" / "peers" / "liboqs.sh", *arguments],
        text=True,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )


def test_liboqs_is_built_in_several_ways_and_measured(
    small_liboqs, root, program, make_run, tmp_path
):
    done = build_liboqs(root, small_liboqs, tmp_path / "built")
    assert done.returncode == 0, done.stderr
    pairs = [line.removeprefix("--peer ") for line in done.stdout.splitlines()]
    assert all(pair.endswith("@portable") for pair in pairs if "portable:" in pair or "HQC" in pair)
    ways = ["portable", "dist", *(["vpclmul"] if platform.machine() == "x86_64" else [])]
    assert [pair.split("=")[0] for pair in pairs] == [
        f"liboqs-0.99-{way}:{kem}"
        for way in ways
        for kem in ("BIKE-L1", "BIKE-L3", "BIKE-L5", "HQC-1", "HQC-3", "HQC-5")
    ]
    assert (tmp_path / "built" / "portable" / "options").read_text() == "OFF generic Release"
    assert (tmp_path / "built" / "dist" / "options").read_text() == "ON  Release"
    run = make_run()
    run["kems"] += [{"name": name} for name in ("BIKE-L5", "HQC-3", "HQC-5")]
    subjects = peers.shared_libraries(program, run, pairs)
    assert len(subjects) == 6 * len(ways)
    batch = subjects[3].take(1e6, 5)
    assert [len(batch["nanoseconds"][o]) for o in measure.OPERATIONS] == [5, 5, 5]


@pytest.mark.long
def test_back_end_of_a_liboqs_with_our_code_is_chosen(small_liboqs, root, tmp_path):
    """As docs/liboqs.md measures it; a back end that is not there measures nothing."""
    with (small_liboqs / "kems.c").open("a") as source:
        source.write(
            "int hqc_codekem_backend_select(const char *);\n"
            'int hqc_codekem_backend_select(const char *name) { return strcmp(name, "avx2"); }\n'
        )
    done = build_liboqs(root, small_liboqs, tmp_path / "built", "dist")
    assert done.returncode == 0, done.stderr
    assert [line.rpartition("@")[2] for line in done.stdout.splitlines()][3:] == ["vector"] * 3
    for backend, code, said in (
        ("avx2", 0, ""),
        ("mmx", 1, "CODEKEM_CPU=mmx: liboqs's copy has no such back end here\n"),
    ):
        load = f"import ctypes; ctypes.CDLL({str(tmp_path / 'built' / 'dist-hqc_1.so')!r})"
        loaded = subprocess.run(
            [sys.executable, "-c", load],
            env=os.environ | {"CODEKEM_CPU": backend}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (loaded.returncode, loaded.stderr) == (code, said)


def test_liboqs_that_is_none_or_does_not_build_is_a_clear_error(small_liboqs, root, tmp_path):
    done = build_liboqs(root, tmp_path, tmp_path / "built")
    assert done.returncode == 1
    assert done.stderr == (
        f"liboqs.sh: {tmp_path} is not a checkout of liboqs: it has no src/common/common.h\n"
    )
    (small_liboqs / "kems.c").write_text("wrong")
    done = build_liboqs(root, small_liboqs, tmp_path / "built")
    assert done.returncode == 1 and not done.stdout
    assert done.stderr == (
        f"liboqs.sh: liboqs does not build; {tmp_path}/built/portable.log says why\n"
    )
