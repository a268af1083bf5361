"""What a single change costs in a large domain: to make it, and to ask for it."""

import json
import time
from dataclasses import dataclass, field

import filling
import million
from basket import Basket
from figure import Figure, at_most, ratio_at_most
from session import Session, percentile

CHANGES = 1000
SMALL = 1000


@dataclass
class Times:
    """In milliseconds, of each run."""

    asking: list[float] = field(default_factory=list)
    asking_p99: list[float] = field(default_factory=list)
    making: list[float] = field(default_factory=list)


def measure(session: Session) -> list[Figure]:
    large, small = Times(), Times()
    with million.basket(session) as basket:
        token = basket.account_with_domain(f"small-{time.time_ns()}")
        with basket.client(token) as client:
            name = client.json("GET", "/v1/domains")["domains"][0]["name"]
            names = (f"file-{number:04}.txt" for number in range(SMALL))
            filling.fill(client, names, "root", domain=name)
        for _ in range(session.runs):
            _run(basket, basket.token, "Work", large)
            _run(basket, token, name, small)
            session.say(
                f"changes: p50 {large.asking[-1]:.2f} ms, p99 {large.asking_p99[-1]:.2f} ms; "
                f"in a domain of 1,000: p50 {small.asking[-1]:.2f} ms"
            )
    return [
        Figure("changes with one change in 1,000,000, p99", large.asking_p99, "ms", at_most(2)),
        Figure(
            "changes with one change in 1,000,000, p50", large.asking, "ms", ratio_at_most(1.5),
            "1,000 items", small.asking,
        ),
        Figure(
            "one PATCH in 1,000,000, p50", large.making, "ms", ratio_at_most(1.5),
            "1,000 items", small.making,
        ),
    ]


def _run(basket: Basket, token: str, domain: str, times: Times) -> None:
    with basket.client(token) as client:
        path = f"/v1/domains/{domain}"
        anchor = client.json("GET", f"{path}/anchor")["anchor"]
        item = _some_file(client, path)
        asking, making = [], []
        for number in range(CHANGES):
            body = json.dumps({"modified": f"2030-01-01T00:00:00.{number:09}Z"}).encode()
            change = client.request(
                "PATCH", f"{path}/items/{item}", body, Content_Type="application/json"
            )
            start = time.monotonic()
            client.send(change)
            making.append((time.monotonic() - start) * 1000)
            request = client.request("GET", f"{path}/changes?since={anchor}")
            start = time.monotonic()
            answer = client.send(request)
            asking.append((time.monotonic() - start) * 1000)
            page = json.loads(answer)
            if [changed["id"] for changed in page["items"]] != [item]:
                raise RuntimeError(f"one change came as {len(page['items'])} items")
            anchor = page["anchor"]
    times.asking.append(percentile(asking, 0.5))
    times.asking_p99.append(percentile(asking, 0.99))
    times.making.append(percentile(making, 0.5))


def _some_file(client, path: str) -> str:
    folder = "root"
    while True:
        child = client.json("GET", f"{path}/items/{folder}/children?limit=1")["items"][0]
        if child["kind"] == "file":
            return child["id"]
        folder = child["id"]
