"""The same very many files in several places: ours, the bare disk, and its peers."""

import contextlib
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import million
from device import MOST_SECONDS, Device
from juicefs import JuiceFS
from machine import file_system
from place import Missing, Place
from rclone import Rclone
from session import Session
from sshfs import SSHFS

OURS = "Basket"
PEERS: list[type[Place]] = [Rclone, JuiceFS, SSHFS]
DROP = Path("/proc/sys/vm/drop_caches")
CAN_FORGET = os.access(DROP, os.W_OK)


class Tree:
    """The files in one place, how whoever shows them there is brought to remember nothing of before, and what memory
    it has; nobody shows those of the disk."""

    def __init__(
        self, name: str, folder: Path, forget: Callable[[], None], megabytes: Callable[[], float] | None = None,
    ) -> None:
        self.name = name
        self.folder = folder
        self.forget = forget
        self.megabytes = megabytes


class Trees:
    """Ours, the disk's, and those of the peers that can be had, until the end of a `with`. A peer that fails is left
    out from then on."""

    def __init__(self, session: Session, items: int) -> None:
        self._session = session
        self._items = items
        self._until_end = contextlib.ExitStack()
        self._found: list[Tree] = []

    def __enter__(self) -> "Trees":
        with contextlib.ExitStack() as until_end:
            basket = until_end.enter_context(million.basket(self._session, self._items))
            device = until_end.enter_context(Device(self._session, basket))
            device.wait()
            self._found.append(Tree(OURS, device.folder, device.restart, device.megabytes))
            source = self._session.work / "listed"
            until_end.callback(shutil.rmtree, source, ignore_errors=True)
            _make(source, self._items)
            self.disk = Tree(file_system(source), source, _forget)
            self._found.append(self.disk)
            for kind in PEERS:
                with self._left_out_if_it_fails(kind.name):
                    kind.require(self._session)
                    self._session.say(f"{kind.name} gets the same files")
                    place = until_end.enter_context(kind(self._session))
                    place.fill(source)
                    self._found.append(_mounted(place, source.name, until_end))
            self.each(self._check)
            self._until_end = until_end.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._until_end.close()

    @property
    def names(self) -> list[str]:
        return [tree.name for tree in self._found]

    def each(self, work: Callable[[Tree], None]) -> None:
        for tree in list(self._found):
            with self._left_out_if_it_fails(tree.name):
                work(tree)

    @contextlib.contextmanager
    def _left_out_if_it_fails(self, name: str) -> Iterator[None]:
        try:
            yield
        except (Missing, RuntimeError, OSError, subprocess.SubprocessError) as error:
            if name in (OURS, self.disk.name):
                raise
            self._session.say(f"{name} is left out from here on: {_reason(error)}")
            self._found = [tree for tree in self._found if tree.name != name]

    def _check(self, tree: Tree) -> None:
        """It is also the first listing."""
        listed = subprocess.run(
            ["find", str(tree.folder), "-mindepth", "1"], check=True, capture_output=True, timeout=MOST_SECONDS)
        if (count := listed.stdout.count(b"\n")) != self._items:
            raise RuntimeError(f"{tree.folder} has {count} items")


def _reason(error: Exception) -> str:
    if isinstance(error, subprocess.TimeoutExpired):
        return f"it has taken longer than {error.timeout:.0f} s"
    return (str(error).strip().splitlines() or [repr(error)])[-1]


def _mounted(place: Place, name: str, until_end: contextlib.ExitStack) -> Tree:
    """A peer's mount, which another takes the place of when it is to forget."""
    mount = until_end.enter_context(contextlib.ExitStack())
    folder = mount.enter_context(place.mounted()) / name

    def forget() -> None:
        mount.close()
        mount.enter_context(place.mounted())

    return Tree(place.name, folder, forget, place.megabytes)


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
    if CAN_FORGET:
        os.sync()
        DROP.write_text("2\n")
