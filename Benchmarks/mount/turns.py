"""Our mount and its peers, one after another, in places that are new each time."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from figure import Figure, Goal
from ours import Ours
from place import MOST_SECONDS, Missing, Place
from processes import run
from session import Session


def beside(
    session: Session, title: str, unit: str, peers: dict[type[Place], Goal | None],
    work: Callable[[Place], float], goal: Goal | None = None,
) -> list[Figure]:
    """What the work gives, with a row for each peer that can be had; one of our own comes first where there is a goal
    that no peer has to do with."""
    kinds = [Ours, *(peer for peer in peers if _can_be_had(session, peer))]
    found: dict[type[Place], list[float]] = {kind: [] for kind in kinds}
    names: dict[type[Place], str] = {}
    for _ in range(session.runs):
        for kind in list(found):
            # Nobody pays for what another has left to be written.
            os.sync()
            try:
                with kind(session) as place:
                    names[kind] = place.name
                    found[kind].append(work(place))
            except (RuntimeError, OSError, subprocess.SubprocessError) as error:
                if kind is Ours:
                    raise
                # It is not our program that failed; what the others did stands.
                lines = str(error).strip().splitlines() or [repr(error)]
                reason = " ".join(lines if len(lines) == 1 else [lines[0], lines[-1]])
                session.say(f"{names.get(kind, kind.name)} is left out from here on: {reason}")
                del found[kind]
        told = ", ".join(f"{names[kind]} {runs[-1]:,.1f}" for kind, runs in found.items())
        session.say(f"{told} {unit}")
    ours = found.pop(Ours)
    alone = [Figure(title, ours, unit, goal)] if goal or not found else []
    return alone + [
        Figure(f"{title}, beside {names[kind]}", ours, unit, peers[kind], names[kind], runs)
        for kind, runs in found.items()
    ]


def load(session: Session, *words: str | int | Path) -> float:
    """The milliseconds that file-load says it took."""
    program = session.compiled("file-load.c")
    return float(run([str(program), *map(str, words)], timeout=MOST_SECONDS)) * 1000


def _can_be_had(session: Session, peer: type[Place]) -> bool:
    try:
        peer.require(session)
    except Missing as reason:
        session.say(f"{peer.name} is skipped: {reason}")
        return False
    return True
