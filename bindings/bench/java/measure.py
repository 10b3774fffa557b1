# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The Java package beside Bouncy Castle, in one virtual machine."""

import pathlib
import re
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
ROUNDS = {True: 7, False: 31}  # quick or not
# KEM: repetitions of ours and of the peer in a round, after as many times as the virtual machine
# needs to compile them, and the goals with AVX-512 and without.
PAIRS = {
    "HQC-1": (100, 5, 60, (">= 25", ">= 12")),
    "BIKE-L1": (100, 1, 12, (">= 300", ">= 100")),
}


def build(work):
    """Returns the class path with the package, Bouncy Castle and the program, and its version."""
    from bindings import pack_java

    pom = (ROOT / "bindings/java/pom.xml").read_text()
    (version,) = re.findall(
        r"<artifactId>bcprov-jdk18on</artifactId>\s*<version>([^<]+)</version>", pom
    )
    staged = pack_java.stage(work / "java", pack_java.build_libraries([pack_java.host()]))
    # Bouncy Castle is for the project's tests; the program is one of them.
    tests = staged / "src" / "test" / "java"
    for path in tests.rglob("*.java"):
        path.unlink()
    (tests / "Measure.java").write_text((HERE / "Measure.java").read_text())
    pack_java.maven(
        *[staged, "test-compile", "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"],
        *[f"-Dartifact=org.bouncycastle:bcprov-jdk18on:{version}", f"-DoutputDirectory={work}"],
    )
    parts = [staged / "target" / "classes", staged / "target" / "test-classes"]
    (peer,) = work.glob("bcprov-*.jar")
    return ":".join(map(str, [*parts, peer])), version


def measure(work, quick):
    """Returns the rows of the Java package; work is a folder for what is built."""
    from bindings import pack_java
    from bindings.bench.timed_program import Program, compare

    path, version = build(work)
    java = pack_java.java_home() / "bin" / "java"
    flags = pathlib.Path("/proc/cpuinfo")
    vectors = flags.exists() and "avx512_vpopcntdq" in flags.read_text(errors="replace")
    told = subprocess.run([java, "-version"], capture_output=True, text=True, check=True).stderr
    rows = []
    with Program(java, "--enable-native-access=ALL-UNNAMED", "-cp", path, "Measure") as program:
        for kem, (ours, peer, warming, goals) in PAIRS.items():
            for _ in range(3):  # so often that the fastest compiler has its turn
                program.time(f"ours {kem} {20 * ours}")
                program.time(f"peer {kem} {warming}")
            our_times, peer_times, ratio = compare(
                lambda kem=kem, ours=ours: program.time(f"ours {kem} {ours}"),
                lambda kem=kem, peer=peer: program.time(f"peer {kem} {peer}"),
                ROUNDS[quick],
            )
            rows.append(
                {
                    "package": "Java",
                    "operation set": kem,
                    "ours_us": our_times,
                    "peer": f"Bouncy Castle {version}",
                    "peer_us": peer_times,
                    "ratio": 1 / ratio,
                    "goal": goals[not vectors],
                    "note": f"Java {told.split(chr(34))[1]}"
                    + ("; the peer has HQC of the tag v5.0.0" if kem == "HQC-1" else ""),
                }
            )
    return rows
