"""What a benchmark is given: how often to measure, where things lie, and what others need as well."""

import argparse
import contextlib
import hashlib
import random
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from basket import Basket
from processes import run

GIGABYTE = 1 << 30


class Session:
    def __init__(
        self, programs: dict[str, Path], folder: Path, sources: Path, runs: int,
        arguments: argparse.Namespace,
    ) -> None:
        self.programs = programs
        self.arguments = arguments
        # What is kept for the next session: the large file, the filled domain.
        self.kept = folder
        # What is gone at the end.
        self.work = folder / "work"
        self.runs = runs
        self._sources = sources
        self._servers = 0

    def say(self, text: str) -> None:
        print(f"  {text}", flush=True)

    @contextlib.contextmanager
    def basket(self, *options: str, data: Path | None = None, **more) -> Iterator[Basket]:
        """A server with a data folder of its own, which is removed afterwards unless it was given."""
        self._servers += 1
        folder = data or self.work / f"server-{self._servers}"
        with Basket(self.programs["server"], folder, *options, **more) as basket:
            yield basket
        if data is None:
            shutil.rmtree(folder)

    def compiled(self, source: str, *flags: str) -> Path:
        """A C source of ours, as what its flags make of it."""
        target = self.work / Path(source).stem
        if not target.exists():
            compiler = shutil.which("cc") or shutil.which("clang") or "cc"
            run([compiler, "-O2", "-Wall", *flags, str(self._sources / source), "-o", str(target)])
        return target

    def large_file(self) -> Path:
        """1 GiB that no compression and no deduplication makes smaller, the same on every machine."""
        file = self.kept / "gigabyte"
        if not file.exists() or file.stat().st_size != GIGABYTE:
            self.say("making a file of 1 GiB")
            randomness = random.Random(1)
            draft = self.work / "gigabyte"
            with draft.open("wb") as output:
                for _ in range(GIGABYTE >> 20):
                    output.write(randomness.randbytes(1 << 20))
            draft.rename(file)
        return file

    def certificate(self) -> tuple[Path, Path]:
        """A certificate for 127.0.0.1 and its key, for all servers alike."""
        certificate, key = self.work / "certificate.pem", self.work / "key.pem"
        if not key.exists():
            run([
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
                "-keyout", str(key), "-out", str(certificate),
            ])
        return certificate, key


def sha256(file: Path) -> str:
    with file.open("rb") as input:
        return hashlib.file_digest(input, "sha256").hexdigest()


def seconds_of(arguments: list[str]) -> float:
    start = time.monotonic()
    subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - start


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]
