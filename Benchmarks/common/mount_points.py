"""What is mounted, and how it is let go of."""

import subprocess
from pathlib import Path


def is_mounted(point: Path) -> bool:
    """Asks the kernel's list and not the mount, which may not answer."""
    return point in _points()


def release(folder: Path) -> None:
    """Unmounts what is mounted at or below a folder, the inner ones first, also what no longer answers."""
    for point in reversed(_points()):
        if point.is_relative_to(folder):
            for command in (["fusermount3", "-u", "-z"], ["umount", "-l"]):
                if subprocess.run([*command, str(point)], capture_output=True).returncode == 0:
                    break


def _points() -> list[Path]:
    lines = Path("/proc/self/mountinfo").read_text().splitlines()
    # Blanks and backslashes are written as octal numbers there.
    return [Path(line.split()[4].encode().decode("unicode_escape")) for line in lines]
