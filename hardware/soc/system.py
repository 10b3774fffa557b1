# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A running simulation of the system on a chip with the program devices/riscv/operations.c."""

import pathlib
import subprocess
import typing

ROOT = pathlib.Path(__file__).resolve().parents[2]
PRESET = "riscv32"


class SimulationError(Exception):
    """The program stopped; the message is what it said."""


class Result(typing.NamedTuple):
    """What one operation gave."""

    cycles: int  # of the call, as the processor's timer counts them
    stack_bytes: int
    core_cycles: int
    output: bytes


def build_programs(folder, *options, target="all"):
    """Builds the programs of devices/riscv in a folder; returns that of their images."""
    commands = [
        ["cmake", "--preset", PRESET, "-B", folder, *options],
        ["cmake", "--build", folder, "--target", target],
    ]
    for command in commands:
        done = subprocess.run(
            list(map(str, command)),
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise SimulationError(f"{' '.join(map(str, command))} failed:\n{done.stdout[-4000:]}")
    return pathlib.Path(folder) / "bin"


class System:
    """A running simulation; memory: a file that gets the RAM when it ends."""

    def __init__(self, simulator, program, memory=None):
        options = [] if memory is None else ["--memory", str(memory)]
        self._process = subprocess.Popen(
            [str(simulator), str(program), *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.communicate()

    def end(self):
        """Ends the input; returns the program's status."""
        self._process.stdin.close()
        self._process.stdin = None
        return self._process.wait()

    def ask(self, words, data=b"", length=0):
        """Sends a line and what follows it; returns a Result with `length` bytes of output."""
        self._process.stdin.write(" ".join(words).encode() + b"\n" + data)
        self._process.stdin.flush()
        answer = self._process.stdout.readline().split()
        if answer[:1] != [b"ok"]:
            rest = self._process.stdout.read()
            raise SimulationError(b" ".join([*answer, rest]).decode(errors="replace"))
        cycles, stack_bytes, core_cycles = map(int, answer[1:])
        return Result(cycles, stack_bytes, core_cycles, self._process.stdout.read(length))

    def keypair(self, kem, seed, lengths, *options):
        """lengths: of public and secret key; the output is both."""
        return self.ask([kem, "keypair", *options], seed, sum(lengths))

    def encaps(self, kem, public_key, seed, lengths, *options):
        """lengths: of ciphertext and shared secret; the output is both."""
        return self.ask([kem, "encaps", *options], public_key + seed, sum(lengths))

    def decaps(self, kem, ciphertext, secret_key, *options):
        """The output is the shared secret."""
        return self.ask([kem, "decaps", *options], ciphertext + secret_key, 32)

    def record(self, kem, operation, record, seeds, *options):
        """Does an operation of an official record (tools/known_answers.py) with its seeds of
        key pair and encapsulation; returns a Result. Raises SimulationError if it is wrong."""
        inputs, expected = {
            "keypair": ([seeds[0]], record["pk"] + record["sk"]),
            "encaps": ([record["pk"], seeds[1]], record["ct"] + record["ss"]),
            "decaps": ([record["ct"], record["sk"]], record["ss"]),
        }[operation]
        result = self.ask([kem, operation, *options], b"".join(inputs), len(expected))
        if result.output != expected:
            raise SimulationError(f"{kem} {operation}: not what the record says")
        return result

    def encaps_outside(self, kem, public_key, seed, *options):
        """Encapsulates by the core with a seed that the DMA refuses; returns the status of the
        driver's Wipe after that. Raises SimulationError if the operation did not fail."""
        line = " ".join([kem, "encaps", "core", "outside", *options]).encode()
        self._process.stdin.write(line + b"\n" + public_key + seed)
        self._process.stdin.flush()
        answer = self._process.stdout.readline().split()
        if answer[:1] != [b"failed"]:
            raise SimulationError(b" ".join(answer).decode(errors="replace"))
        return int(answer[1])

    def forget(self):
        """Makes the program wipe its own inputs and outputs."""
        self.ask(["forget"])
