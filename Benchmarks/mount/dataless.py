"""Small files whose bytes are not here yet, opened and read one after another."""

from pathlib import Path

from disk import ColdDisk
from figure import Figure, ratio_at_most
from juicefs import JuiceFS
from place import Place, look
from rclone import Rclone
from session import Session
from sshfs import SSHFS
from turns import beside, load

FILES = 300
SIZE = 4096


def measure(session: Session) -> list[Figure]:
    source = session.work / "small"
    source.mkdir()
    load(session, "create", source, 0, FILES, SIZE)

    def work(place: Place) -> float:
        place.fill(source)
        with place.mounted() as folder:
            return _read(session, folder / source.name)

    peers = {Rclone: ratio_at_most(1 / 20), JuiceFS: ratio_at_most(1), SSHFS: None, ColdDisk: None}
    return beside(session, f"open and read {FILES} dataless files of 4 KiB", "ms", peers, work)


def _read(session: Session, folder: Path) -> float:
    # The names are known: it is the bytes that have to come.
    if (count := look(folder)) != FILES:
        raise RuntimeError(f"{folder} has {count} files")
    return load(session, "read", folder, 0, FILES, SIZE)
