"""Fills domains with many small files, a thousand a request."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path

from http_client import Client

BATCH = 1000


def fill(
    client: Client, names: Iterator[str], parent: str, domain: str = "Work", size: int | None = None,
) -> None:
    """Makes a small file of its own content for each name; of that many bytes, where they are said."""
    def content(name: str) -> bytes:
        return (name if size is None else (name * (size // len(name) + 1))[:size]).encode()

    _create(client, ((name, content(name)) for name in names), parent, domain)


def copy(client: Client, files: list[Path], parent: str, domain: str = "Work") -> None:
    """Makes the same small files as there are here."""
    _create(client, ((file.name, file.read_bytes()) for file in files), parent, domain)


def folder(client: Client, name: str, domain: str = "Work") -> str:
    """The identifier of a new folder below the root."""
    made = client.json("POST", f"/v1/domains/{domain}/items", {"name": name, "kind": "folder"})
    return made["item"]["id"]


def _create(client: Client, files: Iterator[tuple[str, bytes]], parent: str, domain: str) -> None:
    operations = []
    for name, content in files:
        text = base64.b64encode(content).decode()
        operations.append(
            {"op": "create", "parent": parent, "name": name, "kind": "file", "content": text}
        )
        if len(operations) == BATCH:
            _send(client, operations, domain)
            operations = []
    if operations:
        _send(client, operations, domain)


def _send(client: Client, operations: list[dict], domain: str) -> None:
    body = json.dumps({"operations": operations, "atomic": True}).encode()
    client.send(client.request(
        "POST", f"/v1/domains/{domain}/batch", body, Content_Type="application/json"
    ))
