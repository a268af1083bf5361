"""What a new client does first: everything that a domain of a million items has."""

import re
import time
from collections.abc import Callable

import million
from basket import Basket
from figure import Figure, at_most
from machine import forget_peak
from session import Session

PAGE = 2000
END = re.compile(rb'"anchor":"([^"]+)","more":(true|false)\}\n?$')


def measure(session: Session) -> list[Figure]:
    figures = []
    for name, list_all in (("ndjson", _in_one_stream), ("pages of 2,000", _in_pages)):
        times, memory = [], []
        for _ in range(session.runs):
            with million.basket(session) as basket:
                forget_peak(basket.pid)
                start = time.monotonic()
                count = list_all(basket)
                times.append(time.monotonic() - start)
                memory.append(basket.resident(peak=True))
            if count < million.ITEMS:
                raise RuntimeError(f"the listing ended after {count} items")
            session.say(f"{name}: {times[-1]:.1f} s, {memory[-1]:.0f} MB resident")
        title = f"first listing of 1,000,000 items, {name}"
        figures += [
            Figure(title, times, "s", at_most(15)),
            Figure(f"{title}: server's memory", memory, "MB", at_most(200)),
        ]
    return figures


def _in_one_stream(basket: Basket) -> int:
    """The last line is the anchor, all others are items."""
    with basket.client() as client:
        request = client.request("GET", "/v1/domains/Work/changes", Accept="application/x-ndjson")
        return sum(piece.count(b"\n") for piece in client.pieces(request)) - 1


def _in_pages(basket: Basket) -> int:
    count, since, has_more = 0, "", True
    with basket.client() as client:
        while has_more:
            path = f"/v1/domains/Work/changes?limit={PAGE}{since}"
            page = client.send(client.request("GET", path))
            count += page.count(b'"parent":')
            end = END.search(page, len(page) - 200)
            since, has_more = f"&since={end.group(1).decode()}", end.group(2) == b"true"
    return count
