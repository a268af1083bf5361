"""One byte changed in a file of 1 GiB on one client, and what goes over the wire until another has it."""

import os
import shutil
import time
from pathlib import Path

from counting import CountingRelay
from device import Device
from figure import Figure, at_most, ratio_at_most
from ours import Ours
from place import MOST_SECONDS, Place
from processes import run
from rclone import Rclone
from session import GIGABYTE, Session, sha256
from turns import beside

MIDDLE = GIGABYTE // 2


class CountedRclone(Rclone):
    """What goes between its mount and its server is counted."""

    def start(self) -> None:
        super().start()
        self.wire = self.until_end.enter_context(CountingRelay(self.port))
        self.environment["RCLONE_CONFIG_DAV_URL"] = f"http://127.0.0.1:{self.wire.port}"


def measure(session: Session) -> list[Figure]:
    received: list[float] = []
    expected = _changed(session)

    def work(place: Place) -> float:
        if isinstance(place, Ours):
            sent, got = _between_clients(place, expected)
            received.append(got / (1 << 20))
            session.say(f"{received[-1]:.2f} MiB received by the other")
        else:
            sent = _up(place)
        return sent / (1 << 20)

    title = "1 byte changed in 1 GiB"
    # JuiceFS has no wire here: its objects are files.
    peers = {CountedRclone: ratio_at_most(1)}
    return [
        *beside(session, f"{title}: sent up, with all headers", "MiB", peers, work, at_most(8)),
        Figure(f"{title}: received by another client, with all headers", received, "MiB", at_most(8)),
    ]


def _between_clients(place: Ours, expected: str) -> tuple[int, int]:
    """What the one has sent, and the other received."""
    session, basket = place.session, place.basket
    with (
        CountingRelay(basket.port, basket.password) as up, CountingRelay(basket.port, basket.password) as down,
        Device(session, up, "here") as here, Device(session, down, "there") as there,
    ):
        address = f"http://127.0.0.1:{basket.port}/v1/domains/Work/files/file"
        run(["curl", "-fsS", "--oauth2-bearer", basket.token, "-T", str(session.large_file()), address])
        for device in (here, there):
            device.wait()
            device.tell("download", "--wait", str(device.folder / "file"))
        before = up.sent, down.received
        _change(here.folder / "file")
        here.wait()
        there.wait()
        there.tell("download", "--wait", str(there.folder / "file"))
        if sha256(there.folder / "file") != expected:
            raise RuntimeError("the other client has another content than was written")
        return up.sent - before[0], down.received - before[1]


def _up(place: CountedRclone) -> int:
    """What a mount that has read all of the file sends."""
    source = place.root / "source"
    source.mkdir()
    os.link(place.session.large_file(), source / "file")
    place.fill(source)
    with place.mounted() as folder:
        file, stored = folder / "source/file", place.storage / "source/file"
        sha256(file)
        before, expected, end = place.wire.sent, _middle(file) ^ 0xFF, time.monotonic() + MOST_SECONDS
        _change(file)
        while stored.stat().st_size != GIGABYTE or _middle(stored) != expected:
            if time.monotonic() > end:
                raise RuntimeError(f"the server has no other byte after {MOST_SECONDS} s")
            time.sleep(0.1)
        return place.wire.sent - before


def _middle(file: Path) -> int:
    with file.open("rb") as opened:
        opened.seek(MIDDLE)
        return opened.read(1)[0]


def _change(file: Path) -> None:
    with file.open("r+b") as opened:
        opened.seek(MIDDLE)
        byte = opened.read(1)[0]
        opened.seek(MIDDLE)
        opened.write(bytes([byte ^ 0xFF]))


def _changed(session: Session) -> str:
    """The hash of what the file must be afterwards."""
    copy = session.work / "changed"
    shutil.copyfile(session.large_file(), copy)
    _change(copy)
    hash = sha256(copy)
    copy.unlink()
    return hash
