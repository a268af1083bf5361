"""Listings of very many known files: right after the mount came back, and again."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import known
import million
from device import MOST_SECONDS, Device
from figure import Figure, ratio_at_most
from machine import file_system
from session import Session, seconds_of

COMMANDS = {"ls -lR": ["ls", "-lR"], "du": ["du", "-s"]}
DROP = Path("/proc/sys/vm/drop_caches")


def measure(session: Session) -> list[Figure]:
    items = known.items(session)
    disk = session.work / "listed"
    figures = []
    with million.basket(session, items) as basket, Device(session, basket) as device:
        device.wait()
        _make(disk, items)
        for folder in (device.folder, disk):
            if (count := _count(folder)) != items:
                raise RuntimeError(f"{folder} has {count} items")
        places: list[tuple[Path, Callable[[], None]]] = [(device.folder, device.restart), (disk, _forget)]
        for name, command in COMMANDS.items():
            cold: list[list[float]] = [[], []]
            warm: list[list[float]] = [[], []]
            for _ in range(session.runs):
                for at, (folder, forget) in enumerate(places):
                    forget()
                    cold[at].append(_milliseconds(command, folder))
                    warm[at].append(_milliseconds(command, folder))
                session.say(
                    f"{name}: {warm[0][-1]:,.0f} ms, after a restart {cold[0][-1]:,.0f} ms; "
                    f"on the disk {warm[1][-1]:,.0f} and {cold[1][-1]:,.0f} ms"
                )
            title, peer = f"{name} of {items:,} known items", file_system(disk)
            forgotten = peer if os.access(DROP, os.W_OK) else f"{peer}, warm"
            figures += [
                Figure(f"{title}, warm", warm[0], "ms", ratio_at_most(1.5), peer, warm[1]),
                Figure(f"{title}, cold", cold[0], "ms", ratio_at_most(4), forgotten, cold[1]),
            ]
    shutil.rmtree(disk)
    return figures


def _make(folder: Path, items: int) -> None:
    """The same tree as on the server."""
    for number in range(items // (million.FILES_EACH + 1)):
        parent = folder / f"folder-{number:04}"
        parent.mkdir(parents=True)
        for file in range(million.FILES_EACH):
            name = f"file-{number:04}-{file:03}.txt"
            (parent / name).write_text(name)


def _forget() -> None:
    # Names and attributes only: the disk's blocks stay in memory, as our database's do.
    if os.access(DROP, os.W_OK):
        os.sync()
        DROP.write_text("2\n")


def _count(folder: Path) -> int:
    """How many items a listing shows; it is also the first."""
    found = subprocess.run(
        ["find", str(folder), "-mindepth", "1"], check=True, capture_output=True, timeout=MOST_SECONDS)
    return found.stdout.count(b"\n")


def _milliseconds(command: list[str], folder: Path) -> float:
    return seconds_of(["timeout", str(MOST_SECONDS), *command, str(folder)]) * 1000
