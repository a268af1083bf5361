"""The client's side: the program that hosts the extension, and the replicas that it leaves."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import million
from basket import Basket
from processes import TOGETHER, run
from session import Session


def order(session: Session, work: str, folder: Path, basket: Basket | None = None, **more) -> list[str]:
    """The arguments that have the program do something."""
    words = {"work": work, "folder": str(folder), **more}
    if basket:
        words |= {"server": f"http://127.0.0.1:{basket.port}", "token": basket.token}
    return [str(session.programs["client"]), json.dumps(words)]


def measured(session: Session, work: str, folder: Path, basket: Basket | None = None, **more) -> dict:
    """What the program reports at its end."""
    return json.loads(run(order(session, work, folder, basket, **more)))


@contextmanager
def begun(session: Session, work: str, folder: Path, basket: Basket | None = None) -> Iterator:
    """The program, from its first line on; killed at the end."""
    process = subprocess.Popen(
        [*TOGETHER, *order(session, work, folder, basket)], stdout=subprocess.PIPE, text=True)
    try:
        if not process.stdout.readline():
            raise RuntimeError(f"{work} ended too early")
        yield process
    finally:
        process.kill()
        process.wait()


@contextmanager
def folder(session: Session) -> Iterator[Path]:
    """For a replica that is not needed afterwards."""
    path = session.work / "replica"
    shutil.rmtree(path, ignore_errors=True)
    yield path
    shutil.rmtree(path)


def of_large_domain(session: Session) -> Path:
    """A replica of the large domain, up to date when it was made. It is made once a session."""
    path = session.work / "large-replica"
    if not path.exists():
        session.say(f"making a replica of {session.arguments.items:,} items")
        with million.basket(session, session.arguments.items) as basket:
            measured(session, "catchUp", path, basket)
    return path
