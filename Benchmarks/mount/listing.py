"""Listings of very many known files: right after the mount came back, and again."""

import time
from collections.abc import Callable

import known
from device import MOST_SECONDS
from figure import Figure, Goal, ratio_at_most
from session import Session, seconds_of
from sshfs import SSHFS
from status import Status
from trees import CAN_FORGET, OURS, PEERS, Tree, Trees

COMMANDS = {"ls -lR": ["ls", "-lR"], "du": ["du", "-s"]}
PEER_GOALS: dict[str, Goal | None] = {kind.name: ratio_at_most(1) for kind in PEERS} | {SSHFS.name: None}
# So long a program is given to let go of memory that it does not need any more.
SETTLING = 40


def measure(session: Session) -> list[Figure]:
    items = known.items(session)
    with Trees(session, items) as trees:
        figures = []
        for name, command in COMMANDS.items():
            figures += _timed(session, trees, f"{name} of {items:,} known items", lambda tree: _listed(tree, command))
        figures += _memory(session, trees, f"memory once {items:,} items were listed")
        # The last one: what it has read is here from then on.
        status = Status(session, trees)
        return figures + _timed(session, trees, f"git status of {items:,} known items", status.seconds)


def _listed(tree: Tree, command: list[str]) -> float:
    return seconds_of(["timeout", str(MOST_SECONDS), *command, str(tree.folder)])


def _timed(session: Session, trees: Trees, title: str, seconds: Callable[[Tree], float]) -> list[Figure]:
    cold: dict[str, list[float]] = {}
    warm: dict[str, list[float]] = {}

    def work(tree: Tree) -> None:
        tree.forget()
        for runs in (cold, warm):
            runs.setdefault(tree.name, []).append(seconds(tree) * 1000)

    for _ in range(session.runs):
        trees.each(work)
        session.say(f"{title}: " + ", ".join(
            f"{name} {warm[name][-1]:,.0f} ms, cold {cold[name][-1]:,.0f} ms" for name in trees.names))
    return [*_beside(trees, f"{title}, warm", warm, 1.5), *_beside(trees, f"{title}, cold", cold, 4, not CAN_FORGET)]


def _memory(session: Session, trees: Trees, title: str) -> list[Figure]:
    """Of all programs that a client of each has."""
    found: dict[str, float] = {}

    def work(tree: Tree) -> None:
        if tree.megabytes:
            found[tree.name] = tree.megabytes()

    trees.each(lambda tree: _listed(tree, COMMANDS["ls -lR"]))
    time.sleep(SETTLING)
    trees.each(work)
    session.say(f"{title}: " + ", ".join(f"{name} {memory:.0f} MB" for name, memory in found.items()))
    ours = [found.pop(OURS)]
    return [
        Figure(f"{title}, beside {name}", ours, "MB", PEER_GOALS[name], name, [memory])
        for name, memory in found.items()
    ]


def _beside(
    trees: Trees, title: str, runs: dict[str, list[float]], most_of_disk: float, disk_is_warm: bool = False,
) -> list[Figure]:
    goals = PEER_GOALS | {trees.disk.name: ratio_at_most(most_of_disk)}
    figures = []
    for name in trees.names:
        if name != OURS:
            peer = f"{name}, warm" if disk_is_warm and name == trees.disk.name else name
            figures.append(Figure(f"{title}, beside {name}", runs[OURS], "ms", goals[name], peer, runs[name]))
    return figures
