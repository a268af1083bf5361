"""An archive of many small files unpacked in the mount, and then until the server has all of them."""

from pathlib import Path

from disk import Disk
from figure import Figure, at_most, ratio_at_most
from juicefs import JuiceFS, JuiceFSWriteback
from ours import Ours
from place import MOST_SECONDS, Place
from processes import run
from rclone import Rclone
from session import Session, seconds_of
from sshfs import SSHFS
from turns import beside, load

FOLDERS = 100
FILES_EACH = 100
SIZE = 4096


def measure(session: Session) -> list[Figure]:
    archive = _archive(session)
    sent = []

    def work(place: Place) -> float:
        with place.mounted() as folder:
            seconds = seconds_of(["timeout", str(MOST_SECONDS), "tar", "-xf", str(archive), "-C", str(folder)])
            if isinstance(place, Ours):
                sent.append(_until_sent(place))
        return seconds

    peers = {
        Disk: ratio_at_most(3), Rclone: ratio_at_most(1), JuiceFS: ratio_at_most(1),
        JuiceFSWriteback: ratio_at_most(1), SSHFS: None,
    }
    title = f"untar {FOLDERS * FILES_EACH:,} files of 4 KiB"
    figures = beside(session, title, "s", peers, work)
    session.say(f"then, until all is sent, {', '.join(f'{seconds:.2f}' for seconds in sent)} s")
    return [*figures, Figure(f"{title}: from its end until all is sent", sent, "s", at_most(10))]


def _archive(session: Session) -> Path:
    source, archive = session.work / "archived", session.work / "archive.tar"
    for number in range(FOLDERS):
        folder = source / f"folder-{number:02}"
        folder.mkdir(parents=True)
        load(session, "create", folder, number * FILES_EACH, FILES_EACH, SIZE)
    run(["tar", "-cf", str(archive), "-C", str(source), "."])
    return archive


def _until_sent(place: Ours) -> float:
    seconds = place.device.wait()
    with place.basket.client() as api:
        folders = api.json("GET", "/v1/domains/Work/items/root/children")["items"]
    if [folder["children"] for folder in folders] != [FILES_EACH] * FOLDERS:
        raise RuntimeError("the server has not got everything that was unpacked")
    return seconds
