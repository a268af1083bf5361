"""Our own mount, with a server behind it."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import filling
from device import Device
from place import Place
from processes import run

# Larger ones are sent in a request of their own.
SMALL = 1 << 20


class Ours(Place):
    name = "Basket"

    def start(self) -> None:
        self.basket = self.until_end.enter_context(self.session.basket())

    def fill(self, source: Path) -> None:
        files = sorted(source.iterdir())
        with self.basket.client() as client:
            parent = filling.folder(client, source.name)
            filling.copy(client, [file for file in files if file.stat().st_size <= SMALL], parent)
        address = f"http://127.0.0.1:{self.basket.port}/v1/domains/Work/files/{source.name}"
        for file in files:
            if file.stat().st_size > SMALL:
                run([
                    "curl", "-fsS", "--oauth2-bearer", self.basket.token, "-T", str(file),
                    f"{address}/{file.name}",
                ])

    @contextlib.contextmanager
    def mounted(self, name: str = "device") -> Iterator[Path]:
        with Device(self.session, self.basket, name) as device:
            self.device = device
            yield device.folder
