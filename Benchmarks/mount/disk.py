"""The bare file system that everything else here stores its files in."""

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from machine import file_system
from place import Place, let_go


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


class ColdDisk(Disk):
    """Its bytes come from the disk, and not from the kernel's memory."""

    def start(self) -> None:
        super().start()
        self.name += ", cold"

    @contextlib.contextmanager
    def mounted(self) -> Iterator[Path]:
        with super().mounted() as folder:
            # What is not written yet stays in memory.
            os.sync()
            for file in folder.rglob("*"):
                if file.is_file():
                    let_go(file)
            yield folder
