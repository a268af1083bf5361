"""Measures the client's mount beside its peers: `make bench-mount`, or `python3 Benchmarks/mount --help`."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "common"))

import creates
import dataless
import first_byte
import idle
import listing
import materialised
import one_byte
import one_change
import reads
import renames
import seen
import stream
import untar
from driver import RELEASE, Driver

BENCHMARKS = {
    "dataless": dataless,
    "first": first_byte,
    "stream": stream,
    "materialised": materialised,
    "creates": creates,
    "reads": reads,
    "renames": renames,
    "listing": listing,
    "untar": untar,
    "seen": seen,
    "byte": one_byte,
    "change": one_change,
    "idle": idle,
}

if __name__ == "__main__":
    driver = Driver(
        "mount", "Measures the client's mount beside its peers.", BENCHMARKS, sources=HERE,
        programs={"server": RELEASE / "basket-server", "client": RELEASE / "basket"},
    )
    driver.parser.add_argument(
        "--items", type=int,
        help="how many the large domain has, in thousands; else 100,000, for `change` 1,000,000, quickly a tenth")
    driver.run()
