"""A server of ours, started for one benchmark."""

import os
import re
from pathlib import Path

from http_client import Client
from machine import processor_seconds, resident_megabytes
from processes import Daemon


class Basket:
    """Runs until the end of its `with`. It has a domain `Work`, and the administrator's token; a token
    from an earlier start on the same data spares the log-in, which needs a server without TLS."""

    def __init__(
        self, program: Path, data: Path, *options: str, preload: Path | None = None,
        token: str | None = None,
    ) -> None:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("BASKET_")}
        if preload:
            environment["LD_PRELOAD"] = str(preload)
        # Beside the data, for the next start on the same folder: it is told only once.
        self._secret = data.with_suffix(".password")
        self._daemon = Daemon(
            [str(program), "serve", "--data", str(data), "--listen", "127.0.0.1:0", *options],
            data.with_suffix(".log"), environment,
        )
        try:
            self.port = int(self._daemon.wait_for(lambda: self._said(r"listens on \S+:(\d+)\n")))
            if password := self._said(r"password  (\S+)"):
                self._secret.touch(mode=0o600)
                self._secret.write_text(password)
            self.token = token or self._log_in(self.password)
        except BaseException:
            self._daemon.stop()
            raise

    def __enter__(self) -> "Basket":
        return self

    def __exit__(self, *_: object) -> None:
        self._daemon.stop()

    @property
    def pid(self) -> int:
        return self._daemon.pid

    @property
    def password(self) -> str:
        """The administrator's."""
        return self._secret.read_text()

    def client(self, token: str | None = None) -> Client:
        return Client(self.port, token or self.token)

    def resident(self, peak: bool = False) -> float:
        return resident_megabytes(self.pid, peak)

    def processor_seconds(self) -> float:
        return processor_seconds(self.pid)

    def account_with_domain(self, name: str) -> str:
        """The token of another account, which owns a domain of the same name."""
        password = "correct-horse-battery"
        with self.client() as client:
            client.json("POST", "/v1/accounts", {"name": name, "password": password})
        token = self._session(name, password)
        with self.client(token) as client:
            client.json("POST", "/v1/domains", {"name": name})
        return token

    def _log_in(self, password: str) -> str:
        token = self._session("admin", password)
        with Client(self.port, token) as client:
            names = [domain["name"] for domain in client.json("GET", "/v1/domains")["domains"]]
            if "Work" not in names:
                client.json("POST", "/v1/domains", {"name": "Work"})
        return token

    def _session(self, account: str, password: str) -> str:
        with Client(self.port) as client:
            request = {"account": account, "password": password, "device": "benchmark"}
            return client.json("POST", "/v1/sessions", request)["token"]

    def _said(self, pattern: str) -> str | None:
        match = re.search(pattern, self._daemon.said())
        return match.group(1) if match else None
