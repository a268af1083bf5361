"""The request that is made more often than any other: one item as JSON."""

from figure import Figure, at_least, at_most
from session import Session
from wrk import load

CONNECTIONS = 32
SECONDS = 4


def measure(session: Session) -> list[Figure]:
    rates, slowest, costs = [], [], []
    with session.basket() as basket:
        with basket.client() as client:
            made = client.json("POST", "/v1/domains/Work/items", {"name": "a.txt", "kind": "file", "content": "YQ=="})
        paths = session.work / "item-paths"
        paths.write_text(f"/v1/domains/Work/items/{made['item']['id']}\n")
        load(basket, "paths.lua", CONNECTIONS, 1, paths=paths)
        for _ in range(session.runs):
            measured = load(basket, "paths.lua", CONNECTIONS, SECONDS, paths=paths)
            rates.append(measured.per_second)
            slowest.append(measured.p99)
            costs.append(measured.cost)
            session.say(f"{measured.per_second:,.0f} a second, p99 {measured.p99:.2f} ms, {measured.cost:.0f} µs of CPU each")
    return [
        Figure("GET of one item, 32 connections", rates, "/s", at_least(40_000)),
        Figure("GET of one item, p99", slowest, "ms", at_most(5)),
        Figure("GET of one item, server's CPU", costs, "µs"),
    ]
