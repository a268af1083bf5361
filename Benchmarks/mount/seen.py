"""A change made on one client, until another one's `stat` tells of it."""

from device import MOST_SECONDS, Device
from figure import Figure, at_most
from processes import run
from session import Session, percentile

CHANGES = 200
KINDS = {"write": "a byte appended", "rename": "a file renamed"}


def measure(session: Session) -> list[Figure]:
    program = session.compiled("file-load.c")
    figures = []
    with (
        session.basket() as basket, Device(session, basket, "here") as here,
        Device(session, basket, "there") as there,
    ):
        for kind, title in KINDS.items():
            halves, slowest = [], []
            for _ in range(session.runs):
                told = run(
                    [str(program), "seen", kind, str(here.folder), str(there.folder), str(CHANGES)],
                    timeout=MOST_SECONDS,
                )
                times = [float(line) for line in told.split()]
                halves.append(percentile(times, 0.5))
                slowest.append(percentile(times, 0.99))
                session.say(f"{title}: p50 {halves[-1]:.2f} ms, p99 {slowest[-1]:.2f} ms")
                for device in (here, there):
                    device.wait()
            figures += [
                Figure(f"{title} here, until seen there, p50", halves, "ms", at_most(10)),
                Figure(f"{title} here, until seen there, p99", slowest, "ms", at_most(50)),
            ]
    return figures
