"""One byte changed in a file of 1 GiB on one client, and what goes over the wire until another has it."""

import shutil
from pathlib import Path

from counting import CountingRelay
from device import Device
from figure import Figure, at_most
from processes import run
from session import GIGABYTE, Session, sha256

MIDDLE = GIGABYTE // 2


def measure(session: Session) -> list[Figure]:
    sent, received = [], []
    expected = _changed(session)
    for _ in range(session.runs):
        with (
            session.basket() as basket, CountingRelay(basket) as up, CountingRelay(basket) as down,
            Device(session, up, "here") as here, Device(session, down, "there") as there,
        ):
            address = f"http://127.0.0.1:{basket.port}/v1/domains/Work/files/file"
            run(["curl", "-fsS", "--oauth2-bearer", basket.token, "-T", str(session.large_file()), address])
            for device in (here, there):
                device.wait()
                device.tell("download", "--wait", str(device.folder / "file"))
            before = up.sent, down.received
            _change(here.folder / "file")
            here.wait()
            there.wait()
            there.tell("download", "--wait", str(there.folder / "file"))
            if sha256(there.folder / "file") != expected:
                raise RuntimeError("the other client has another content than was written")
            sent.append((up.sent - before[0]) / (1 << 20))
            received.append((down.received - before[1]) / (1 << 20))
        session.say(f"{sent[-1]:.2f} MiB sent, {received[-1]:.2f} MiB received by the other")
    title = "1 byte changed in 1 GiB"
    return [
        Figure(f"{title}: sent up, with all headers", sent, "MiB", at_most(8)),
        Figure(f"{title}: received by another client, with all headers", received, "MiB", at_most(8)),
    ]


def _change(file: Path) -> None:
    with file.open("r+b") as opened:
        opened.seek(MIDDLE)
        byte = opened.read(1)[0]
        opened.seek(MIDDLE)
        opened.write(bytes([byte ^ 0xFF]))


def _changed(session: Session) -> str:
    """The hash of what the file must be afterwards."""
    copy = session.work / "changed"
    shutil.copyfile(session.large_file(), copy)
    _change(copy)
    hash = sha256(copy)
    copy.unlink()
    return hash
