"""The bare file system that everything else here stores its files in."""

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path

from machine import file_system
from place import Place


class Disk(Place):
    def start(self) -> None:
        self.name = file_system(self.root)
        self._folder = self.root / "files"
        self._folder.mkdir()

    def fill(self, source: Path) -> None:
        shutil.copytree(source, self._folder / source.name)

    @contextlib.contextmanager
    def mounted(self) -> Iterator[Path]:
        yield self._folder
