"""One byte changed in the middle of a file of 1 GiB, until the server has it."""

import replica
from figure import Figure, at_most
from session import Session


def measure(session: Session) -> list[Figure]:
    file = session.large_file()
    times, sent, costs = [], [], []
    for _ in range(session.runs):
        with session.basket() as basket, replica.folder(session) as folder:
            report = replica.measured(session, "change", folder, basket, file=str(file))
        times.append(report["seconds"])
        costs.append(report["processorSeconds"])
        sent.append(report["bytesSent"] / (1 << 20))
        session.say(f"{times[-1]:.2f} s, {costs[-1]:.2f} s of CPU, {sent[-1]:.2f} MiB sent")
    title = "1 byte changed in 1 GiB"
    return [
        Figure(title, times, "s", at_most(3)),
        Figure(f"{title}: client's CPU", costs, "s"),
        Figure(f"{title}: sent", sent, "MiB", at_most(8)),
    ]
