"""A domain of a million items, or of fewer in the same shape. To fill it takes minutes, so its data is
kept for the next session."""

import contextlib
import shutil
import time
from collections.abc import Iterator

import filling
from basket import Basket
from session import Session

FILES_EACH = 999
ITEMS = 1000 * (FILES_EACH + 1)


@contextlib.contextmanager
def basket(session: Session, items: int = ITEMS) -> Iterator[Basket]:
    """A server on it, started anew, so that its memory is not that of the filling."""
    name = "million" if items == ITEMS else f"items-{items}"
    data, mark = session.kept / name, session.kept / f"{name}.filled"
    if not mark.exists():
        shutil.rmtree(data, ignore_errors=True)
        session.say(f"making a domain of {items:,} items, once")
        start = time.monotonic()
        with session.basket(data=data) as server, server.client() as client:
            for number in range(items // (FILES_EACH + 1)):
                parent = filling.folder(client, f"folder-{number:04}")
                names = (f"file-{number:04}-{file:03}.txt" for file in range(FILES_EACH))
                filling.fill(client, names, parent)
        seconds = time.monotonic() - start
        mark.write_text(f"{seconds:.0f} s\n")
        session.say(f"that took {seconds:.0f} s, {items / seconds:,.0f} items a second")
    with session.basket(data=data) as server:
        yield server
