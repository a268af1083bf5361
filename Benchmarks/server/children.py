"""Pages of a large folder, as a file manager asks for them."""

import filling
from figure import Figure, at_least
from session import Session
from wrk import load

FOLDER = 100_000
PAGE = 1000
CONNECTIONS = 4
SECONDS = 4


def measure(session: Session) -> list[Figure]:
    rates, slowest, costs = [], [], []
    with session.basket() as basket:
        with basket.client() as client:
            filling.fill(client, (f"file-{number:06}.txt" for number in range(FOLDER)), "root")
            paths = _pages(client)
        list_of_paths = session.work / "page-paths"
        list_of_paths.write_text("\n".join(paths) + "\n")
        load(basket, "paths.lua", CONNECTIONS, 1, paths=list_of_paths)
        for _ in range(session.runs):
            measured = load(basket, "paths.lua", CONNECTIONS, SECONDS, paths=list_of_paths)
            rates.append(measured.per_second)
            slowest.append(measured.p99)
            costs.append(measured.cost)
            session.say(f"{measured.per_second:,.0f} pages a second, p99 {measured.p99:.1f} ms, {measured.cost:.0f} µs of CPU each")
    return [
        Figure("pages of 1,000 children, of 100,000", rates, "/s", at_least(500)),
        Figure("pages of 1,000 children, p99", slowest, "ms"),
        Figure("pages of 1,000 children, server's CPU", costs, "µs"),
    ]


def _pages(client) -> list[str]:
    """Where each page of the folder is found: a server that is quick with the first one only would be
    of little use."""
    path = f"/v1/domains/Work/items/root/children?limit={PAGE}"
    paths, cursor, count = [], None, 0
    while True:
        paths.append(path + (f"&cursor={cursor}" if cursor else ""))
        page = client.json("GET", paths[-1])
        count += len(page["items"])
        cursor = page.get("next")
        if cursor is None:
            assert count == FOLDER, f"the pages hold {count} children"
            return paths
