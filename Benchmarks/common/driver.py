"""A session of benchmarks: measures each, prints the table, and writes the same as JSON."""

import argparse
import fcntl
import json
import os
import platform
import shutil
import signal
import sys
import time
import traceback
from datetime import datetime, timezone
from pathlib import Path
from types import ModuleType

from figure import Figure, table
from machine import Others, is_in_memory, lacks_journal
from mount_points import release
from session import Session

ROOT = Path(__file__).resolve().parent.parent.parent
RELEASE = ROOT / ".build/release"
# Beside somebody else's work the figures are lower than the machine could do.
MUCH = 0.1


class Driver:
    """What is measured together, under one name: its JSON file is called after it."""

    def __init__(
        self, name: str, description: str, benchmarks: dict[str, ModuleType], sources: Path,
        programs: dict[str, Path],
    ) -> None:
        self._name = name
        self._benchmarks = benchmarks
        self._sources = sources
        self._programs = programs
        self.parser = self._parser(description)

    def run(self) -> None:
        """Ends the process."""
        # A polite end tidies up like Ctrl-C does.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        try:
            sys.exit(self._run(self.parser.parse_args()))
        except KeyboardInterrupt:
            sys.exit(130)

    def _run(self, arguments: argparse.Namespace) -> int:
        folder = arguments.folder.resolve()
        folder.mkdir(parents=True, exist_ok=True)
        if is_in_memory(folder):
            print(f"bench: {folder} is in memory; name a folder on a disk with --folder.", file=sys.stderr)
            return 2
        if lacks_journal(folder):
            print(f"bench: {folder} lies in an ext4 without a journal, where making many files is slow: see README.md.")
        programs = {name: getattr(arguments, name).resolve() for name in self._programs}
        for program in programs.values():
            if not program.exists():
                print(f"bench: {program} is missing. Build it with: make bench-{self._name}", file=sys.stderr)
                return 2
        with (folder / "lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                print("bench: another session measures in this folder.", file=sys.stderr)
                return 2
            session = Session(
                programs, folder, self._sources, 1 if arguments.quick else arguments.runs, arguments)
            _remove(session.work)  # Of a session that was killed.
            session.work.mkdir()
            try:
                figures, failed = self._measure(session, arguments.only or list(self._benchmarks))
            finally:
                _remove(session.work)
        print()
        print(table(figures))
        if any(figure.others > MUCH for figure in figures):
            print("\nOthers were at work on this machine: what they took is in the last column.")
        # What was measured in part must not take the place of a whole session.
        part = "-part" if arguments.only else ""
        self._write(arguments.json or folder / f"{self._name}{part}.json", figures, session)
        for name in failed:
            print(f"bench: {name} could not be measured.", file=sys.stderr)
        return 1 if failed else 0

    def _measure(self, session: Session, names: list[str]) -> tuple[list[Figure], list[str]]:
        """One benchmark that fails does not take the others along."""
        figures, failed = [], []
        for name in names:
            print(f"{name}: {self._benchmarks[name].__doc__.splitlines()[0]}", flush=True)
            others, start = Others(), time.monotonic()
            try:
                found = self._benchmarks[name].measure(session)
            except Exception:
                traceback.print_exc()
                failed.append(name)
                continue
            for figure in found:
                figure.others = others.share()
            figures += found
            session.say(f"{time.monotonic() - start:.0f} s")
        return figures, failed

    def _write(self, file: Path, figures: list[Figure], session: Session) -> None:
        text = {
            "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
            "machine": {"system": platform.platform(), "processors": os.cpu_count()},
            "runs": session.runs,
            "figures": [figure.json() for figure in figures],
        }
        file.write_text(json.dumps(text, indent=2, ensure_ascii=False) + "\n")
        print(f"\nThe same as JSON: {file}")

    def _parser(self, description: str) -> argparse.ArgumentParser:
        name = self._name
        parser = argparse.ArgumentParser(prog=f"bench-{name}", description=description)
        parser.add_argument(
            "--only", action="append", choices=self._benchmarks, help="this one; may be repeated")
        parser.add_argument("--quick", action="store_true", help="one run of each instead of five")
        parser.add_argument("--runs", type=int, default=5, help="how many runs the median is of")
        parser.add_argument(
            "--folder", type=Path, default=ROOT / ".build/bench", help="where data goes; on a disk, 10 GB free")
        for program, path in self._programs.items():
            parser.add_argument(f"--{program}", type=Path, default=path, help=f"the {program}'s program")
        parser.add_argument(
            "--json", type=Path,
            help=f"where the figures go; else into the folder: {name}.json, with --only {name}-part.json")
        return parser


def _remove(work: Path) -> None:
    # First what is mounted in it: whatever lies behind a mount is not ours to remove.
    release(work)
    shutil.rmtree(work, ignore_errors=True)
