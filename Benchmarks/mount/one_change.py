"""What a single change costs a client that knows very many items, beside one that knows few."""

import contextlib
import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import million
from device import Device
from figure import Figure, ratio_at_most
from http_client import Client
from place import look
from session import Session, percentile

FEW = 1000
# With --quick: to take in the others takes longer than all the rest.
FEWER = 100_000
CHANGES = 500
# Each is a change of its own, and nothing of the one before is still under way.
PAUSE = 0.02
MOST_UNTIL_SEEN = 20
# 2030 begins, in nanoseconds.
DATE = 1893456000 * 10**9


@dataclass
class Costs:
    """Milliseconds for each change, of each run: how long it took, and the processor time of daemon and host."""

    times: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        return f"p50 {self.times[-1]:.2f} ms, {self.processor[-1]:.2f} ms of CPU"


class Known:
    """A domain with a client that knows all of it; what is changed are the files of its first folder."""

    def __init__(self, device: Device, client: Client) -> None:
        self.made, self.heard = Costs(), Costs()
        self._device = device
        self._client = client
        folder = self._children("root", 1)[0]
        self._folder = device.folder / folder["name"]
        self._files = self._children(folder["id"], CHANGES)
        device.wait()
        look(self._folder)

    def run(self) -> None:
        self._measure(self.made, self._date)
        self._measure(self.heard, self._hear)

    def _measure(self, costs: Costs, work: Callable[[dict, int], float]) -> None:
        """Each file gets a date that it has not had yet, in microseconds, which both ways can carry. Dates do not matter
        to the others whom the domain is kept for."""
        used, times = self._device.processor_seconds(), []
        for file in self._files:
            times.append(work(file, time.time_ns() // 1000 % 10**6) * 1000)
            time.sleep(PAUSE)
        self._device.wait()
        costs.processor.append((self._device.processor_seconds() - used) / len(times) * 1000)
        costs.times.append(percentile(times, 0.5))

    def _date(self, file: dict, microseconds: int) -> float:
        date, path = DATE + microseconds * 1000, self._folder / file["name"]
        start = time.monotonic()
        os.utime(path, ns=(date, date))
        return time.monotonic() - start

    def _hear(self, file: dict, microseconds: int) -> float:
        date, path = DATE + microseconds * 1000, self._folder / file["name"]
        body = json.dumps({"modified": f"2030-01-01T00:00:00.{microseconds:06}Z"}).encode()
        request = self._client.request(
            "PATCH", f"/v1/domains/Work/items/{file['id']}", body, Content_Type="application/json")
        start = time.monotonic()
        self._client.send(request)
        while path.stat().st_mtime_ns != date:
            if time.monotonic() - start > MOST_UNTIL_SEEN:
                raise RuntimeError(f"{path} shows no change within {MOST_UNTIL_SEEN} s")
            time.sleep(0.0001)
        return time.monotonic() - start

    def _children(self, folder: str, limit: int) -> list[dict]:
        return self._client.json("GET", f"/v1/domains/Work/items/{folder}/children?limit={limit}")["items"]


def measure(session: Session) -> list[Figure]:
    items = session.arguments.items or (FEWER if session.arguments.quick else million.ITEMS)
    with _known(session, items) as many, _known(session, FEW) as few:
        for _ in range(session.runs):
            for known in (many, few):
                known.run()
            session.say(f"made here: {many.made}; among {FEW:,}: {few.made}")
            session.say(f"made elsewhere: {many.heard}; among {FEW:,}: {few.heard}")
    title = f"a change among {items:,} items"
    return [
        *_beside(f"{title}, made here", many.made, few.made),
        *_beside(f"{title}, made elsewhere until seen here", many.heard, few.heard),
    ]


def _beside(title: str, many: Costs, few: Costs) -> list[Figure]:
    peer, goal = f"{FEW:,} items", ratio_at_most(1.5)
    return [
        Figure(f"{title}, p50", many.times, "ms", goal, peer, few.times),
        Figure(f"{title}: client's CPU", many.processor, "ms", goal, peer, few.processor),
    ]


@contextlib.contextmanager
def _known(session: Session, items: int) -> Iterator[Known]:
    with million.basket(session, items) as basket, Device(session, basket) as device, basket.client() as client:
        start = time.monotonic()
        known = Known(device, client)
        session.say(f"a client knows {items:,} items after {time.monotonic() - start:.0f} s")
        yield known
