"""Fills domains with many small files, a thousand a request."""

import base64
import json
from collections.abc import Iterator

from http_client import Client

BATCH = 1000


def fill(
    client: Client, names: Iterator[str], parent: str, domain: str = "Work", size: int | None = None,
) -> None:
    """Makes a small file of its own content for each name; of that many bytes, where they are said."""
    operations = []
    for name in names:
        text = name if size is None else (name * (size // len(name) + 1))[:size]
        content = base64.b64encode(text.encode()).decode()
        operations.append(
            {"op": "create", "parent": parent, "name": name, "kind": "file", "content": content}
        )
        if len(operations) == BATCH:
            _send(client, operations, domain)
            operations = []
    if operations:
        _send(client, operations, domain)


def folder(client: Client, name: str, domain: str = "Work") -> str:
    """The identifier of a new folder below the root."""
    made = client.json("POST", f"/v1/domains/{domain}/items", {"name": name, "kind": "folder"})
    return made["item"]["id"]


def _send(client: Client, operations: list[dict], domain: str) -> None:
    body = json.dumps({"operations": operations, "atomic": True}).encode()
    client.send(client.request(
        "POST", f"/v1/domains/{domain}/batch", body, Content_Type="application/json"
    ))
