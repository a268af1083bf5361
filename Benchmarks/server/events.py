"""How long after a commit an open event stream has been told.

Nobody outside sees the commit itself. It lies between the sending of a request and its answer, so both
are measured. From the sending is more than the truth, by the whole request with its commit: the goals
are held against this. From the answer is less than the truth, by the answer's way, and 0 where the event
was there first.
"""

import time

from basket import Basket
from figure import Figure, at_most
from listeners import Listeners
from session import Session, percentile

STREAMS = 1000
# Fewer where every change is told a thousand times.
CHANGES_TOLD_ONCE = 500
CHANGES_TOLD_TO_ALL = 50


def measure(session: Session) -> list[Figure]:
    figures = []
    with session.basket() as basket:
        other = basket.account_with_domain("other")
        with Listeners(session, basket, STREAMS - 1, other), Listeners(session, basket, 1) as listeners:
            title = f"event to the one concerned of {STREAMS:,} streams"
            figures += _measure(session, basket, listeners, title, CHANGES_TOLD_ONCE)
        with Listeners(session, basket, STREAMS) as listeners:
            title = f"event to each of {STREAMS:,} streams concerned"
            figures += _measure(session, basket, listeners, title, CHANGES_TOLD_TO_ALL)
    return figures


def _measure(
    session: Session, basket: Basket, listeners: Listeners, title: str, changes: int
) -> list[Figure]:
    from_answer, from_sending = ([], []), ([], [])
    with basket.client() as client:
        for run in range(session.runs):
            since_answer, since_sending = [], []
            for number in range(changes):
                path = f"/v1/domains/Work/files/{time.time_ns()}"
                request = client.request("PUT", path, b"x%d-%d" % (run, number))
                sent = time.monotonic()
                client.send(request)
                answered = time.monotonic()
                for told in listeners.times_of_next_change():
                    since_answer.append(max(0, told - answered) * 1000)
                    since_sending.append((told - sent) * 1000)
            for values, (middle, slowest) in ((since_answer, from_answer), (since_sending, from_sending)):
                middle.append(percentile(values, 0.5))
                slowest.append(percentile(values, 0.99))
            session.say(
                f"{title}: p50 {from_answer[0][-1]:.2f} ms, p99 {from_answer[1][-1]:.2f} ms from the "
                f"answer; {from_sending[0][-1]:.2f} and {from_sending[1][-1]:.2f} ms from the sending"
            )
    return [
        Figure(f"{title}, from the sending, p50", from_sending[0], "ms", at_most(1)),
        Figure(f"{title}, from the sending, p99", from_sending[1], "ms", at_most(5)),
        Figure(f"{title}, from the answer, p50", from_answer[0], "ms"),
        Figure(f"{title}, from the answer, p99", from_answer[1], "ms"),
    ]
