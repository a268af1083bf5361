"""A change made on one client, until another one's `stat` tells of it."""

from pathlib import Path

from figure import Figure, at_most, ratio_at_most
from juicefs import JuiceFS
from ours import Ours
from place import MOST_SECONDS, Place, look
from processes import run
from rclone import Rclone
from session import Session, percentile
from sshfs import SSHFS
from turns import beside

KINDS = {"write": "a byte appended", "rename": "a file renamed"}
CHANGES = 200
MOST_UNTIL_SEEN = 20
# Peers ask now and then, or not at all: they are not waited for that long, nor that often.
PEER_CHANGES = 3
PEER_PATIENCE = 5


def measure(session: Session) -> list[Figure]:
    source = session.work / "watched"
    source.mkdir()
    (source / "seen-0").touch()
    return [figure for kind in KINDS for figure in _seen(session, source, kind)]


def _seen(session: Session, source: Path, kind: str) -> list[Figure]:
    slowest: list[float] = []

    def work(place: Place) -> float:
        place.fill(source)
        with place.mounted("here") as here, place.mounted("there") as there:
            folders = here / source.name, there / source.name
            for folder in folders:
                look(folder)
            if not isinstance(place, Ours):
                return percentile(_times(session, kind, *folders, PEER_CHANGES, PEER_PATIENCE), 0.5)
            times = _times(session, kind, *folders, CHANGES, MOST_UNTIL_SEEN)
        if max(times) >= MOST_UNTIL_SEEN * 1000:
            raise RuntimeError(f"the other client shows no change within {MOST_UNTIL_SEEN} s")
        slowest.append(percentile(times, 0.99))
        session.say(f"p99 {slowest[-1]:.2f} ms")
        return percentile(times, 0.5)

    title = f"{KINDS[kind]} here, until seen there"
    peers = {Rclone: ratio_at_most(1), JuiceFS: ratio_at_most(1), SSHFS: None}
    figures = beside(session, f"{title}, p50", "ms", peers, work, at_most(10))
    for figure in figures:
        if figure.peer and figure.peer_value >= PEER_PATIENCE * 1000:
            figure.peer += f", not within {PEER_PATIENCE} s"
    return [figures[0], Figure(f"{title}, p99", slowest, "ms", at_most(50)), *figures[1:]]


def _times(session: Session, kind: str, here: Path, there: Path, changes: int, seconds: int) -> list[float]:
    program = session.compiled("file-load.c")
    told = run(
        [str(program), "seen", kind, str(here), str(there), str(changes), str(seconds)], timeout=MOST_SECONDS)
    return [float(line) for line in told.split()]
