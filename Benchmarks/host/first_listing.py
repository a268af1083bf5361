"""What a new client does first: it takes in a whole domain, until nothing is left to do."""

import million
import replica
from figure import Figure, at_most
from session import Session


def measure(session: Session) -> list[Figure]:
    items = session.arguments.items
    times, memory, costs = [], [], []
    for _ in range(session.runs):
        with million.basket(session, items) as basket, replica.folder(session) as folder:
            report = replica.measured(session, "catchUp", folder, basket)
            cost = basket.processor_seconds()
        if report["nodes"] < items:
            raise RuntimeError(f"the replica has {report['nodes']} nodes")
        times.append(report["seconds"])
        memory.append(report["peakMegabytes"])
        costs.append(report["processorSeconds"])
        session.say(
            f"{times[-1]:.1f} s, {costs[-1]:.1f} s of CPU (the server {cost:.1f}), {memory[-1]:.0f} MB"
        )
    title = f"first enumeration of {items:,} items"
    return [
        Figure(title, times, "s", at_most(20)),
        Figure(f"{title}: client's CPU", costs, "s"),
        Figure(f"{title}: client's memory", memory, "MB", at_most(350)),
    ]
