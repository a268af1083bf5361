"""Somewhere that files can be kept behind a mount: what all of them have in common."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from machine import children, resident_megabytes
from mount_points import is_mounted, release
from processes import Daemon, run
from session import Session

MOST_SECONDS = 300


class Missing(Exception):
    """A peer that cannot be had on this machine; its text says why."""


class Place:
    """Has a folder of its own in the session's, with storage, caches and mount; all of it is gone at the
    end of a `with`."""

    name = "a place"

    def __init__(self, session: Session) -> None:
        self.session = session
        self.root = Path(tempfile.mkdtemp(prefix="place-", dir=session.work))
        self.until_end = contextlib.ExitStack()
        self._mount: Daemon | None = None

    @classmethod
    def require(cls, session: Session) -> None:
        """Looks for what it needs, brings what can be brought, or raises `Missing`."""

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.until_end.close()
        finally:
            release(self.root)
            shutil.rmtree(self.root, ignore_errors=True)

    def start(self) -> None:
        """Begins what runs behind the mount."""

    def fill(self, source: Path) -> None:
        """Has a folder of files, of the same name, without any of it having passed through the mount."""
        raise NotImplementedError

    def mounted(self) -> contextlib.AbstractContextManager[Path]:
        """The mount, with empty caches. Where several can be had at a time, each has a name."""
        raise NotImplementedError

    def megabytes(self) -> float:
        """Resident memory of the program that shows the mount, and of those that it has started."""
        processes = [self._mount.pid]
        for pid in processes:
            processes += children(pid)
        return sum(map(resident_megabytes, processes))

    def serve(self, arguments: list[str], environment: dict[str, str] | None = None) -> Daemon:
        """A program that runs until the end."""
        log = Path(tempfile.mkstemp(prefix="log-", dir=self.root)[1])
        daemon = Daemon(arguments, log, environment)
        self.until_end.callback(daemon.stop)
        return daemon

    @contextlib.contextmanager
    def mounted_by(
        self, arguments: list[str], point: Path, environment: dict[str, str] | None = None,
    ) -> Iterator[Path]:
        """The mount that a program shows for as long as it runs."""
        point.mkdir()
        daemon = self._mount = Daemon(arguments, point.with_suffix(".log"), environment)
        try:
            daemon.wait_for(lambda: True if is_mounted(point) else None)
            yield point
        finally:
            try:
                daemon.stop()
            finally:
                release(point)
        point.rmdir()


def look(folder: Path) -> int:
    """Learns all names and attributes in a folder, as a file manager does; how many there are."""
    listed = run(["ls", "-l", str(folder)], timeout=MOST_SECONDS)
    return len(listed.splitlines()) - 1


def let_go(file: Path) -> None:
    """The kernel forgets what it has of a file's bytes, where they are written; names and attributes it keeps."""
    opened = os.open(file, os.O_RDONLY)
    os.posix_fadvise(opened, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(opened)
    if (kept := int(run(["fincore", "--bytes", "--noheadings", "--output", "RES", str(file)]))) > 0:
        raise RuntimeError(f"the kernel keeps {kept:,} bytes of {file}")
