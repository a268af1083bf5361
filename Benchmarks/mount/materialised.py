"""A large file that is here, read from its start to its end, when the kernel has nothing of it."""

from pathlib import Path
from statistics import median

from disk import ColdDisk, Disk
from figure import Figure, ratio_at_least
from juicefs import JuiceFS
from ours import Ours
from passthrough import Passthrough, SplicingPassthrough
from place import Place, let_go, look
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
            return median(_rate(session, place, file) for _ in range(TURNS))

    peers = {
        Passthrough: ratio_at_least(0.9), SplicingPassthrough: ratio_at_least(0.9), Rclone: ratio_at_least(1),
        JuiceFS: ratio_at_least(1), Disk: None, ColdDisk: None,
    }
    return beside(session, "read a file of 256 MiB that is here", "MB/s", peers, work)


def _rate(session: Session, place: Place, file: Path) -> float:
    # What a mount has the bytes from stays in the kernel's memory. On the disk that is the file itself: without it
    # the figure is the device's, which none of the others here has to wait for. Both are told.
    if type(place) is not Disk:
        let_go(file)
    return SIZE / load(session, "stream", file, SIZE) / 1e3
