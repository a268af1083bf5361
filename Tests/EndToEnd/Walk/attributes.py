"""Extended attributes that a file has in the mount alone."""

import os

from outcome import Difference, short
from status import user_attributes


class Attributes:
    """A file that is saved by way of another one is the same file afterwards, and keeps what it had beside that one's. So it
    may have more than on the disk. That is taken away, where somebody had set it and nobody has removed it on purpose."""

    def __init__(self, count):
        self.count = count
        self.values, self.removed = set(), set()

    def note_set(self, value, before):
        self.values.add(value)
        self.note_removed(before)

    def note_removed(self, before):
        if before[0] == "ok":
            self.removed.add(before[1])

    def settle(self, plain, mounted):
        """Of the same thing on both sides: its path, or what it is open as."""
        try:
            expected, found = user_attributes(plain), user_attributes(mounted)
            for name in sorted(set(found) - set(expected)):
                value = os.getxattr(mounted, name)
                if value and value in self.removed:
                    raise Difference(f"attribute {name} of {mounted} is back: {short(value)}")
                if value not in self.values:
                    raise Difference(f"attribute {name} of {mounted} is what nobody has set: {short(value)}")
                os.removexattr(mounted, name)
                self.count("inherited attributes")
        except OSError:
            # Calls and comparisons say so of both sides.
            pass
