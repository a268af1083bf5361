"""The first bytes of a large file that is not here, from its opening on."""

import os
import time
from pathlib import Path
from statistics import median

from disk import ColdDisk
from figure import Figure, at_most, ratio_at_most
from juicefs import JuiceFS
from ours import Ours
from place import Place, look
from rclone import Rclone
from session import Session
from sshfs import SSHFS
from turns import beside

SIZE = 4096
# Each is a new mount of the same storage, which costs less than storing the file again.
TURNS = 5
REQUESTS = 200
TRIPS = 3
ALLOWANCE = 5


def measure(session: Session) -> list[Figure]:
    source = session.work / "gigabyte-folder"
    source.mkdir()
    os.link(session.large_file(), source / "file")
    (source / "small").write_bytes(os.urandom(SIZE))
    trips = []

    def work(place: Place) -> float:
        place.fill(source)
        if isinstance(place, Ours):
            trips.append(_round_trip(place))
        return median(_turn(place, source) for _ in range(TURNS))

    peers = {Rclone: ratio_at_most(1), JuiceFS: ratio_at_most(1), SSHFS: None, ColdDisk: None}
    title = "first 4 KiB of a dataless file of 1 GiB"
    figures = beside(session, title, "ms", peers, work)
    goal = at_most(TRIPS * median(trips) + ALLOWANCE)
    return [
        Figure(f"{title}, beside {TRIPS} round trips and {ALLOWANCE} ms", figures[0].runs, "ms", goal),
        *figures,
        Figure("round trip: an item asked for on an open connection", trips, "ms"),
    ]


def _turn(place: Place, source: Path) -> float:
    with place.mounted() as point:
        folder = point / source.name
        look(folder)
        # Another file has come before: whatever has to be connected is.
        _first(folder / "small", source / "small")
        return _first(folder / "file", source / "file")


def _first(file: Path, expected: Path) -> float:
    start = time.monotonic()
    opened = os.open(file, os.O_RDONLY)
    got = os.pread(opened, SIZE, 0)
    milliseconds = (time.monotonic() - start) * 1000
    os.close(opened)
    with expected.open("rb") as content:
        if got != content.read(SIZE):
            raise RuntimeError(f"{file} has another content than was stored")
    return milliseconds


def _round_trip(place: Ours) -> float:
    times = []
    with place.basket.client() as client:
        request = client.request("GET", "/v1/domains/Work/items/root")
        for _ in range(REQUESTS):
            start = time.monotonic()
            client.send(request)
            times.append((time.monotonic() - start) * 1000)
    return median(times)
