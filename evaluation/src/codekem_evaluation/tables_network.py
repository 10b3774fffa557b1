# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Sizes, time on the wire, and TLS handshakes."""

import math

from codekem_evaluation import inputs, paths, published
from codekem_evaluation.long import Column, Row, Spec, each
from codekem_evaluation.samples import OPERATIONS, OVERALL, trace_id

# Name, bits in a second, milliseconds for a round trip.
LINKS = (
    ("1 Gbit/s, 1 ms", 1e9, 1.0),
    ("100 Mbit/s, 20 ms", 1e8, 20.0),
    ("10 Mbit/s, 50 ms", 1e7, 50.0),
    ("1 Mbit/s, 100 ms", 1e6, 100.0),
)
SEGMENT = 1460  # bytes of payload in a packet of Ethernet
HEADERS = 78  # Ethernet with preamble and gap, IP version 4, TCP
RETRANSMISSION = 200.0  # milliseconds that Linux waits at least for an acknowledgement
INITIAL_WINDOW = 10  # segments before the first acknowledgement [RFC6928, 2]


SIZES = Spec(
    "sizes",
    "Sizes in bytes",
    {"KEM": "subject"},
    [
        Column(name, name, digits=0)
        for name in ("category", "public key", "secret key", "ciphertext", "on the wire")
    ],
    printed=True,
)
WIRE = Spec(
    "wire",
    "One key exchange in milliseconds: computing, and with the network",
    {"KEM": "subject", "implementation": "code"},
    each({name: name for name in ("computing", *(name for name, *_ in LINKS))}, "exchange", "ms"),
)
TLS = Spec(
    "tls",
    "TLS 1.3 handshakes over loopback",
    {"group": "subject", "implementation": "code"},
    [
        Column(heading, metric, digits=digits, why="not measured there")
        for heading, metric, digits in (
            ("handshakes a second", "handshakes_per_second", None),
            ("median, ms", "median_ms", None),
            ("95 %, ms", "p95_ms", None),
            ("99 %, ms", "p99_ms", None),
            ("bytes, client", "bytes_client", 0),
            ("bytes, server", "bytes_server", 0),
        )
    ],
)


def kems_with_sizes(run):
    """Returns the KEMs of today and ML-KEM: from the run, or as published if no peer has it."""
    kems = [{**kem, "trace": f"kems/{kem['name']}"} for kem in run["kems"] if not kem.get("legacy")]
    known = {kem["name"] for kem in kems}
    for row in published.rows("mlkem_sizes"):
        if row["kem"] not in known:
            sizes = {key: int(row[key]) for key in row if key.endswith("_bytes")}
            kems.append(
                {
                    "name": row["kem"],
                    "scheme": "ML-KEM",
                    "level": int(row["level"]),
                    "trace": row["trace"],
                    **sizes,
                }
            )
    return kems


def of_sizes(run):
    """Yields the bytes of keys and ciphertexts."""
    for kem in kems_with_sizes(run):
        parts = [kem[f"{part}_bytes"] for part in ("public_key", "secret_key", "ciphertext")]
        values = (kem["level"], *parts, parts[0] + parts[2])
        for column, value in zip(SIZES.columns, values, strict=True):
            unit = "" if column.metric == "category" else "bytes"
            yield Row(kem["name"], metric=column.metric, value=value, unit=unit,
                      source=kem["trace"].split("/")[0], trace=kem["trace"])  # fmt: skip


def sizes(run):
    notes = ["on the wire: public key one way, ciphertext the other way"]
    return SIZES.table(of_sizes(run), notes)


def transfer(size, bits, round_trip):
    """Returns milliseconds until a message of size bytes has arrived, at the start of a connection.

    Half a round trip, the time of its bits with the headers of its segments, and a round trip more
    for every window that it fills; the window doubles each time.
    """
    segments = math.ceil(size / SEGMENT)
    window, sent, waits = INITIAL_WINDOW, INITIAL_WINDOW, 0
    while sent < segments:
        window *= 2
        sent += window
        waits += 1
    return (size + segments * HEADERS) * 8 / bits * 1e3 + round_trip * (0.5 + waits)


def wire(parts, bits, round_trip):
    """Returns milliseconds until messages of so many bytes, one after the other, have arrived."""
    return sum(transfer(size, bits, round_trip) for size in parts)


def waiting(parts, loss, round_trip):
    """Returns the milliseconds that lost packets add on average.

    A message that has lost a segment waits for one that is sent again: a round trip where three
    segments came after the lost one, whose acknowledgements tell the sender, else the shortest time
    until it sends again of itself. That a segment is lost twice is left out.
    """
    added = 0.0
    for size in parts:
        segments = math.ceil(size / SEGMENT)
        for behind in range(segments):
            added += loss * (round_trip if behind >= 3 else max(RETRANSMISSION, 2 * round_trip))
    return added


def fastest(samples, kem):
    """Returns our best code of a KEM, or else a peer's, or None."""
    return samples.best(kem) or next(iter(samples.implementations(kem)), None)


def computing(samples):
    """Returns {KEM: milliseconds of the three operations}, by our best code or else a peer's."""
    return {
        kem["name"]: sum(samples.summary(kem["name"], code, o).median for o in OPERATIONS) / 1e6
        for kem in kems_with_sizes(samples.run)
        if (code := fastest(samples, kem["name"]))
    }


def exchanges(samples):
    """Yields the time of a key exchange at given links, computing included."""
    spent = computing(samples)
    for kem in kems_with_sizes(samples.run):
        name = kem["name"]
        code = fastest(samples, name)
        parts = [kem[f"{part}_bytes"] for part in ("public_key", "ciphertext")]
        waits = [0.0, *(wire(parts, bits, round_trip) for _, bits, round_trip in LINKS)]
        for column, wait in zip(WIRE.columns, waits, strict=True):
            names = {"subject": name, "operation": column.operation, "metric": "exchange"}
            names |= {"source": "a model, over what this run measured"}
            if code is None:
                why = f"{name} was not measured: no peer that has it was there"
                yield Row(**names, code="none", why=why)
            else:
                trace = trace_id(name, code, OVERALL)
                value = spent[name] + wait
                yield Row(**names, code=code, value=value, unit="ms", trace=trace)


def handshake(samples):
    """Returns the time of a key exchange at given links, computing included."""
    notes = [
        "a model, not a measurement: public key one way, ciphertext back, nothing else in the "
        f"messages; bandwidth and round trip as in the head; {HEADERS} bytes of headers for each "
        f"{SEGMENT} bytes; a round trip more where a message fills TCP's first {INITIAL_WINDOW} "
        "segments"
    ]
    return WIRE.table(exchanges(samples), notes)


def of_tls(run, folder=paths.TLS):
    """Returns (rows of the handshakes of this run and of those that the provider's measurement
    stored, sentences on what cannot be read)."""
    stored, problems = inputs.read("tls", folder)
    ours = [
        {**row, "trace": f"handshakes/{row['group']}/{row['implementation']}"}
        for row in run.get("tls", [])
    ]
    return [
        Row(row["group"], row["implementation"], "", column.metric, row[column.metric], "",
            row["trace"].rpartition("/")[0], row["trace"], why=column.why)
        for row in [*ours, *stored]
        for column in TLS.columns
    ], problems  # fmt: skip


def tls(run, folder=paths.TLS):
    """Returns the handshakes of this run and those that the provider's measurement stored."""
    rows, problems = of_tls(run, folder)
    notes = [
        *problems,
        "server and client on a core each, certificates of ECDSA on P-256; the rate "
        "with eight connections at once, the times with one; docs/tls.md",
    ]
    return TLS.table(rows, notes, "no handshakes were measured: the build has no provider")
