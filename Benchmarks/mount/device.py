"""A client of ours, with a home of its own, so that it meets nobody's domains but its own."""

import contextlib
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from basket import Basket
from machine import children, processor_seconds, resident_megabytes
from mount_points import is_mounted, release
from processes import Daemon, run
from session import Session

MOST_SECONDS = 300


class Device:
    """Has the server's domain `Work` in `folder`, until the end of its `with`."""

    def __init__(self, session: Session, basket: Basket, name: str = "device") -> None:
        self._program = str(session.programs["client"])
        self._basket = basket
        self._name = name
        self._home = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=session.work))
        # Elsewhere: the path of a socket must be short.
        self._runtime = Path(tempfile.mkdtemp(prefix="basket-bench-"))
        self._environment = {k: v for k, v in os.environ.items() if not k.startswith(("BASKET_", "XDG_", "DBUS_"))}
        self._environment |= {"HOME": str(self._home), "XDG_RUNTIME_DIR": str(self._runtime)}
        self._daemon: Daemon | None = None
        self.folder = self._home / "Basket/Work"

    def __enter__(self) -> "Device":
        try:
            self._start()
            self.tell(
                "connect", "Work", "--server", f"http://127.0.0.1:{self._basket.port}", "--account", "admin",
                "--device", self._name, "--password-stdin", input=self._basket.password + "\n",
            )
            self._await_mount()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()
        shutil.rmtree(self._home, ignore_errors=True)
        shutil.rmtree(self._runtime, ignore_errors=True)

    def tell(self, *words: str, **options) -> str:
        """What a command says."""
        return run([self._program, *words], env=self._environment, timeout=MOST_SECONDS, **options)

    def wait(self) -> float:
        """Until both sides have the same; how many seconds that took."""
        start = time.monotonic()
        try:
            self.tell("wait", "Work")
        except subprocess.TimeoutExpired as error:
            # What it waits for is gone when the benchmark has tidied up.
            raise RuntimeError(f"{error}\n{self._condition()}\n{self._daemon.said()}") from error
        return time.monotonic() - start

    def restart(self) -> None:
        """Its programs and the kernel remember nothing of before."""
        self._stop()
        self._start()
        self._await_mount()
        self.wait()

    def host_megabytes(self) -> float:
        return resident_megabytes(self._host())

    def daemon_megabytes(self) -> float:
        return resident_megabytes(self._daemon.pid)

    def megabytes(self) -> float:
        """Of both; what they share is in it twice."""
        return self.daemon_megabytes() + self.host_megabytes()

    def processor_seconds(self) -> float:
        """Of the daemon and the host together."""
        return processor_seconds(self._daemon.pid) + processor_seconds(self._host())

    def _condition(self) -> str:
        """How the client says that it is, which it also tells by its exit status."""
        said = [
            subprocess.run(
                [self._program, command], env=self._environment, capture_output=True, text=True, timeout=60
            ).stdout
            for command in ("status", "pending")
        ]
        return "\n".join(said)[:4000]

    def _host(self) -> int:
        hosts = children(self._daemon.pid)
        if len(hosts) != 1:
            raise RuntimeError(f"the daemon has {len(hosts)} hosts, and there is one domain")
        return hosts[0]

    def _start(self) -> None:
        # Ours and not the one that `connect` would start: it is to end with the benchmark.
        self._daemon = Daemon([self._program, "daemon"], self._home / "daemon.log", self._environment)
        socket = self._runtime / "basket/daemon.sock"
        self._daemon.wait_for(lambda: True if socket.exists() else None)

    def _await_mount(self) -> None:
        self._daemon.wait_for(lambda: True if is_mounted(self.folder) else None)

    def _stop(self) -> None:
        try:
            if self._daemon:
                self._daemon.stop()
        finally:
            release(self._home)


@contextlib.contextmanager
def one(session: Session) -> Iterator[tuple[Basket, Device]]:
    """A device with an empty domain, and the server that has it."""
    with session.basket() as basket, Device(session, basket) as device:
        yield basket, device
