# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs TLS servers and clients with the provider: configurations, certificates, ports,
processes."""

import contextlib
import os
import pathlib
import re
import socket
import subprocess
import time

# TLS group: code point, bytes of the client's share, of the server's, and of their secret.
KEMS = {
    "bikel1": (1541, 1573),
    "bikel3": (3083, 3115),
    "bikel5": (5122, 5154),
    "hqc1": (2241, 4433),
    "hqc3": (4514, 8978),
    "hqc5": (7237, 14421),
}
CLASSICAL = {"p256": 65, "p384": 97, "p521": 133, "x25519": 32, "x448": 56}
CODE_POINTS = {
    "bikel1": 65040,
    "p256_bikel1": 65041,
    "x25519_bikel1": 65042,
    "bikel3": 65043,
    "p384_bikel3": 65044,
    "x448_bikel3": 65045,
    "bikel5": 65046,
    "p521_bikel5": 65047,
    "hqc1": 65075,
    "p256_hqc1": 65076,
    "x25519_hqc1": 65077,
    "hqc3": 65078,
    "p384_hqc3": 65079,
    "x448_hqc3": 65080,
    "hqc5": 65081,
    "p521_hqc5": 65082,
}
GROUPS = list(CODE_POINTS)

# The algorithms that keys in files are of.
ALGORITHMS = {
    "BIKE-L1": "bikel1",
    "BIKE-L3": "bikel3",
    "BIKE-L5": "bikel5",
    "HQC-1": "hqc1",
    "HQC-3": "hqc3",
    "HQC-5": "hqc5",
}

# Something hangs; on a busy machine all takes its time.
START_SECONDS = 300
RUN_SECONDS = 600


def share_bytes(group):
    """Returns the lengths of the client's and of the server's key share."""
    classical, _, kem = group.rpartition("_")
    extra = CLASSICAL.get(classical, 0)
    return KEMS[kem][0] + extra, KEMS[kem][1] + extra


def classical_bytes(group):
    """Returns the length of the classical part of a key share, 0 if there is none."""
    return CLASSICAL.get(group.rpartition("_")[0], 0)


def write_configuration(path, module, entries=""):
    """Writes an OpenSSL configuration that loads the provider, with more entries for it."""
    path.write_text(f"""openssl_conf = openssl_init
[openssl_init]
providers = provider_section
[provider_section]
default = default_section
codekem = codekem_section
[default_section]
activate = 1
[codekem_section]
module = {module}
activate = 1
{entries}
""")
    return path


def run(command, configuration=None, check=True, text=True, stdin=b"", timeout=RUN_SECONDS, **more):
    """Runs a command to its end; its standard output and error come together."""
    environment = dict(os.environ, **more)
    environment.pop("OPENSSL_CONF", None)
    if configuration is not None:
        environment["OPENSSL_CONF"] = str(configuration)
    done = subprocess.run(
        [str(part) for part in command],
        input=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=timeout,
        env=environment,
        check=False,
    )
    if check:
        assert done.returncode == 0, f"{command}: {done.stdout.decode(errors='replace')[-3000:]}"
    if text:
        done.stdout = done.stdout.decode(errors="replace")
    return done


def free_port():
    """Returns a port of 127.0.0.1 that nothing listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def is_listening(port):
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextlib.contextmanager
def serving(command, port, configuration, log):
    """Runs a server until the block ends, whatever happens in it; waits until it listens."""
    environment = dict(os.environ, OPENSSL_CONF=str(configuration))
    with (
        pathlib.Path(log).open("wb") as output,
        subprocess.Popen(
            [str(part) for part in command],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=environment,
            start_new_session=True,
        ) as process,
    ):
        try:
            deadline = time.monotonic() + START_SECONDS
            while not is_listening(port):
                assert process.poll() is None and time.monotonic() < deadline, (
                    f"{command[0]} does not listen: {pathlib.Path(log).read_text()[-3000:]}"
                )
                time.sleep(0.05)
            yield process
            assert process.poll() is None, f"{command[0]} died: {pathlib.Path(log).read_text()}"
        finally:
            stop(process)


def stop(process):
    """Ends a server and its children, which are a session of their own."""
    for ask in [process.terminate, lambda: os.killpg(process.pid, 9)]:
        with contextlib.suppress(ProcessLookupError):
            ask()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=5)
            break
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, 9)  # children that outlived it


class Handshake:
    """What `openssl s_client` says of a handshake."""

    def __init__(self, output):
        self.output = output
        counted = re.search(r"SSL handshake has read (\d+) bytes and written (\d+) bytes", output)
        self.read, self.written = map(int, counted.groups()) if counted else (0, 0)
        self.new = "New, TLSv1.3, Cipher is TLS_" in output
        self.reused = "Reused, TLSv1.3, Cipher is TLS_" in output
        self.verified = "Verify return code: 0 (ok)" in output
        self.alert = (re.findall(r"alert ([a-z ]+?):", output) or [None])[0]

    def used(self, group):
        """Says whether key shares as large as those of group went both ways."""
        client, server = share_bytes(group)
        return self.written > client and self.read > server
