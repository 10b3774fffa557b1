#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Talks to the BIKE core on the ULX3S board (ulx3s_top.sv) over its USB serial port.

usage: host.py [--port /dev/ttyUSB0] [--baud 1000000] OP [FILE]...

OP is keygen, encaps, decaps or wipe. The files are the fields of the input packet, one after the
other, as docs/hardware.md lists them: for encaps the public key and 64 bytes of randomness. The
output packet goes to standard output, error and cycles to standard error. Not run on hardware by
us; a test talks to the simulated board.
"""

import argparse
import os
import pathlib
import sys
import termios
import tty

OPERATIONS = {"keygen": 1, "encaps": 2, "decaps": 3, "wipe": 4}
HEAD = 7  # bytes: error, cycles, number of words


def packet_of(fields):
    """Returns the bytes of a packet: each field is filled up to words of 32 bits."""
    return b"".join(field + bytes(-len(field) % 4) for field in fields)


def request(op, packet):
    """Returns the bytes that the host sends."""
    return bytes([op]) + (len(packet) // 4).to_bytes(2, "little") + packet


def answer(read):
    """Returns error, cycles and output packet; read(count) gives the next bytes."""
    head = read(HEAD)
    words = int.from_bytes(head[5:7], "little")
    return head[0], int.from_bytes(head[1:5], "little"), read(4 * words)


def open_port(path, baud):
    """Returns the file of a serial port in raw mode."""
    port = os.open(path, os.O_RDWR | os.O_NOCTTY)
    tty.setraw(port)
    settings = termios.tcgetattr(port)
    settings[4] = settings[5] = getattr(termios, f"B{baud}")
    termios.tcsetattr(port, termios.TCSANOW, settings)
    return port


def reader(port):
    """Returns read(count) of a port; it waits until all bytes are there."""

    def read(count):
        data = b""
        while len(data) < count:
            more = os.read(port, count - len(data))
            if not more:
                raise EOFError("the serial port was closed")
            data += more
        return data

    return read


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("--port", default="/dev/ttyUSB0")
    parser.add_argument("--baud", type=int, default=1_000_000)
    parser.add_argument("op", choices=OPERATIONS)
    parser.add_argument("file", nargs="*", type=pathlib.Path)
    chosen = parser.parse_args()
    data = request(OPERATIONS[chosen.op], packet_of([path.read_bytes() for path in chosen.file]))
    port = open_port(chosen.port, chosen.baud)
    while data:
        data = data[os.write(port, data) :]
    error, cycles, packet = answer(reader(port))
    sys.stdout.buffer.write(packet)
    print(f"error {error}, {cycles} cycles", file=sys.stderr)
    return 1 if error else 0


if __name__ == "__main__":
    sys.exit(main())
