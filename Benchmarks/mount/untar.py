"""An archive of many small files unpacked in the mount, and then until the server has all of them."""

from pathlib import Path

import device
from disk import Disk
from figure import Figure, at_most, ratio_at_most
from processes import run
from session import Session, seconds_of
from turns import load

FOLDERS = 100
FILES_EACH = 100
SIZE = 4096


def measure(session: Session) -> list[Figure]:
    archive = _archive(session)
    unpacked, sent, peer_runs, peer = [], [], [], ""
    for _ in range(session.runs):
        with device.one(session) as (basket, client):
            unpacked.append(_unpack(archive, client.folder))
            sent.append(client.wait())
            with basket.client() as api:
                folders = api.json("GET", "/v1/domains/Work/items/root/children")["items"]
            if [folder["children"] for folder in folders] != [FILES_EACH] * FOLDERS:
                raise RuntimeError("the server has not got everything that was unpacked")
        with Disk(session) as place, place.mounted() as folder:
            peer = place.name
            peer_runs.append(_unpack(archive, folder))
        session.say(f"{unpacked[-1]:.2f} s, then {sent[-1]:.2f} s until sent; {peer} {peer_runs[-1]:.2f} s")
    title = f"untar {FOLDERS * FILES_EACH:,} files of 4 KiB"
    return [
        Figure(title, unpacked, "s", ratio_at_most(3), peer, peer_runs),
        Figure(f"{title}: from its end until all is sent", sent, "s", at_most(10)),
    ]


def _archive(session: Session) -> Path:
    source, archive = session.work / "archived", session.work / "archive.tar"
    for number in range(FOLDERS):
        folder = source / f"folder-{number:02}"
        folder.mkdir(parents=True)
        load(session, "create", folder, number * FILES_EACH, FILES_EACH, SIZE)
    run(["tar", "-cf", str(archive), "-C", str(source), "."])
    return archive


def _unpack(archive: Path, folder: Path) -> float:
    return seconds_of(["timeout", str(device.MOST_SECONDS), "tar", "-xf", str(archive), "-C", str(folder)])
