"""Ten thousand small files of one folder: all wanted at once, and the first of them read one after another."""

import filling
import replica
from figure import Figure, at_most
from session import Session

FILES = 10_000
SIZE = 4096
READ = 1000


def measure(session: Session) -> list[Figure]:
    wanted, costs, read = [], [], []
    with session.basket() as basket:
        with basket.client() as client:
            folder = filling.folder(client, "many")
            filling.fill(client, (f"{number:06}" for number in range(FILES)), folder, size=SIZE)
        for _ in range(session.runs):
            with replica.folder(session) as path:
                report = replica.measured(session, "fetch", path, basket)
            _check(report)
            wanted.append(report["seconds"])
            costs.append(report["processorSeconds"])
            with replica.folder(session) as path:
                report = replica.measured(session, "read", path, basket, count=READ)
            read.append(report["seconds"])
            session.say(f"{wanted[-1]:.2f} s, {costs[-1]:.2f} s of CPU; read {read[-1]:.2f} s")
    title = f"{FILES:,} files of 4 KiB fetched"
    return [
        Figure(title, wanted, "s", at_most(5)),
        Figure(f"{title}: client's CPU", costs, "s"),
        Figure(f"{READ:,} of them read, one after another", read, "s"),
    ]


def _check(report: dict) -> None:
    if report["nodes"] != FILES:
        raise RuntimeError(f"the folder has {report['nodes']} files")
