# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The core for both schemes: official records of BIKE and HQC through one instance, one after the
other in every order, with wiping and errors between; cycles are those of the cores apart."""

import itertools

import pytest

from hardware.tests import simulated
from hardware.tests.model_state import differences
from hardware.tests.planted import planted_core
from hardware.tests.simulated import DECAPS, ENCAPS, KEYGEN, WIPE
from tools import known_answers, mistakes

# Its modules, and the cores whose parts it has, are tested by `make test`.
pytestmark = pytest.mark.long

LIGHT = {"LEVEL": 1, "PRESET": 0}
CLIENT, SERVER = 1, 2  # builds


class Both:
    """A joint core whose every cycle count is compared with the formulas."""

    def __init__(self, core, parameters, folder=None):
        self.core = core(scheme="joint", folder=folder, **parameters)
        self.level, self.build = parameters["LEVEL"], parameters.get("BUILD", 0)
        self.formula = simulated.joint_cycles.JointCycles(**parameters)

    def records(self, scheme):
        kem = f"BIKE-L{self.level}" if scheme == "bike" else f"HQC-{self.level}"
        return kem, known_answers.read_records(kem)

    def operations(self, scheme, number):
        """Returns the operations of an official record that the build has, as functions that run
        and check one."""
        kem, records = self.records(scheme)
        record = records[number]
        seed, randomness = known_answers.record_seeds(kem, record)
        core, formula = getattr(self.core, scheme), getattr(self.formula, scheme)
        unused = bytes(32) if scheme == "bike" else b""  # of the randomness
        if scheme == "hqc":
            at = sum(core.packets.public_key)
            of_key = [seed], [record["sk"][at : at + 32]]  # its rejections decide the cycles
        else:
            of_key = [], []

        def keygen():
            assert core.keypair(seed) == (record["sk"], formula.keygen(*of_key[0]))

        def encaps():
            expected = record["ct"], record["ss"], formula.encaps()
            assert core.encaps(record["pk"], randomness + unused) == expected

        def decaps():
            expected = record["ss"], formula.decaps(*of_key[1])
            assert core.decaps(record["ct"], record["sk"]) == expected

        return {
            CLIENT: {"keygen": keygen, "decaps": decaps},
            SERVER: {"encaps": encaps},
        }.get(self.build, {"keygen": keygen, "encaps": encaps, "decaps": decaps})

    def check_record(self, scheme, number):
        for run in self.operations(scheme, number).values():
            run()

    def decaps_packet(self, scheme):
        record = self.records(scheme)[1][0]
        return getattr(self.core, scheme).packets.decaps_packet(record["ct"], record["sk"])

    def check_clean_and_working(self, scheme):
        assert not any(self.core.polynomials())
        self.operations(scheme, 0)["decaps"]()


@pytest.fixture
def both(core):
    return lambda folder=None, **parameters: Both(core, parameters, folder)


def test_operations_of_both_schemes_in_every_order(both):
    """Each operation of a scheme follows each of the other one, in one instance, with no wipe
    between."""
    one = both(**LIGHT)
    bike, hqc = (one.operations(scheme, 0).values() for scheme in ("bike", "hqc"))
    for of_bike, of_hqc in itertools.product(bike, hqc):
        of_bike()
        of_hqc()
    bike, hqc = (one.operations(scheme, 1).values() for scheme in ("bike", "hqc"))
    for of_hqc, of_bike in itertools.product(hqc, bike):
        of_hqc()
        of_bike()


def test_official_records_alternate(both):
    one = both(**LIGHT)
    for number in range(2):
        one.check_record("bike", number)
        one.check_record("hqc", number)


def test_altered_ciphertexts_give_the_published_secrets_in_the_same_time(both):
    one = both(**LIGHT)
    bike, hqc = (list(known_answers.rejections(kem)) for kem in ("BIKE-L1", "HQC-1"))
    at = sum(one.core.hqc.packets.public_key)
    for (_, *of_bike, _), (_, *of_hqc, _) in zip(bike[:3], hqc[:3], strict=True):
        ciphertext, secret_key, shared = of_bike
        assert one.core.bike.decaps(ciphertext, secret_key) == (shared, one.formula.bike.decaps())
        ciphertext, secret_key, shared = of_hqc
        expected = shared, one.formula.hqc.decaps(secret_key[at : at + 32])
        assert one.core.hqc.decaps(ciphertext, secret_key) == expected


@pytest.mark.parametrize(("before", "then"), [("bike", "hqc"), ("hqc", "bike")])
def test_nothing_of_one_scheme_is_left_after_a_wipe(both, before, then):
    one = both(**LIGHT)
    one.core.reset()
    clean = one.core.state()
    one.operations(before, 0)["decaps"]()
    assert any(one.core.polynomials())
    assert one.core.run(WIPE)[0] == simulated.ERROR_NONE
    assert not any(one.core.polynomials())
    one.operations(then, 0)["decaps"]()
    one.core.reset()
    assert differences(one.core.folder, one.core.state(), clean) == []


@pytest.mark.parametrize("scheme", ["bike", "hqc"])
def test_bad_packets_are_errors_after_which_the_other_scheme_works(both, scheme):
    one = both(**LIGHT)
    core, packet = getattr(one.core, scheme), one.decaps_packet(scheme)
    for bad, error in [
        (packet[:-1], simulated.ERROR_SHORT),
        (packet[:400], simulated.ERROR_SHORT),
        ([*packet, 0], simulated.ERROR_LONG),
    ]:
        assert core.run(DECAPS, bad)[::2] == (error, [])
        one.check_clean_and_working({"bike": "hqc", "hqc": "bike"}[scheme])


def test_reset_in_the_middle_of_one_scheme_and_then_the_other(both):
    one = both(**LIGHT)
    for stop in (3, 2000, 20000):
        for scheme, other in (("bike", "hqc"), ("hqc", "bike")):
            getattr(one.core, scheme).run(DECAPS, one.decaps_packet(scheme), stop=stop)
            one.check_clean_and_working(other)


def test_start_while_busy_is_refused_and_disturbs_nothing(both):
    one = both(**LIGHT)
    for scheme in ("bike", "hqc"):  # the second start has all bits of op_i inverted
        core, record = getattr(one.core, scheme), one.records(scheme)[1][0]
        for again in (1, 5000):
            error, _, out = core.run(DECAPS, one.decaps_packet(scheme), again=again)
            assert error == simulated.ERROR_BUSY
            assert core.packets.unpack(out, [32]) == record["ss"]


def test_unknown_operation_is_an_error(both):
    one = both(**LIGHT)
    assert one.core.run(0)[::2] == (simulated.ERROR_OP, [])
    one.check_clean_and_working("hqc")


@pytest.mark.parametrize("scheme", ["bike", "hqc"])
def test_streams_that_pause_change_no_result(both, scheme):
    one = both(**LIGHT)
    core, record = getattr(one.core, scheme), one.records(scheme)[1][1]
    assert core.decaps(record["ct"], record["sk"], pauses=7)[0] == record["ss"]


# --- The tests can fail ---------------------------------------------------------------------------


@pytest.mark.parametrize("mistake", mistakes.cases("hardware/joint_core"))
def test_mistake_is_found(tmp_path, mistake):
    program = simulated.build.build_core(
        tmp_path / "core",
        LIGHT,
        scheme="joint",
        rtl=planted_core(tmp_path, mistake, scheme="joint"),
    )
    one = Both(lambda **_: simulated.JointCore(program, 1, 64), LIGHT)
    with pytest.raises((AssertionError, ValueError)):  # ValueError: the simulation gave up
        check_both_twice(one)
    one.core._process.kill()


def check_both_twice(one):
    for number in range(2):
        one.check_record("bike", number)
        one.check_record("hqc", number)


# --- Other levels, presets and builds -------------------------------------------------------------


@pytest.mark.parametrize("level", [1, 3, 5])
@pytest.mark.parametrize("preset", simulated.joint_cycles.PRESETS)
def test_levels_and_presets(both, level, preset):
    one = both(LEVEL=level, PRESET=preset)
    records = {scheme: one.records(scheme)[1][:10] for scheme in ("bike", "hqc")}
    for number in range(max(map(len, records.values()))):
        for scheme, kept in records.items():
            one.check_record(scheme, number % len(kept))


def test_all_records_of_level_1(both):
    one = both(**LIGHT)
    for scheme in ("bike", "hqc"):
        for number in range(len(one.records(scheme)[1])):
            one.check_record(scheme, number)


@pytest.mark.parametrize(
    "free", [{"KECCAK_BUFFERED": 1}, {"LANES": 6, "RM_VALUES": 8}, {"KECCAK_ROUNDS": 2}]
)
def test_free_configurations(both, free, tmp_path):
    one = both(tmp_path, **{"LEVEL": 1, "PRESET": 1, **free})
    one.check_record("bike", 1)
    one.check_record("hqc", 1)


def test_client_and_server_builds_have_their_operations_only(both):
    client, server = both(**LIGHT, BUILD=CLIENT), both(**LIGHT, BUILD=SERVER)
    for one in (client, server):
        for scheme in ("bike", "hqc", "bike"):
            one.check_record(scheme, 0)
    for scheme in ("bike", "hqc"):
        assert getattr(client.core, scheme).run(ENCAPS)[0] == simulated.ERROR_OP
        assert getattr(server.core, scheme).run(KEYGEN)[0] == simulated.ERROR_OP
        assert getattr(server.core, scheme).run(DECAPS)[0] == simulated.ERROR_OP
