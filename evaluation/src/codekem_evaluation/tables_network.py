# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Sizes, time on the wire, and TLS handshakes."""

import math

from codekem_base.model import Table, label, missing, number
from codekem_evaluation import inputs, paths, published
from codekem_evaluation.samples import OPERATIONS, trace_id

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


def sizes(run):
    table = Table(
        "sizes",
        "Sizes in bytes",
        ["KEM", "category", "public key", "secret key", "ciphertext", "on the wire"],
        texts=1,
        printed=True,
    )
    for kem in kems_with_sizes(run):
        parts = [kem[f"{part}_bytes"] for part in ("public_key", "secret_key", "ciphertext")]
        table.add(
            label(kem["name"]),
            *[
                number(value, kem["trace"], 0)
                for value in (kem["level"], *parts, parts[0] + parts[2])
            ],
        )
    table.notes = ["on the wire: public key one way, ciphertext the other way"]
    return table


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


def computing(samples):
    """Returns {KEM: milliseconds of the three operations}, by our best code or else a peer's."""
    found = {}
    for kem in kems_with_sizes(samples.run):
        name = kem["name"]
        best = samples.best(name) or next(iter(samples.implementations(name)), None)
        if best is not None:
            found[name] = sum(samples.summary(name, best, o).median for o in OPERATIONS) / 1e6
    return found


def handshake(samples):
    """Returns the time of a key exchange at given links, computing included."""
    table = Table(
        "wire",
        "One key exchange in milliseconds: computing, and with the network",
        ["KEM", "implementation", "computing", *[name for name, *_ in LINKS]],
        texts=2,
    )
    for kem in kems_with_sizes(samples.run):
        name = kem["name"]
        best = samples.best(name) or next(iter(samples.implementations(name)), None)
        if best is None:
            why = f"{name} was not measured: no peer that has it was there"
            computing, used = None, label("none")
        else:
            computing = sum(samples.summary(name, best, o).median for o in OPERATIONS) / 1e6
            used = label(best)
        cells = [
            missing(why)
            if computing is None
            else number(computing, trace_id(name, best, "overall"))
        ]
        for _, bits, round_trip in LINKS:
            wire = sum(
                transfer(kem[f"{part}_bytes"], bits, round_trip)
                for part in ("public_key", "ciphertext")
            )
            cells.append(
                missing(why)
                if computing is None
                else number(computing + wire, trace_id(name, best, "overall"))
            )
        table.add(label(name), used, *cells)
    table.notes = [
        "a model, not a measurement: public key one way, ciphertext back, nothing else in the "
        f"messages; bandwidth and round trip as in the head; {HEADERS} bytes of headers for each "
        f"{SEGMENT} bytes; a round trip more where a message fills TCP's first {INITIAL_WINDOW} "
        "segments"
    ]
    return table


def tls(run, folder=paths.TLS):
    """Returns the handshakes of this run and those that the provider's measurement stored."""
    table = Table(
        "tls",
        "TLS 1.3 handshakes over loopback",
        [
            "group",
            "implementation",
            "handshakes a second",
            "median, ms",
            "95 %, ms",
            "99 %, ms",
            "bytes, client",
            "bytes, server",
        ],
        texts=2,
    )
    stored, table.notes = inputs.read("tls", folder)
    ours = [
        {**row, "trace": f"handshakes/{row['group']}/{row['implementation']}"}
        for row in run.get("tls", [])
    ]
    for row in [*ours, *stored]:
        values = [row[key] for key in inputs.REQUIRED["tls"][2:]]
        table.add(
            label(row["group"]),
            label(row["implementation"]),
            *[
                missing("not measured there") if value is None else number(value, row["trace"])
                for value in values[:4]
            ],
            *[
                missing("not measured there") if value is None else number(value, row["trace"], 0)
                for value in values[4:]
            ],
        )
    table.notes.append(
        "server and client on a core each, certificates of ECDSA on P-256; the rate "
        "with eight connections at once, the times with one; docs/tls.md"
    )
    if not table.rows:
        table.reason = "no handshakes were measured: the build has no provider"
    return table
