# SPDX-License-Identifier: Apache-2.0 OR MIT
"""TLS 1.3 whose KEM runs in a device that the configuration names: a simulated core, or a simulated
system on a chip; and what the provider says of libraries that are no devices."""

import pytest

from hardware.tests import made, simulated
from tests.rooms import need_room
from tests.tls_programs import run, write_configuration

SCHEMES = {"x25519_bikel1": ("bike", "BIKE-L1"), "x25519_hqc1": ("hqc", "HQC-1")}
FAST = {"LEVEL": 1, "PRESET": 2}


@pytest.fixture(scope="module")
def core(program):
    """core("hqc") returns the library of that simulated core, of the preset fast."""
    return lambda scheme: program(scheme, **FAST).parent / f"lib{scheme}_simulated.so"


@pytest.fixture(scope="module")
def system():
    """system("HQC-1") returns the library by which the system on a chip is a device for a KEM."""

    def get(kem):
        need_room("devices")
        without = "HQC_LEVEL" if kem == "BIKE-L1" else "BIKE_LEVEL"
        return made.model(kem, "libsoc_simulated.so", **{without: 0})

    return get


@pytest.fixture
def with_device(module, tmp_path):
    """with_device(kem, library) returns a configuration and the file that will say the cycles."""

    def get(kem, library):
        log = tmp_path / "cycles"
        entries = f"devices.{kem} = {library}\ndevices.log = {log}"
        return write_configuration(tmp_path / "device.cnf", module, entries), log

    return get


def handshake(s_server, s_client, group, server, client):
    started = s_server(group, configuration=server)
    with started.running:
        done = s_client(started.port, group, configuration=client)
    assert done.new and done.verified, done.output
    assert done.used(group)


def operations(log):
    return [line.split()[1] for line in log.read_text().splitlines()] if log.exists() else []


@pytest.mark.parametrize(
    "group",
    [
        pytest.param("x25519_bikel1", marks=pytest.mark.slow),
        pytest.param("x25519_hqc1", marks=pytest.mark.long),
    ],
)
def test_handshakes_with_the_core_on_either_side(
    group, core, with_device, configuration, s_server, s_client
):
    scheme, kem = SCHEMES[group]
    device, log = with_device(kem, core(scheme))
    handshake(s_server, s_client, group, configuration, device)
    assert operations(log) == ["keygen", "decaps"]
    handshake(s_server, s_client, group, device, configuration)
    assert operations(log)[2:] == ["encaps"]
    handshake(s_server, s_client, group, device, device)
    assert sorted(operations(log)[3:]) == ["decaps", "encaps", "keygen"]
    kind = simulated.hqc_cycles.HqcCycles if scheme == "hqc" else simulated.cycles.Cycles
    encaps = [line for line in log.read_text().splitlines() if " encaps " in line]
    assert set(encaps) == {f"{kem} encaps {kind(**FAST).encaps()}"}


@pytest.mark.long
@pytest.mark.parametrize("group", SCHEMES)
def test_handshakes_with_the_system(group, system, with_device, configuration, s_server, s_client):
    kem = SCHEMES[group][1]
    device, log = with_device(kem, system(kem))
    handshake(s_server, s_client, group, configuration, device)
    handshake(s_server, s_client, group, device, configuration)
    assert operations(log) == ["keygen", "decaps", "encaps"]


def test_other_kems_stay_with_the_library(core, with_device, s_server, s_client):
    device, log = with_device("HQC-1", core("hqc"))
    handshake(s_server, s_client, "x25519_bikel1", device, device)
    assert not log.exists()


def test_device_brings_no_libcrypto(core, need):
    """Programs with a libcrypto of their own load it: the provider's test_two_libcryptos.py."""
    needed = run([need("readelf"), "-d", core("hqc")]).stdout
    assert "(NEEDED)" in needed and "libcrypto" not in needed


def why_not(openssl_path, configuration):
    """Returns what OpenSSL says when the provider does not load."""
    text = configuration.read_text().replace("activate = 1\ndevices", "devices")
    configuration.write_text(text)
    arguments = ["list", "-providers", "-provider", "codekem"]
    done = run([openssl_path, *arguments], configuration=configuration, check=False)
    assert done.returncode != 0
    return done.stdout


def test_what_is_no_device_is_refused(openssl_path, core, with_device, module, tmp_path):
    assert "such as ./core.so" in why_not(openssl_path, with_device("HQC-1", "core.so")[0])
    missing = tmp_path / "none.so"
    assert str(missing) in why_not(openssl_path, with_device("HQC-1", missing)[0])
    assert "lacks kem_simulated_kem" in why_not(openssl_path, with_device("HQC-1", module)[0])
    other = why_not(openssl_path, with_device("BIKE-L1", core("hqc"))[0])
    assert "name it as devices.HQC-1" in other
