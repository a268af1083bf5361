"""Stands between a client and its server, and counts what goes over the wire."""

import contextlib
import socket
import threading

PIECE = 1 << 18


class CountingRelay:
    """Has a port of its own until the end of its `with`. It stands in for the server where a client is told of one."""

    def __init__(self, port: int, password: str = "") -> None:
        self.password = password
        # By clients, and by the server.
        self.sent = self.received = 0
        self._server = ("127.0.0.1", port)
        self._lock = threading.Lock()
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port = self._door.getsockname()[1]

    def __enter__(self) -> "CountingRelay":
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        # It wakes who waits at it; connections end with the client's.
        self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._door.accept()
                server = socket.create_connection(self._server)
                for end in (client, server):
                    end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                for words in ((client, server, True), (server, client, False)):
                    threading.Thread(target=self._hand_on, args=words, daemon=True).start()

    def _hand_on(self, source: socket.socket, target: socket.socket, is_sent: bool) -> None:
        with contextlib.suppress(OSError):
            while piece := source.recv(PIECE):
                with self._lock:
                    if is_sent:
                        self.sent += len(piece)
                    else:
                        self.received += len(piece)
                target.sendall(piece)
        # Who reads at the other end learns that it is over; what goes the other way may go on.
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_WR)
