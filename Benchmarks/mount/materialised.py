"""A large file that is here, read from its start to its end, when the kernel has nothing of it."""

import os
from pathlib import Path
from statistics import median

from figure import Figure, ratio_at_least
from juicefs import JuiceFS
from ours import Ours
from passthrough import Passthrough, SplicingPassthrough
from place import Place, look
from processes import run
from rclone import Rclone
from session import Session
from turns import beside, load

SIZE = 256 << 20
TURNS = 5


def measure(session: Session) -> list[Figure]:
    source = session.work / "materialised"
    source.mkdir()
    load(session, "make", source / "file", SIZE)

    def work(place: Place) -> float:
        place.fill(source)
        with place.mounted() as folder:
            look(folder / source.name)
            file = folder / source.name / "file"
            if isinstance(place, Ours):
                place.device.tell("download", "--wait", str(file))
            # Afterwards it is here for everyone, and what it is stored in is in the kernel's memory.
            load(session, "stream", file, SIZE)
            return median(_rate(session, file) for _ in range(TURNS))

    peers = {
        Passthrough: ratio_at_least(0.9), SplicingPassthrough: ratio_at_least(0.9), Rclone: ratio_at_least(1),
        JuiceFS: ratio_at_least(1),
    }
    return beside(session, "read a file of 256 MiB that is here", "MB/s", peers, work)


def _rate(session: Session, file: Path) -> float:
    _forget(file)
    return SIZE / load(session, "stream", file, SIZE) / 1e3


def _forget(file: Path) -> None:
    """The kernel lets go of the mount's file, and keeps the one that its bytes are stored in."""
    opened = os.open(file, os.O_RDONLY)
    os.posix_fadvise(opened, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(opened)
    if (kept := int(run(["fincore", "--bytes", "--noheadings", "--output", "RES", str(file)]))) > 0:
        raise RuntimeError(f"the kernel keeps {kept:,} bytes of {file}")
