"""JuiceFS on a database of SQLite, with its objects as files on the same disk."""

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import packages
from place import Place
from processes import run
from session import Session


class JuiceFS(Place):
    name = "JuiceFS"
    options: list[str] = []

    @classmethod
    def require(cls, session: Session) -> None:
        packages.program(session, "juicefs")

    def start(self) -> None:
        self._program = str(packages.program(self.session, "juicefs"))
        # Where it would leave something outside of its folder, it must not.
        self._environment = os.environ | {"HOME": str(self.root)}
        self._metadata = f"sqlite3://{self.root}/metadata.db"
        run([
            self._program, "format", "--no-update", "--storage", "file", "--bucket", f"{self.root}/objects",
            self._metadata, "bench",
        ], env=self._environment, timeout=60)

    def fill(self, source: Path) -> None:
        with self._mounted("filling") as point:
            shutil.copytree(source, point / source.name)

    @contextlib.contextmanager
    def mounted(self, name: str = "mount") -> Iterator[Path]:
        with self._mounted(name, *self.options) as point:
            yield point

    @contextlib.contextmanager
    def _mounted(self, name: str, *options: str) -> Iterator[Path]:
        point, cache = self.root / name, self.root / f"{name}-cache"
        arguments = [
            self._program, "mount", "--no-syslog", "--no-usage-report", "--backup-meta", "0",
            "--metrics", "127.0.0.1:0", "--cache-dir", str(cache), *options, self._metadata, str(point),
        ]
        with self.mounted_by(arguments, point, self._environment):
            yield point
        shutil.rmtree(cache, ignore_errors=True)


class JuiceFSWriteback(JuiceFS):
    """Says that a file is written once it is on this disk, as ours and rclone do."""

    name = "JuiceFS --writeback"
    options = ["--writeback"]
