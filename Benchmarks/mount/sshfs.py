"""sshfs, with a daemon of its own at the other end: the machine's is none of our business."""

import contextlib
import getpass
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from place import Missing, Place
from processes import answers, free_port, run
from session import Session

SERVER = """
ListenAddress 127.0.0.1
HostKey {folder}/host-key
AuthorizedKeysFile {folder}/user-key.pub
AllowUsers {user}
PermitRootLogin prohibit-password
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
StrictModes no
PidFile none
Subsystem sftp internal-sftp
"""
CLIENT = """
IdentityFile {folder}/user-key
IdentitiesOnly yes
UserKnownHostsFile {folder}/known-hosts
StrictHostKeyChecking yes
"""
# The daemon wants an empty folder there when root starts it, which its unit would make.
SEPARATION = Path("/run/sshd")


class SSHFS(Place):
    name = "sshfs"

    @classmethod
    def require(cls, session: Session) -> None:
        for program in ("sshfs", "ssh-keygen"):
            if not shutil.which(program):
                raise Missing(f"{program} is not installed")
        if not _daemon():
            raise Missing("sshd is not installed")

    def start(self) -> None:
        self._storage = self.root / "storage"
        self._storage.mkdir()
        self._user = getpass.getuser()
        for key in ("host-key", "user-key"):
            run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(self.root / key)])
        self._port = free_port()
        public = " ".join((self.root / "host-key.pub").read_text().split()[:2])
        (self.root / "known-hosts").write_text(f"[127.0.0.1]:{self._port} {public}\n")
        for name, text in (("server", SERVER), ("client", CLIENT)):
            (self.root / name).write_text(text.format(folder=self.root, user=self._user))
        if os.geteuid() == 0 and not SEPARATION.exists():
            SEPARATION.mkdir(mode=0o755)
            self.until_end.callback(SEPARATION.rmdir)
        server = self.serve([_daemon(), "-D", "-e", "-f", str(self.root / "server"), "-p", str(self._port)])
        server.wait_for(lambda: answers(self._port))

    def fill(self, source: Path) -> None:
        shutil.copytree(source, self._storage / source.name)

    @contextlib.contextmanager
    def mounted(self, name: str = "mount") -> Iterator[Path]:
        point = self.root / name
        arguments = [
            "sshfs", "-f", "-F", str(self.root / "client"), "-p", str(self._port),
            f"{self._user}@127.0.0.1:{self._storage}", str(point),
        ]
        with self.mounted_by(arguments, point):
            yield point


def _daemon() -> str | None:
    """Its whole path, by which it starts itself again for each connection."""
    return shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
