"""Measures the server beside its peers: `make bench-server`, or `python3 Benchmarks/server --help`."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "common"))

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
from driver import RELEASE, Driver

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

if __name__ == "__main__":
    Driver(
        "server", "Measures the server beside its peers.", BENCHMARKS, sources=HERE,
        programs={"server": RELEASE / "basket-server"},
    ).run()
