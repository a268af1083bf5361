"""Ten thousand small files that appeared in the local tree, until they are durable on the server."""

import replica
from figure import Figure, at_most
from session import Session

FILES = 10_000
SIZE = 4096


def measure(session: Session) -> list[Figure]:
    times, costs, servers = [], [], []
    for _ in range(session.runs):
        with session.basket() as basket, replica.folder(session) as folder:
            report = replica.measured(
                session, "create", folder, basket, count=FILES, size=SIZE)
            with basket.client() as client:
                _check(client.json("GET", "/v1/domains/Work/items/root/children")["items"])
            servers.append(basket.processor_seconds())
        times.append(report["seconds"])
        costs.append(report["processorSeconds"])
        session.say(
            f"{times[-1]:.1f} s, {costs[-1]:.1f} s of CPU (the server {servers[-1]:.1f}); "
            f"making them here took {report['localSeconds']:.1f} s"
        )
    title = f"{FILES:,} new files of 4 KiB sent"
    return [
        Figure(title, times, "s", at_most(5)),
        Figure(f"{title}: client's CPU", costs, "s"),
        Figure(f"{title}: server's CPU", servers, "s"),
    ]


def _check(items: list[dict]) -> None:
    counts = [item["children"] for item in items if item["name"] == "new"]
    if counts != [FILES]:
        raise RuntimeError(f"the server has {counts} files")
