"""Ten thousand items that others have changed, taken in by a client that was away."""

import json
import time

import million
import replica
from figure import Figure, at_most
from http_client import Client
from session import Session

CHANGED = 10_000
BATCH = 1000


def measure(session: Session) -> list[Figure]:
    folder = replica.of_large_domain(session)
    times, costs = [], []
    with million.basket(session, session.arguments.items) as basket, basket.client() as client:
        files = _files(client)
        replica.measured(session, "catchUp", folder, basket)
        for run in range(session.runs):
            _change(client, files, run)
            report = replica.measured(session, "catchUp", folder, basket)
            times.append(report["seconds"])
            costs.append(report["processorSeconds"])
            session.say(f"{times[-1]:.2f} s, {costs[-1]:.2f} s of CPU")
    title = f"{CHANGED:,} changed items taken in"
    return [
        Figure(title, times, "s", at_most(1)),
        Figure(f"{title}: client's CPU", costs, "s"),
    ]


def _files(client: Client) -> list[str]:
    """As many as are changed, from all over the domain."""
    path = "/v1/domains/Work/items"
    folders = _children(client, f"{path}/root/children")
    each = -(-CHANGED // len(folders))
    files = [
        file for folder in folders for file in _children(client, f"{path}/{folder}/children", each)
    ]
    return files[:CHANGED]


def _children(client: Client, path: str, limit: int = 1000) -> list[str]:
    return [item["id"] for item in client.json("GET", f"{path}?limit={limit}")["items"]]


def _change(client: Client, files: list[str], run: int) -> None:
    """Another date for each, and another tag."""
    nanoseconds = time.time_ns() % 1_000_000_000
    for start in range(0, len(files), BATCH):
        operations = [
            {
                "op": "change", "item": file, "tags": [f"run-{run}"],
                "modified": f"2030-01-01T00:00:00.{nanoseconds:09}Z",
            }
            for file in files[start:start + BATCH]
        ]
        body = json.dumps({"operations": operations, "atomic": True}).encode()
        client.send(client.request(
            "POST", "/v1/domains/Work/batch", body, Content_Type="application/json"
        ))
