"""The domain of very many files that listings and an idle client have to do with."""

from session import Session

ITEMS = 100_000
# With --quick.
FEWER = 10_000


def items(session: Session) -> int:
    return session.arguments.items or (FEWER if session.arguments.quick else ITEMS)
