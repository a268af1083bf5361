"""Many open event streams, held by a program of ours."""

import os
import subprocess

from basket import Basket
from processes import TOGETHER
from session import Session


class Listeners:
    """Open until the end of its `with`."""

    def __init__(self, session: Session, basket: Basket, streams: int, token: str | None = None) -> None:
        self._process = subprocess.Popen(
            [*TOGETHER, str(session.compiled("event-listener.c")), str(basket.port), str(streams)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=os.environ | {"BENCH_TOKEN": token or basket.token},
        )
        if self._process.stdout.readline() != "ready\n":
            self.close()
            raise RuntimeError("the event streams could not be opened")

    def __enter__(self) -> "Listeners":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()

    def times_of_next_change(self) -> list[float]:
        """When each stream was told, in seconds of `time.monotonic`."""
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("an event stream ended")
        return [int(word) / 1e9 for word in line.split()]
