"""What a thousand clients cost that only wait."""

import time

from figure import Figure, at_most
from listeners import Listeners
from session import Session

STREAMS = 1000
# Over two of the server's heartbeats, every 20 seconds: a shorter look would find all of them or none.
SECONDS = 40


def measure(session: Session) -> list[Figure]:
    with session.basket() as basket:
        before = basket.resident()
        with Listeners(session, basket, STREAMS):
            used, start = basket.processor_seconds(), time.monotonic()
            time.sleep(SECONDS)
            share = (basket.processor_seconds() - used) / (time.monotonic() - start) * 100
            memory = basket.resident()
    session.say(f"{before:.0f} MB before, {memory:.0f} MB with {STREAMS:,} streams; {share:.2f}% of a core")
    return [
        Figure("1,000 idle event streams: server's memory", [memory], "MB", at_most(100)),
        # Not quite nothing: heartbeats keep proxies from giving the streams up.
        Figure("1,000 idle event streams: share of a core", [share], "%", at_most(1)),
    ]
