"""Small files that were just written, read again."""

from disk import Disk
from figure import Figure, ratio_at_most
from juicefs import JuiceFS
from place import Place
from rclone import Rclone
from session import Session
from sshfs import SSHFS
from turns import beside, load

FILES = 1000
SIZE = 4096


def measure(session: Session) -> list[Figure]:
    def work(place: Place) -> float:
        with place.mounted() as folder:
            load(session, "create", folder, 0, FILES, SIZE)
            return load(session, "read", folder, 0, FILES, SIZE)

    peers = {Rclone: ratio_at_most(1), JuiceFS: ratio_at_most(1), SSHFS: None, Disk: None}
    return beside(session, f"read {FILES:,} files of 4 KiB again", "ms", peers, work)
