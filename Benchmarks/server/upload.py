"""Upload of 1 GiB by curl, beside what a careful person does without a server: copy, sync, hash."""

import json
import time
from pathlib import Path

from figure import Figure, ratio_at_least
from processes import run
from session import GIGABYTE, Session, sha256


def measure(session: Session) -> list[Figure]:
    file = session.large_file()
    expected = sha256(file)  # This also brings the file into the page cache, for both.
    ours, theirs = [], []
    for _ in range(session.runs):
        # A new server each time: one that knows the content already would not have to write it.
        with session.basket() as basket:
            ours.append(_upload(file, expected, basket))
        theirs.append(_copy(file, session.work / "copy"))
        session.say(f"{ours[-1]:,.0f} MB/s; cp, sync, sha256sum {theirs[-1]:,.0f} MB/s")
    return [
        Figure("upload of 1 GiB", ours, "MB/s", ratio_at_least(0.6), "cp, sync, sha256sum", theirs)
    ]


def _upload(file: Path, expected: str, basket) -> float:
    address = f"http://127.0.0.1:{basket.port}/v1/domains/Work/files/gigabyte"
    start = time.monotonic()
    answer = run(["curl", "-fsS", "--oauth2-bearer", basket.token, "-T", str(file), address])
    seconds = time.monotonic() - start
    if json.loads(answer)["item"]["sha256"] != expected:
        raise RuntimeError("the server has another content than was sent")
    return GIGABYTE / seconds / 1e6


def _copy(file: Path, copy: Path) -> float:
    start = time.monotonic()
    run(["cp", "--reflink=never", str(file), str(copy)])
    run(["sync", str(copy)])
    run(["sha256sum", str(copy)])
    seconds = time.monotonic() - start
    copy.unlink()
    return GIGABYTE / seconds / 1e6
