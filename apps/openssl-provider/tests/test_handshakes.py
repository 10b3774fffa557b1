# SPDX-License-Identifier: Apache-2.0 OR MIT
"""TLS 1.3 between `openssl s_server` and `openssl s_client` with every group."""

import json
import os
import re
import sys

import pytest

from tests.tls_programs import GROUPS, is_listening, run, share_bytes
from tools import stored_results

ALL = ":".join([*GROUPS, "X25519"])
REQUEST = b"GET / HTTP/1.0\r\n\r\n"

# Handshakes for the heap; growth that is noise of the allocator, not of handshakes, in bytes.
FEW, MANY = 1000, 10000
HEAP_NOISE = 16384


@pytest.fixture(scope="module")
def server(s_server):
    """A server that takes every group."""
    started = s_server(ALL)
    with started.running:
        yield started


@pytest.mark.parametrize("group", GROUPS)
def test_full_handshake(group, server, s_client):
    handshake = s_client(server.port, group)
    assert handshake.new and handshake.verified, handshake.output
    assert handshake.used(group)


def test_node_takes_a_group_from_the_shared_configuration(
    server, configuration, certificates, need
):
    """It connects with that group, and says nothing of it: docs/tls.md."""
    script = (
        'const tls = require("tls"), fs = require("fs");'
        f"const options = {{host: 'localhost', port: {server.port}, ecdhCurve: 'x25519_bikel1',"
        f"ca: fs.readFileSync('{certificates / 'ca.crt'}')}};"
        "const client = tls.connect(options, () => {"
        "console.log(client.getProtocol(), client.bytesWritten, client.getEphemeralKeyInfo());"
        "client.end(); });"
    )
    done = run([need("node"), "--openssl-shared-config", "-e", script], configuration)
    assert done.stdout == "TLSv1.3 0 {}\n"
    without = run([need("node"), "-e", script], configuration, check=False)
    assert without.returncode != 0


@pytest.mark.parametrize("group", GROUPS)
def test_resumption_makes_a_new_secret(group, server, s_client, tmp_path):
    session = tmp_path / "session.pem"
    first = s_client(server.port, group, "-sess_out", session, "-ign_eof", stdin=REQUEST)
    assert first.new and session.exists(), first.output
    second = s_client(server.port, group, "-sess_in", session)
    assert second.reused and second.used(group), second.output


@pytest.mark.parametrize("group", GROUPS)
def test_hello_retry_request(group, s_server, s_client):
    started = s_server(group)
    with started.running:
        handshake = s_client(started.port, f"X25519:{group}", "-msg")
    assert handshake.output.count(", ClientHello") == 2
    assert handshake.new and handshake.used(group), handshake.output


def test_client_certificate(s_server, s_client, certificates):
    started = s_server(
        ALL, "-Verify", "1", "-verify_return_error", "-CAfile", certificates / "ca.crt"
    )
    with started.running:
        for group in GROUPS:
            handshake = s_client(
                started.port,
                group,
                "-cert",
                certificates / "client.crt",
                "-key",
                certificates / "client.key",
            )
            assert handshake.new and handshake.used(group), handshake.output
        without = s_client(started.port, "bikel1", "-ign_eof", stdin=REQUEST)
        assert without.alert == "certificate required", without.output
    seen = re.findall(r"^depth=0 CN ?= ?client\nverify return:1$", started.log.read_text(), re.M)
    assert len(seen) == len(GROUPS)


def test_classical_peer_connects(server, s_client):
    for options in [{}, {"configuration": None}]:  # with the provider, and without
        handshake = s_client(server.port, "X25519", **options)
        assert handshake.new and handshake.verified, handshake.output


def test_classical_peer_is_refused_unless_configured(s_server, s_client):
    started = s_server("x25519_bikel1:hqc1")
    with started.running:
        assert s_client(started.port, "X25519").alert == "handshake failure"
        assert s_client(started.port, "X25519:hqc1").new
        assert is_listening(started.port)


@pytest.mark.parametrize("old", ["client", "server"])
def test_tls12_peer_connects_with_a_classical_group(old, s_server, s_client):
    """TLS 1.2 knows no KEM, so only the classical groups of a list count. P-256 is the
    certificate's."""
    mixed = "x25519_bikel1:hqc1:X25519:P-256"
    version = "-no_tls1_3" if old == "server" else ""
    options = ["-no_tls1_3"] if old == "client" else []
    started = s_server(mixed, version=version)
    with started.running:
        output = s_client(started.port, mixed, *options).output
        assert "New, TLSv1.2, Cipher is ECDHE-" in output, output
        assert "Server Temp Key: X25519, 253 bits" in output, output
        without = s_client(started.port, "x25519_bikel1:hqc1", *options)
        assert "Cipher is (NONE)" in without.output and is_listening(started.port)


def test_server_prefers_what_the_client_offers(server, s_client):
    handshake = s_client(server.port, "x25519_hqc1:X25519")
    assert handshake.new and handshake.used("x25519_hqc1")


@pytest.mark.long
@pytest.mark.parametrize(
    "group", ["x25519_bikel1", pytest.param("p521_hqc5", marks=pytest.mark.long)]
)
def test_hundred_connections_at_once(group, programs, module):
    """Each side has 100 threads, and each of the client's makes ten connections."""
    done = run(
        [
            programs / "bin" / "codekem_handshakes",
            "--group",
            group,
            "--threads",
            "100",
            "--count",
            "2000",
            "--provider",
            "codekem",
            "--module-path",
            module.parent,
        ]
    )
    row = json.loads(done.stdout)
    assert row["handshakes"] == 1000 + 1000


def check_heap(group, count, programs, module):
    environment = {"GLIBC_TUNABLES": "glibc.malloc.tcache_count=0:glibc.malloc.arena_max=1"}
    done = run(
        [
            programs / "bin" / "codekem_handshakes",
            "--group",
            group,
            "--threads",
            "1",
            "--count",
            count,
            "--provider",
            "codekem",
            "--module-path",
            module.parent,
        ],
        timeout=600,
        **environment,
    )
    row = json.loads(done.stdout)
    assert row["handshakes"] == count
    assert row["heap_growth_client"] < HEAP_NOISE and row["heap_growth_server"] < HEAP_NOISE, row


@pytest.mark.parametrize("group", ["p256_bikel1", "hqc1"])
def test_heap_does_not_grow(group, programs, module):
    check_heap(group, FEW, programs, module)


@pytest.mark.long
@pytest.mark.parametrize("group", GROUPS)
def test_heap_does_not_grow_in_many_handshakes(group, programs, module):
    check_heap(group, MANY, programs, module)


def test_time_that_is_over_at_once_gives_a_connection_of_each_client(programs, module):
    done = run(
        [
            programs / "bin" / "codekem_handshakes",
            "--group",
            "hqc1",
            "--seconds",
            "0.000001",
            "--threads",
            "2",
            "--provider",
            "codekem",
            "--module-path",
            module.parent,
        ]
    )
    row = json.loads(done.stdout)
    assert row["handshakes"] == 1 + 2 and row["median_ms"] > 0


def test_handshakes_print_what_the_evaluation_reads(programs, module):
    done = run(
        [
            programs / "bin" / "codekem_handshakes",
            "--group",
            "x448_bikel3",
            "--count",
            "40",
            "--provider",
            "codekem",
            "--module-path",
            module.parent,
            "--implementation",
            "codekem",
        ],
        OPENSSL_CONF=os.devnull,
    )
    row = json.loads(done.stdout)
    assert {
        "group",
        "implementation",
        "handshakes_per_second",
        "median_ms",
        "p95_ms",
        "p99_ms",
        "bytes_client",
        "bytes_server",
    } <= set(row)
    client, server = share_bytes("x448_bikel3")
    assert row["bytes_client"] > client and row["bytes_server"] > server
    assert 0 < row["median_ms"] <= row["p95_ms"] <= row["p99_ms"]


def test_all_groups_are_measured_by_one_script(root, programs, tmp_path):
    script = root / "apps/openssl-provider/benchmark/all_groups.py"
    run(
        [
            sys.executable,
            script,
            programs,
            "--seconds",
            "0.1",
            "--rounds",
            "1",
            "--output",
            tmp_path / "rows.json",
            "X25519",
            "hqc1",
            "p521_bikel5",
        ]
    )
    document = json.loads((tmp_path / "rows.json").read_text())
    rows = document["rows"]
    assert document["made_from"] == stored_results.made_from("tls", document, folder=programs)
    assert [(row["group"], row["implementation"]) for row in rows] == [
        ("X25519", "openssl"),
        ("hqc1", "codekem"),
        ("p521_bikel5", "codekem"),
    ]
    assert all(row["handshakes_per_second"] > 0 for row in rows)
