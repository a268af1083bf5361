"""A keep-alive HTTP client that costs little: http.client takes longer than some of the answers."""

import json
import socket
from collections.abc import Iterator


class Refused(Exception):
    """The server answered something else than what the benchmark needs."""


class Client:
    """One connection to 127.0.0.1."""

    def __init__(self, port: int, token: str | None = None) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=120)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._incoming = self._socket.makefile("rb", buffering=1 << 20)
        self._token = token

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self._incoming.close()
        self._socket.close()

    def request(self, method: str, path: str, body: bytes = b"", **headers: str) -> bytes:
        """The bytes to send, made beforehand so that only the sending is timed."""
        lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1"]
        if self._token:
            lines.append(f"Authorization: Bearer {self._token}")
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        if body or method != "GET":
            lines.append(f"Content-Length: {len(body)}")
        return "\r\n".join([*lines, "", ""]).encode() + body

    def send(self, request: bytes) -> bytes:
        """The answer's body."""
        self._socket.sendall(request)
        status, headers = self._head()
        body = self._incoming.read(int(headers.get("content-length", 0)))
        if status >= 300:
            raise Refused(f"{status}: {body[:300].decode()}")
        return body

    def pieces(self, request: bytes) -> Iterator[bytes]:
        """An answer of unknown length, as it comes."""
        self._socket.sendall(request)
        status, headers = self._head()
        if status >= 300 or headers.get("transfer-encoding") != "chunked":
            raise Refused(f"{status}, and not a stream")
        while size := int(self._incoming.readline(), 16):
            yield self._incoming.read(size)
            self._incoming.readline()
        self._incoming.readline()

    def json(self, method: str, path: str, body: object = None) -> dict:
        """A small call whose time does not matter."""
        data = b"" if body is None else json.dumps(body).encode()
        answer = self.send(self.request(method, path, data, Content_Type="application/json"))
        return json.loads(answer) if answer else {}

    def _head(self) -> tuple[int, dict[str, str]]:
        first = self._incoming.readline()
        if not first:
            raise Refused("the server closed the connection")
        headers = {}
        while (line := self._incoming.readline()) not in (b"\r\n", b""):
            name, _, value = line.decode("latin-1").partition(":")
            headers[name.lower()] = value.strip()
        return int(first.split()[1]), headers
