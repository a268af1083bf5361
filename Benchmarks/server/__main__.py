"""Measures the server beside its peers: `make bench-server`, or `python3 Benchmarks/server --help`."""

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

import children
import creates
import delta
import download
import events
import first_listing
import idle_streams
import one_change
import one_item
import upload
from figure import Figure, table
from machine import Others, is_in_memory
from session import Session

ROOT = Path(__file__).resolve().parent.parent.parent
BENCHMARKS = {
    "creates": creates,
    "item": one_item,
    "children": children,
    "listing": first_listing,
    "change": one_change,
    "events": events,
    "idle": idle_streams,
    "download": download,
    "upload": upload,
    "delta": delta,
}
# Beside somebody else's work the figures are lower than the machine could do.
MUCH = 0.1


def main() -> int:
    arguments = _arguments()
    folder = arguments.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if is_in_memory(folder):
        print(f"bench: {folder} is in memory; name a folder on a disk with --folder.", file=sys.stderr)
        return 2
    if not arguments.server.exists():
        print(f"bench: {arguments.server} is missing. Build it with: make release", file=sys.stderr)
        return 2
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("bench: another session measures in this folder.", file=sys.stderr)
            return 2
        session = Session(arguments.server.resolve(), folder, 1 if arguments.quick else arguments.runs)
        shutil.rmtree(session.work, ignore_errors=True)  # Of a session that was killed.
        session.work.mkdir()
        try:
            figures, failed = _measure(session, arguments.only or list(BENCHMARKS))
        finally:
            shutil.rmtree(session.work, ignore_errors=True)
    print()
    print(table(figures))
    if any(figure.others > MUCH for figure in figures):
        print("\nOthers were at work on this machine: what they took is in the last column.")
    # What was measured in part must not take the place of a whole session.
    usual = folder / ("server-part.json" if arguments.only else "server.json")
    _write(arguments.json or usual, figures, session)
    for name in failed:
        print(f"bench: {name} could not be measured.", file=sys.stderr)
    return 1 if failed else 0


def _measure(session: Session, names: list[str]) -> tuple[list[Figure], list[str]]:
    """One benchmark that fails does not take the others along."""
    figures, failed = [], []
    for name in names:
        print(f"{name}: {BENCHMARKS[name].__doc__.splitlines()[0]}", flush=True)
        others, start = Others(), time.monotonic()
        try:
            found = BENCHMARKS[name].measure(session)
        except Exception:
            traceback.print_exc()
            failed.append(name)
            continue
        for figure in found:
            figure.others = others.share()
        figures += found
        session.say(f"{time.monotonic() - start:.0f} s")
    return figures, failed


def _write(file: Path, figures: list[Figure], session: Session) -> None:
    text = {
        "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "machine": {"system": platform.platform(), "processors": os.cpu_count()},
        "runs": session.runs,
        "figures": [figure.json() for figure in figures],
    }
    file.write_text(json.dumps(text, indent=2, ensure_ascii=False) + "\n")
    print(f"\nThe same as JSON: {file}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench-server", description="Measures the server beside its peers.")
    parser.add_argument("--only", action="append", choices=BENCHMARKS, help="this one; may be repeated")
    parser.add_argument("--quick", action="store_true", help="one run of each instead of five")
    parser.add_argument("--runs", type=int, default=5, help="how many runs the median is of")
    parser.add_argument(
        "--folder", type=Path, default=ROOT / ".build/bench", help="where data goes; on a disk, 10 GB free")
    parser.add_argument(
        "--server", type=Path, default=ROOT / ".build/release/basket-server", help="the server's program")
    parser.add_argument(
        "--json", type=Path,
        help="where the figures go; else into the folder: server.json, with --only server-part.json")
    return parser.parse_args()


if __name__ == "__main__":
    # A polite end tidies up like Ctrl-C does.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
