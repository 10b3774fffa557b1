# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The shared library: every function of codekem.h, and methods that use them.

For the tests only; nothing here is a supported binding.
"""

import contextlib
import types
import weakref

from tests.c_library import FFI, Calls, declare, text_of, to_c

declare("codekem.h", "codekem_legacy.h", "codekem_mceliece.h")
# What a call returns: STATUS.OK, STATUS.ERROR_NULL and so on.
STATUS = types.SimpleNamespace(
    **{
        name.removeprefix("CODEKEM_"): value
        for value, name in FFI.typeof("codekem_status").elements.items()
    }
)

OPTIONS = dict(FFI.typeof("codekem_options").fields)
kept = weakref.WeakKeyDictionary()  # what the members of options point to, while there are options


def options(**members):
    """Returns codekem_options with these members; a source of randomness is a function."""
    found = FFI.new("codekem_options *", {"size": FFI.sizeof("codekem_options")})
    kept[found] = {name: to_c(OPTIONS[name].type, value) for name, value in members.items()}
    for name, value in kept[found].items():
        setattr(found, name, value)
    return found


def in_workspace(memory, length, **members):
    """Returns options with the caller's memory."""
    return options(workspace=memory, workspace_length=length, **members)


class Kem:
    """struct codekem_kem: its members, and its name."""

    def __init__(self, pointer):
        self.pointer = pointer
        self.name = text_of(pointer.method_name)

    def __getattr__(self, member):
        value = getattr(self.pointer, member)
        return text_of(value) if isinstance(value, FFI.CData) else value


class CodekemError(Exception):
    """A call did not return CODEKEM_OK."""

    def __init__(self, status, text):
        super().__init__(f"status {status}: {text}")
        self.status = status


class Library:
    """A loaded libcodekem. `call[name]` is the C function codekem_<name>."""

    _open = staticmethod(FFI.dlopen)

    def __init__(self, path):
        self.path = path
        self.c = self._open(str(path))
        self.call = Calls(self.c, "codekem_")

    def check(self, status):
        if status != STATUS.OK:
            raise CodekemError(status, self.call["status_text"](status))

    # --- KEMs and back ends ---

    def kems(self, of=""):
        """Returns all KEMs, or those of a companion: "legacy_", "mceliece_"."""
        count = self.call[f"{of}kem_count"]()
        return [Kem(self.call[f"{of}kem_at"](i)) for i in range(count)]

    def kem(self, name, of=""):
        found = self.call[f"{of}kem_find"](name)
        if not found:
            raise KeyError(name)
        return Kem(found)

    def backends(self):
        """Returns {name: whether this processor can run it}, slowest first."""
        return {
            self.call["backend_name"](i): self.call["backend_supported"](i)
            for i in range(self.call["backend_count"]())
        }

    @contextlib.contextmanager
    def backend(self, name):
        """Uses the back end called name inside the `with` block, then the best again."""
        self.check(self.call["backend_select"](name))
        try:
            yield self
        finally:
            self.check(self.call["backend_select"](None))

    # --- The three operations; a seed makes the call deterministic ---

    def _run(self, name, kem, lengths, *inputs):
        out = [bytearray(length) for length in lengths]
        self.check(self.call[name](kem, *out, *inputs))
        return tuple(map(bytes, out))

    def keypair(self, kem, seed=None):
        lengths = kem.length_public_key, kem.length_secret_key
        if seed is None:
            return self._run("kem_keypair", kem, lengths)
        assert len(seed) == kem.length_keypair_seed
        return self._run("kem_keypair_with", kem, lengths, options(seed=seed))

    def encaps(self, kem, public_key, seed=None):
        assert len(public_key) == kem.length_public_key
        lengths = kem.length_ciphertext, kem.length_shared_secret
        if seed is None:
            return self._run("kem_encaps", kem, lengths, public_key)
        assert len(seed) == kem.length_encaps_seed
        return self._run("kem_encaps_with", kem, lengths, public_key, options(seed=seed))

    def decaps(self, kem, ciphertext, secret_key):
        assert len(ciphertext) == kem.length_ciphertext
        assert len(secret_key) == kem.length_secret_key
        return self._run("kem_decaps", kem, [kem.length_shared_secret], ciphertext, secret_key)[0]
