"""New small files, one after another."""

from disk import Disk
from figure import Figure, ratio_at_most
from juicefs import JuiceFS, JuiceFSWriteback
from place import Place
from rclone import Rclone
from session import Session
from sshfs import SSHFS
from turns import beside, load

FILES = 2000
SIZE = 4096


def measure(session: Session) -> list[Figure]:
    def work(place: Place) -> float:
        with place.mounted() as folder:
            return load(session, "create", folder, 0, FILES, SIZE)

    peers = {
        Rclone: ratio_at_most(1), JuiceFS: ratio_at_most(1), JuiceFSWriteback: ratio_at_most(1), SSHFS: None,
        Disk: None,
    }
    return beside(session, f"create {FILES:,} files of 4 KiB", "ms", peers, work)
