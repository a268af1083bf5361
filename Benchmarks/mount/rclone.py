"""rclone's mount, over WebDAV from rclone on the same machine."""

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import packages
from place import Place
from processes import answers, free_port
from session import Session


class Rclone(Place):
    name = "rclone mount"

    @classmethod
    def require(cls, session: Session) -> None:
        packages.program(session, "rclone")

    def start(self) -> None:
        self._program = str(packages.program(self.session, "rclone"))
        self.storage = self.root / "storage"
        self.storage.mkdir()
        self.port = free_port()
        # Its settings come from here alone, not from whoever measures.
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("RCLONE_")} | {
            "RCLONE_CONFIG": str(self.root / "rclone.conf"),
            "RCLONE_CONFIG_DAV_TYPE": "webdav",
            "RCLONE_CONFIG_DAV_URL": f"http://127.0.0.1:{self.port}",
            "RCLONE_CONFIG_DAV_VENDOR": "rclone",
        }
        server = self.serve(
            [self._program, "serve", "webdav", str(self.storage), "--addr", f"127.0.0.1:{self.port}"],
            self.environment)
        server.wait_for(lambda: answers(self.port))

    def fill(self, source: Path) -> None:
        shutil.copytree(source, self.storage / source.name)

    @contextlib.contextmanager
    def mounted(self, name: str = "mount") -> Iterator[Path]:
        point, cache = self.root / name, self.root / f"{name}-cache"
        arguments = [
            self._program, "mount", "dav:", str(point), "--vfs-cache-mode", "full",
            "--cache-dir", str(cache),
        ]
        with self.mounted_by(arguments, point, self.environment):
            yield point
        shutil.rmtree(cache)
