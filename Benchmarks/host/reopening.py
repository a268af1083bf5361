"""A client that was killed while it wrote: from the start of its program to the first listings read."""

import subprocess
import time

import replica
from figure import Figure, at_most
from processes import run
from session import Session

# So long it is let write before it is killed.
WRITING = 2


def measure(session: Session) -> list[Figure]:
    folder = replica.of_large_domain(session)
    times = []
    for _ in range(session.runs):
        with replica.begun(session, "disturb", folder) as process:
            time.sleep(WRITING)
            process.kill()
        log = (folder / "replica.db-wal").stat().st_size / 1e6
        program = replica.order(session, "reopen", folder)
        start = time.monotonic()
        with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as process:
            if not process.stdout.readline():
                raise RuntimeError("the replica cannot be read")
            times.append((time.monotonic() - start) * 1000)
        session.say(f"{times[-1]:.0f} ms, with {log:.0f} MB in the log")
    run(["rm", "-rf", str(folder)])  # What was changed in it was for nobody.
    title = f"reopening a replica of {session.arguments.items:,} items after kill -9"
    return [Figure(title, times, "ms", at_most(300))]
