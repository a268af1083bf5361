"""A change that somebody else makes, from its request until it is in the replica."""

import replica
from figure import Figure, at_most
from session import Session, percentile

CHANGES = 200


def measure(session: Session) -> list[Figure]:
    halves, slowest = [], []
    for _ in range(session.runs):
        with session.basket() as basket, replica.folder(session) as folder:
            report = replica.measured(session, "hear", folder, basket, count=CHANGES)
        times = [time / 1000 for time in report["microseconds"]]
        halves.append(percentile(times, 0.5))
        slowest.append(percentile(times, 0.99))
        session.say(f"p50 {halves[-1]:.2f} ms, p99 {slowest[-1]:.2f} ms")
    title = "a change made elsewhere until it is here"
    return [
        Figure(f"{title}, p50", halves, "ms", at_most(20)),
        Figure(f"{title}, p99", slowest, "ms", at_most(100)),
    ]
