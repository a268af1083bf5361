"""One change among very many items, until it is known what follows from it."""

import million
import replica
from figure import Figure, at_most
from session import Session, percentile

CHANGES = 1000


def measure(session: Session) -> list[Figure]:
    folder = replica.of_large_domain(session)
    halves, slowest = [], []
    # The extension needs a server to be made for, though nothing is asked of it.
    with million.basket(session, session.arguments.items) as basket:
        for _ in range(session.runs):
            report = replica.measured(session, "plan", folder, basket, count=CHANGES)
            times = [time / 1000 for time in report["microseconds"]]
            halves.append(percentile(times, 0.5))
            slowest.append(percentile(times, 0.99))
            session.say(f"p50 {halves[-1]:.3f} ms, p99 {slowest[-1]:.3f} ms")
    title = f"plan after one change among {session.arguments.items:,} items"
    return [
        Figure(f"{title}, p50", halves, "ms", at_most(1)),
        Figure(f"{title}, p99", slowest, "ms", at_most(1)),
    ]
