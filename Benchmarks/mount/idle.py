"""What a client costs that knows very many files and has nothing to do."""

import time

import known
import million
from device import MOST_SECONDS, Device
from figure import Figure, at_most
from session import Session, seconds_of

# As long as the server is watched in its benchmark, over two of its heartbeats.
SECONDS = 40
# So long it may still be busy with what it was just asked.
SETTLING = 5


def measure(session: Session) -> list[Figure]:
    items = known.items(session)
    with million.basket(session, items) as basket, Device(session, basket) as device:
        device.wait()
        time.sleep(SECONDS)
        unseen = device.host_megabytes()
        # Somebody has looked at all of it: the kernel remembers it, and so may the host.
        seconds_of(["timeout", str(MOST_SECONDS), "ls", "-lR", str(device.folder)])
        time.sleep(SETTLING)
        used, start = device.processor_seconds(), time.monotonic()
        time.sleep(SECONDS)
        share = (device.processor_seconds() - used) / (time.monotonic() - start) * 100
        memory, daemon = device.host_megabytes(), device.daemon_megabytes()
    session.say(
        f"host {unseen:.0f} MB, {memory:.0f} MB once listed, daemon {daemon:.0f} MB, {share:.2f}% of a core")
    title = f"idle client with {items:,} items"
    return [
        Figure(f"{title}: host's memory", [unseen], "MB", at_most(60)),
        Figure(f"{title} that were listed: host's memory", [memory], "MB", at_most(60)),
        # One daemon is there for all domains of a person.
        Figure(f"{title} that were listed: daemon's memory", [daemon], "MB"),
        Figure(f"{title} that were listed: memory of both", [memory + daemon], "MB"),
        # Not quite nothing: the server's heartbeats arrive.
        Figure(f"{title}: share of a core", [share], "%", at_most(1)),
    ]
