"""What a call has said, and how to tell it."""

import errno

LONGEST_TEXT = 160


class Difference(Exception):
    """The mount has said something that the disk has not."""


def outcome(function):
    try:
        return "ok", function()
    except OSError as error:
        return "error", errno.errorcode.get(error.errno, error.errno)
    except ValueError as error:  # as maps fail
        return "error", f"ValueError {error}"


def short(value):
    """A value as a few words."""
    if isinstance(value, (bytes, bytearray)):
        value = bytes(value)
        if len(value) > 24:
            return f"<{len(value)} bytes {value[:6].hex()}..{value[-4:].hex()}>"
        return f"<{len(value)}: {value.hex()}>"
    if isinstance(value, tuple):
        return "(" + ", ".join(short(part) for part in value) + ")"
    if isinstance(value, dict):
        return " ".join(f"{name} {part}" for name, part in value.items() if part is not None)
    text = repr(value)
    return text if len(text) < LONGEST_TEXT else text[: LONGEST_TEXT - 3] + "..."


def where_bytes_differ(plain, mounted):
    """In words; nothing of what are no bytes."""
    if not all(isinstance(value, (bytes, bytearray)) for value in (plain, mounted)):
        return ""
    words = f"lengths {len(plain)}, {len(mounted)}"
    places = [index for index, (one, other) in enumerate(zip(plain, mounted)) if one != other]
    if places:
        first = slice(places[0], places[0] + 8)
        words += f"; they differ from {places[0]} to {places[-1]}: first {bytes(plain[first]).hex()} on the disk,"
        words += f" {bytes(mounted[first]).hex()} in the mount"
    return words
