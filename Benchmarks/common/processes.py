"""Programs that serve while something is measured, and that are gone afterwards."""

import socket
import subprocess
import time
from pathlib import Path

# Ends the program even when the driver is killed with no chance to clean up.
TOGETHER = ["setpriv", "--pdeathsig", "TERM", "--"]


class Daemon:
    """A program in the background, with what it says in a file."""

    def __init__(self, arguments: list[str], log: Path, environment: dict[str, str] | None = None) -> None:
        self.log = log
        with log.open("wb") as output:
            self._process = subprocess.Popen(
                [*TOGETHER, *arguments], stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                env=environment,
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    def wait_for(self, condition, seconds: float = 30):
        """What `condition` gives, as soon as it gives something."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if (found := condition()) is not None:
                return found
            if self._process.poll() is not None:
                raise RuntimeError(f"a program ended too early:\n{self.said()}")
            time.sleep(0.02)
        raise RuntimeError(f"a program did not start within {seconds:.0f} s:\n{self.said()}")

    def said(self) -> str:
        return self.log.read_text(errors="replace")[-4000:]

    def stop(self) -> None:
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(timeout=60)
            except subprocess.TimeoutExpired:
                self._process.kill()
        self._process.wait()


def run(arguments: list[str], **options) -> str:
    """What a program prints, which must succeed."""
    done = subprocess.run(
        [*TOGETHER, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    )
    if done.returncode != 0:
        said = (done.stdout + done.stderr)[-2000:]
        raise RuntimeError(f"{arguments[0]} ended with {done.returncode}:\n{said}")
    return done.stdout


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def answers(port: int) -> bool | None:
    """True once somebody listens."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        return True
    except OSError:
        return None
