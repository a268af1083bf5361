"""What the measuring needs to know of the machine: whose processor time it was, and whose memory."""

import os
from pathlib import Path

TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


def processor_seconds(pid: int) -> float:
    """What a process has used so far, without its children."""
    fields = _stat(pid)
    return (int(fields[11]) + int(fields[12])) / TICKS_A_SECOND


def resident_megabytes(pid: int, peak: bool = False) -> float:
    """Resident now, or the most since `forget_peak`; megabytes of 10^6 bytes."""
    wanted = "VmHWM:" if peak else "VmRSS:"
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(wanted):
            return int(line.split()[1]) * 1024 / 1e6
    raise RuntimeError(f"the kernel does not tell the memory of process {pid}")


def children(pid: int) -> list[int]:
    """The processes that it has started and that still run."""
    return [
        int(child) for thread in Path(f"/proc/{pid}/task").iterdir()
        for child in (thread / "children").read_text().split()
    ]


def forget_peak(pid: int) -> None:
    Path(f"/proc/{pid}/clear_refs").write_text("5")


def file_system(folder: Path) -> str:
    """Which kind a folder lies in: ext4, tmpfs."""
    best = ("", "")
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        left, _, right = line.partition(" - ")
        point = left.split()[4]
        if folder.is_relative_to(point) and len(point) >= len(best[0]):
            best = (point, right.split()[0])
    return best[1]


def is_in_memory(folder: Path) -> bool:
    """Whether a folder lies in a file system that has no disk: fsync is for nothing there."""
    return file_system(folder) in ("tmpfs", "ramfs")


def lacks_journal(folder: Path) -> bool:
    """Whether a folder lies in an ext4 that looks, for each file that is made, through all that was deleted a moment ago."""
    if file_system(folder) != "ext4":
        return False
    number = folder.stat().st_dev
    device = Path(f"/sys/dev/block/{os.major(number)}:{os.minor(number)}").resolve().name
    # Each that has one has a thread for it, which the kernel lists by its device.
    return not any(Path("/proc/fs/jbd2").glob(f"{device}-*"))


class Others:
    """How much of the machine's processor time went to processes that are not ours: a figure that was
    measured beside a compiler says little, and a reader has to know."""

    def __init__(self) -> None:
        self._start = _machine_seconds()

    def share(self) -> float:
        """Since the start, from 0 to 1."""
        busy, ours, everything = (b - a for a, b in zip(self._start, _machine_seconds()))
        return min(1.0, max(0.0, busy - ours) / everything) if everything > 0 else 0.0


def _machine_seconds() -> tuple[float, float, float]:
    user, nice, system, idle, wait, _, _, steal = map(
        int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]
    )
    busy = user + nice + system + steal
    return (busy / TICKS_A_SECOND, _ours(os.getpid()), (busy + idle + wait) / TICKS_A_SECOND)


def _ours(pid: int) -> float:
    """Of a process, of the children that it has waited for, and of those that still run."""
    try:
        fields = _stat(pid)
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0  # It ended meanwhile.
    return sum(int(fields[i]) for i in range(11, 15)) / TICKS_A_SECOND + sum(
        _ours(int(child)) for child in children
    )


def _stat(pid: int) -> list[str]:
    """The fields behind the name, which may hold spaces and parentheses."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
