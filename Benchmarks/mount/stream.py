"""A large file whose bytes are not here yet, read from its start to its end."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from disk import ColdDisk
from figure import Figure, ratio_at_least
from juicefs import JuiceFS
from nginx import Nginx
from place import Missing, Place, look
from processes import run
from rclone import Rclone
from session import Session
from sshfs import SSHFS
from turns import beside, load

SIZE = 256 << 20


class Curl(Place):
    """No mount, but how fast the bytes can come."""

    name = "curl from nginx"

    @classmethod
    def require(cls, session: Session) -> None:
        if not shutil.which("nginx"):
            raise Missing("nginx is not installed")

    def fill(self, source: Path) -> None:
        certificate, key = self.session.certificate()
        self.nginx = self.until_end.enter_context(Nginx(self.root, source.parent, certificate, key))

    @contextmanager
    def mounted(self) -> Iterator[Path]:
        yield self.root


def measure(session: Session) -> list[Figure]:
    source = session.work / "large"
    source.mkdir()
    load(session, "make", source / "file", SIZE)

    def work(place: Place) -> float:
        place.fill(source)
        with place.mounted() as folder:
            if isinstance(place, Curl):
                return _download(place)
            look(folder / source.name)
            return SIZE / load(session, "stream", folder / source.name / "file", SIZE) / 1e3

    peers = {
        Rclone: ratio_at_least(3), JuiceFS: ratio_at_least(1), SSHFS: None, Curl: ratio_at_least(0.5),
        ColdDisk: None,
    }
    return beside(session, "read a dataless file of 256 MiB", "MB/s", peers, work)


def _download(place: Curl) -> float:
    address = f"http://127.0.0.1:{place.nginx.plain_port}/large/file"
    told = run(["curl", "-fsS", "-o", "/dev/null", "-w", "%{size_download} %{speed_download}", address])
    size, speed = told.split()
    if int(size) != SIZE:
        raise RuntimeError(f"curl took {size} bytes from nginx")
    return float(speed) / 1e6
