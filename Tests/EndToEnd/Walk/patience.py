"""Waiting for what happens by itself."""

import os
import time

from outcome import outcome


def until(seconds, holds):
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def state(path):
    """What the mount says of an item; empty where it is none."""
    said = outcome(lambda: os.getxattr(path, "user.basket.state", follow_symlinks=False))
    return said[1] if said[0] == "ok" else b""
