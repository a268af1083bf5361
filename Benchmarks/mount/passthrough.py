"""File systems that hand everything on to a folder: what FUSE itself costs, and nothing else."""

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path

from place import Missing, Place
from processes import run
from session import Session

# libfuse's own examples, which come with its headers.
EXAMPLES = Path("/usr/share/doc/libfuse3-dev/examples")


class Passthrough(Place):
    """Reads into its memory what it answers with."""

    name = "passthrough"
    # It would show the whole machine.
    options = "modules=subdir,subdir={folder}"

    @classmethod
    def require(cls, session: Session) -> None:
        if not cls._source().exists():
            raise Missing(f"there is no {cls._source()}")
        if not shutil.which("pkg-config"):
            raise Missing("pkg-config is not installed")

    def start(self) -> None:
        flags = run(["pkg-config", "--cflags", "--libs", "fuse3"]).split()
        # The libraries stand before what needs them.
        self._program = self.session.compiled(str(self._source()), "-Wl,--no-as-needed", *flags)
        self._storage = self.root / "storage"
        self._storage.mkdir()

    def fill(self, source: Path) -> None:
        shutil.copytree(source, self._storage / source.name)

    @contextlib.contextmanager
    def mounted(self) -> Iterator[Path]:
        point = self.root / "mount"
        options = self.options.format(folder=self._storage)
        with self.mounted_by([str(self._program), "-f", "-o", options, str(point)], point):
            yield point

    @classmethod
    def _source(cls) -> Path:
        return EXAMPLES / f"{cls.name}.c"


class SplicingPassthrough(Passthrough):
    """Has the kernel move what it answers with from file to file, which is slower where that is in memory."""

    name = "passthrough_ll"
    options = "source={folder}"
