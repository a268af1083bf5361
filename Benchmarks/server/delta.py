"""One byte more at the start of a file of 1 GiB: how much has to be sent again.

How a client cuts the new content into chunks is told by a second server that is given all of it: both
sides cut with the same code. Then only what the first server lacks is sent to it, and what it has
afterwards must be the new content.
"""

import json
from pathlib import Path

from basket import Basket
from figure import Figure, at_most
from processes import run
from session import Session, sha256

MANIFEST = "application/vnd.basket.manifest+json"
DOMAIN = "/v1/domains/Work"


def measure(session: Session) -> list[Figure]:
    old = session.large_file()
    new = session.work / "one-byte-more"
    with new.open("wb") as output:
        output.write(b"!")
    run(["sh", "-c", 'cat "$0" >> "$1"', str(old), str(new)])
    with session.basket() as adviser:
        manifest = _manifest(adviser, _upload(adviser, new))
    with session.basket() as basket:
        item = _upload(basket, old)
        sent, chunks = _send_what_is_missing(basket, item, new, manifest)
        got = session.work / "got"
        run([
            "curl", "-fsS", "--oauth2-bearer", basket.token, "-o", str(got),
            f"http://127.0.0.1:{basket.port}{DOMAIN}/items/{item}/content",
        ])
    if sha256(got) != sha256(new):
        raise RuntimeError("what was put together is not what was sent")
    got.unlink()
    new.unlink()
    session.say(f"{sent:,} bytes sent, {chunks} of {len(manifest['chunks'])} chunks")
    title = "1 byte inserted at the start of 1 GiB: sent again"
    return [Figure(title, [sent / (1 << 20)], "MiB", at_most(8))]


def _upload(basket: Basket, file: Path) -> str:
    address = f"http://127.0.0.1:{basket.port}{DOMAIN}/files/gigabyte"
    answer = run(["curl", "-fsS", "--oauth2-bearer", basket.token, "-T", str(file), address])
    return json.loads(answer)["item"]["id"]


def _manifest(basket: Basket, item: str) -> dict:
    with basket.client() as client:
        return client.json("GET", f"{DOMAIN}/items/{item}/manifest")["manifest"]


def _send_what_is_missing(basket: Basket, item: str, file: Path, manifest: dict) -> tuple[int, int]:
    """How many bytes that took, all bodies together, and how many chunks."""
    places, offset = {}, 0
    for chunk in manifest["chunks"]:
        places[chunk["hash"]] = (offset, chunk["length"])
        offset += chunk["length"]
    sent = 0
    with basket.client() as client, file.open("rb") as content:
        question = json.dumps({"hashes": list(places)}).encode()
        answer = client.send(client.request(
            "POST", f"{DOMAIN}/chunks/missing", question, Content_Type="application/json"
        ))
        sent += len(question)
        missing = json.loads(answer)["missing"]
        for hash in missing:
            place, length = places[hash]
            content.seek(place)
            client.send(client.request("PUT", f"{DOMAIN}/chunks/{hash}", content.read(length)))
            sent += length
        body = json.dumps({"manifest": manifest}).encode()
        client.send(client.request(
            "PUT", f"{DOMAIN}/items/{item}/content", body, Content_Type=MANIFEST
        ))
        sent += len(body)
    return sent, len(missing)
