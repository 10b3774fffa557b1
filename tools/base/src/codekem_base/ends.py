# SPDX-License-Identifier: Apache-2.0 OR MIT
"""How long work ends early: what is finished is kept."""

import contextlib
import signal


@contextlib.contextmanager
def interruptible():
    """Makes the end that a system asks for (a shutdown, a closed terminal) an interrupt."""

    def stop(*_):
        raise KeyboardInterrupt

    before = {
        kind: signal.signal(kind, stop)
        for kind in (signal.SIGTERM, signal.SIGHUP)
        if signal.getsignal(kind) != signal.SIG_IGN  # as nohup and batch systems ask for
    }
    try:
        yield
    finally:
        for kind, handler in before.items():
            signal.signal(kind, handler)
