# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Key shares that are not what they should be, from a TLS client and a TLS server made of bytes.

The other side must answer with an alert, and go on serving others."""

import os
import socket
import struct
import threading

import pytest

from tests.tls_programs import CODE_POINTS, GROUPS, classical_bytes, free_port, run, share_bytes

HANDSHAKE, ALERT = 22, 21
BAD_RECORD_MAC, ILLEGAL_PARAMETER, DECODE_ERROR, INTERNAL_ERROR = 20, 47, 50, 80
LARGEST_RECORD = 16384
ANSWER_SECONDS = 120  # something hangs; on a busy machine all takes its time
RANDOM = bytes(range(32))


def vector(size, content):
    """Returns content behind its length in size bytes."""
    return len(content).to_bytes(size, "big") + content


def extension(kind, content):
    return struct.pack("!H", kind) + vector(2, content)


def records(message):
    """Returns a handshake message in as many TLS records as it needs."""
    parts = [message[i : i + LARGEST_RECORD] for i in range(0, len(message), LARGEST_RECORD)]
    return b"".join(struct.pack("!BHH", HANDSHAKE, 0x0301, len(part)) + part for part in parts)


def client_hello(code_point, share, announced=None):
    """Returns a ClientHello with this key share; announced is the length that it claims."""
    entry = struct.pack("!HH", code_point, len(share) if announced is None else announced) + share
    extensions = (
        extension(43, vector(1, b"\x03\x04"))  # TLS 1.3
        + extension(13, vector(2, b"\x04\x03\x08\x04"))  # ECDSA on P-256, RSA-PSS
        + extension(10, vector(2, struct.pack("!H", code_point)))
        + extension(51, vector(2, entry))
    )
    body = (
        b"\x03\x03"
        + RANDOM
        + vector(1, b"")
        + vector(2, b"\x13\x01")
        + vector(1, b"\0")
        + vector(2, extensions)
    )
    return records(b"\x01" + vector(3, body))


def server_hello(code_point, share, session):
    """Returns a ServerHello that chooses this group."""
    extensions = extension(43, b"\x03\x04") + extension(
        51, struct.pack("!H", code_point) + vector(2, share)
    )
    body = b"\x03\x03" + RANDOM + vector(1, session) + b"\x13\x01" + b"\0" + vector(2, extensions)
    return records(b"\x02" + vector(3, body))


def receive(connection, length):
    """Returns that many bytes, fewer if the other side closes."""
    data = b""
    while len(data) < length:
        try:
            part = connection.recv(length - len(data))
        except ConnectionError:
            part = b""
        if not part:
            break
        data += part
    return data


def record(connection):
    """Returns the kind and content of a TLS record; (None, b"") at the end."""
    header = receive(connection, 5)
    if len(header) < 5:
        return None, b""
    return header[0], receive(connection, int.from_bytes(header[3:], "big"))


def answer_to(port, hello):
    """Returns how a server answers a ClientHello: an alert's number, or "hello"."""
    with socket.create_connection(("127.0.0.1", port), timeout=ANSWER_SECONDS) as connection:
        connection.sendall(hello)
        kind, content = record(connection)
    if kind == HANDSHAKE:
        return "hello" if content[0] == 2 else content[0]
    assert kind == ALERT, f"neither an alert nor a handshake: {kind} {content.hex()}"
    return content[1]


@pytest.fixture(scope="module")
def server(s_server, tmp_path_factory):
    started = s_server(":".join(GROUPS))
    with started.running:
        yield started


@pytest.fixture(scope="module")
def good_shares(programs, module):
    """A key share of each group that a client might send."""
    shares = {}
    output = run([programs / "bin" / "provider_check", module.parent, "shares"]).stdout
    for line in output.splitlines():
        name, share = line.split()
        shares[name] = bytes.fromhex(share)
    return {group: shares[group] for group in GROUPS}


def bad_shares(group, good):
    """Returns {what is wrong: (share, alerts that may answer)} for a client's key share."""
    half = classical_bytes(group)
    refused = {ILLEGAL_PARAMETER, DECODE_ERROR}
    cases = {
        "empty": b"",
        "one byte": good[:1],
        "cut off": good[:-1],
        "one byte more": good + b"\0",
        "oversized": (good * 8)[:60000],
        "unused bits": good[:-1] + bytes([good[-1] | 0x80]),
        "zeros but for unused bits": bytes(len(good) - 1) + b"\x80",
    }
    if half:
        cases["classical half alone"] = good[:half]
        cases["KEM's half alone"] = good[half:]
        cases["length field between the halves"] = struct.pack("!I", half) + good
        cases["length of another group"] = good[:-100]
    if group.startswith("p"):
        cases["swapped halves"] = good[half:] + good[:half]
        cases["no point of the curve"] = good[:10] + bytes([good[10] ^ 1]) + good[11:]
        cases["compressed point"] = b"\x02" + good[1:]
        cases["point at infinity"] = bytes(half) + good[half:]
    if group.startswith("x"):
        cases["point of small order"] = bytes(half) + good[half:]
    return {what: (share, refused) for what, share in cases.items()}


@pytest.mark.parametrize("group", GROUPS)
def test_server_refuses_bad_key_shares(group, server, good_shares, s_client):
    good = good_shares[group]
    assert len(good) == share_bytes(group)[0]
    assert answer_to(server.port, client_hello(CODE_POINTS[group], good)) == "hello"
    for what, (share, alerts) in bad_shares(group, good).items():
        answer = answer_to(server.port, client_hello(CODE_POINTS[group], share))
        assert answer in alerts, (what, answer)
    for announced in [len(good) - 1, len(good) + 1, 65535]:
        answer = answer_to(server.port, client_hello(CODE_POINTS[group], good, announced))
        assert answer in {DECODE_ERROR, ILLEGAL_PARAMETER}, (announced, answer)
    assert s_client(server.port, group).new


@pytest.mark.parametrize("group", ["x25519_bikel1", "x448_hqc3"])
def test_swapped_halves_of_curves_without_checks_give_no_connection(group, server, good_shares):
    """X25519 and X448 take any bytes, and so may the KEM: then the secrets differ."""
    good = good_shares[group]
    half = classical_bytes(group)
    answer = answer_to(server.port, client_hello(CODE_POINTS[group], good[half:] + good[:half]))
    assert answer == "hello" or answer in {ILLEGAL_PARAMETER, DECODE_ERROR, INTERNAL_ERROR}


class BadServer:
    """A server that answers one ClientHello with a key share, and notes the client's alert."""

    def __init__(self, code_point, share):
        self.port = free_port()
        self.alert = None
        self._answer = (code_point, share)
        self._listener = socket.create_server(("127.0.0.1", self.port))
        self._listener.settimeout(ANSWER_SECONDS)
        self._thread = threading.Thread(target=self._serve)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._thread.join(ANSWER_SECONDS)
        self._listener.close()

    def _serve(self):
        connection, _ = self._listener.accept()
        with connection:
            connection.settimeout(ANSWER_SECONDS)
            _, hello = record(connection)
            session = hello[39 : 39 + hello[38]]
            connection.sendall(server_hello(*self._answer, session))
            # What a server would encrypt: a client that took the share cannot decrypt it.
            connection.sendall(b"\x17\x03\x03" + vector(2, os.urandom(64)))
            while self.alert is None:
                kind, content = record(connection)
                if kind is None:
                    break
                if kind == ALERT:
                    self.alert = content[1]


@pytest.mark.parametrize("group", GROUPS)
def test_client_refuses_bad_key_shares(group, s_client):
    """libssl answers with internal_error where decapsulation fails for whatever reason."""
    length = share_bytes(group)[1]
    half = classical_bytes(group)
    refused = {ILLEGAL_PARAMETER, DECODE_ERROR, INTERNAL_ERROR}
    noise = bytes((7 * i + 1) % 251 for i in range(length))
    cases = {
        "empty": (b"", refused),
        "cut off": (noise[:-1], refused),
        "one byte more": (noise + b"\0", refused),
        "oversized": ((noise * 40)[:60000], refused),
    }
    if group.startswith("p"):
        cases["no point"] = (noise, refused)
        cases["uncompressed, but no point"] = (b"\x04" + noise[1:], refused)
    elif group.startswith("x"):
        cases["point of small order"] = (bytes(half) + noise[half:], refused)
    else:  # ciphertexts of nobody: implicit rejection, and then nothing can be decrypted
        cases["weight 1"] = (b"\1" + bytes(length - 1), {BAD_RECORD_MAC})
        cases["weight 2"] = (b"\3" + bytes(length - 1), {BAD_RECORD_MAC})
        cases["zeros"] = (bytes(length), {BAD_RECORD_MAC})
        cases["ones"] = (b"\xff" * length, {BAD_RECORD_MAC})
    for what, (share, alerts) in cases.items():
        with BadServer(CODE_POINTS[group], share) as server:
            handshake = s_client(server.port, group)
        assert "no peer certificate available" in handshake.output, what
        assert server.alert in alerts, (what, server.alert, handshake.output)


def test_client_refuses_a_group_that_it_did_not_offer(s_client):
    with BadServer(CODE_POINTS["hqc1"], bytes(share_bytes("hqc1")[1])) as server:
        assert "no peer certificate available" in s_client(server.port, "bikel1").output
    assert server.alert == ILLEGAL_PARAMETER


class Tampering:
    """Stands between a client and a server, and flips one bit of the first bytes of one side."""

    def __init__(self, port, side, position):
        self._to, self._side, self._position = port, side, position
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(ANSWER_SECONDS)
        self.port = self._listener.getsockname()[1]
        self._threads = [threading.Thread(target=self._accept)]

    def __enter__(self):
        self._threads[0].start()
        return self

    def __exit__(self, *_):
        for thread in self._threads:
            thread.join(2 * ANSWER_SECONDS)
        self._listener.close()

    def _accept(self):
        client, _ = self._listener.accept()
        server = socket.create_connection(("127.0.0.1", self._to), timeout=ANSWER_SECONDS)
        client.settimeout(ANSWER_SECONDS)
        for name, one, other in [("client", client, server), ("server", server, client)]:
            thread = threading.Thread(target=self._copy, args=(name, one, other))
            self._threads.append(thread)
            thread.start()

    def _copy(self, name, source, target):
        seen = 0
        try:
            while data := source.recv(65536):
                at = self._position - seen
                if name == self._side and 0 <= at < len(data):
                    data = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
                seen += len(data)
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            source.close()
            target.close()


@pytest.mark.parametrize("side", ["client", "server"])
@pytest.mark.parametrize("group", GROUPS)
def test_tampering_on_the_way_is_noticed(group, side, server, s_client):
    """The bit is inside the KEM's half of the share, wherever exactly that begins."""
    length = share_bytes(group)[side == "server"]
    with Tampering(server.port, side, 120 + classical_bytes(group) + length // 3) as between:
        handshake = s_client(between.port, group, timeout=4 * ANSWER_SECONDS)
    assert handshake.alert or "error" in handshake.output, handshake.output
    assert "no peer certificate available" in handshake.output
    assert s_client(server.port, group).new
