"""Measures the client against the server: `make bench-host`, or `python3 Benchmarks/host --help`."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "common"))

import changes
import creates
import fetches
import first_listing
import hearing
import million
import one_byte
import plan
import reopening
from driver import RELEASE, Driver

BENCHMARKS = {
    "listing": first_listing,
    "changes": changes,
    "plan": plan,
    "reopening": reopening,
    "creates": creates,
    "fetches": fetches,
    "hearing": hearing,
    "byte": one_byte,
}

if __name__ == "__main__":
    driver = Driver(
        "host", "Measures the client against the server.", BENCHMARKS, sources=HERE,
        programs={"server": RELEASE / "basket-server", "client": RELEASE / "basket-bench-host"},
    )
    driver.parser.add_argument(
        "--items", type=int, default=million.ITEMS, help="how many the large domain has, in thousands")
    driver.run()
