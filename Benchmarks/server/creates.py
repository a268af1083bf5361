"""Durable creates: each answered once its commit is on the disk."""

from figure import Figure, at_least, ratio_at_least
from session import Session
from wrk import load

CONNECTIONS = 16
SECONDS = 4


def measure(session: Session) -> list[Figure]:
    rates, slowest, costs = [], [], []
    for run in range(session.runs):
        with session.basket() as basket:
            load(basket, "creates.lua", CONNECTIONS, 1, prefix="warm-up-")
            measured = load(basket, "creates.lua", CONNECTIONS, SECONDS, prefix=f"run-{run}-")
        rates.append(measured.per_second)
        slowest.append(measured.p99)
        costs.append(measured.cost)
        session.say(
            f"{measured.per_second:,.0f} a second, p99 {measured.p99:.1f} ms, "
            f"{measured.cost:.0f} µs of CPU each"
        )

    preload = session.compiled("slow-fsync.c", "-shared", "-fPIC", "-ldl")
    together, alone = [], []
    for run in range(session.runs):
        for rate, options in ((together, []), (alone, ["--commit-group", "1"])):
            with session.basket(*options, preload=preload) as basket:
                load(basket, "creates.lua", CONNECTIONS, 1, prefix="warm-up-")
                measured = load(basket, "creates.lua", CONNECTIONS, SECONDS // 2, prefix=f"run-{run}-")
            rate.append(measured.per_second)
        session.say(f"slow disk: {together[-1]:,.0f} a second; a commit each: {alone[-1]:,.0f}")
    return [
        Figure("durable 4 KiB creates, 16 connections", rates, "/s", at_least(10_000)),
        Figure("durable 4 KiB creates, p99", slowest, "ms"),
        Figure("durable 4 KiB creates, server's CPU", costs, "µs"),
        Figure(
            "durable 4 KiB creates, fsync of 2 ms", together, "/s", ratio_at_least(5),
            "a commit each", alone,
        ),
    ]
