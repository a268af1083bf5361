"""Calls about what files are beside what is in them. Each has how often it comes beside others."""

import os

from call import caller
from outcome import outcome
from status import LAST_SET_SECOND, facts, facts_differ, user_attributes

calls = {}
call = caller(calls)

MODES = (0o600, 0o644, 0o700, 0o755, 0o444, 0o400, 0o777, 0o500, 0o640, 0)
LAST_DATE = LAST_SET_SECOND * 10**9


@call(3)
def chmod(walk):
    path, mode = walk.path("fdl", 0.95), walk.random.choice([*MODES, walk.random.randrange(0o10000)])
    handle = walk.handle()
    if handle and walk.chance(0.3):
        walk.both(f"fchmod({handle}, {mode:o})", lambda side: os.fchmod(handle.descriptors[side], mode))
        walk.check_status(handle)
    else:
        walk.both(f"chmod({path!r}, {mode:o})", lambda side: os.chmod(walk.at(side, path), mode))


@call(0.5)
def chown(walk):
    """To whom it is already: to others it is refused."""
    handle = walk.handle()
    if handle:
        walk.both(
            f"fchown({handle})", lambda side: os.fchown(handle.descriptors[side], os.getuid(), -1))
        walk.check_status(handle)


@call(3)
def utimens(walk):
    path, handle = walk.path("fffdl", 0.95), walk.handle()
    dates = (
        walk.random.randrange(LAST_DATE), walk.random.choice([walk.random.randrange(LAST_DATE), 0, 10**9]))
    if handle and walk.chance(0.4):
        walk.both(f"futimens({handle}, {dates[1]})", lambda side: os.utime(handle.descriptors[side], ns=dates))
        walk.check_status(handle)
    else:
        follows = walk.chance(0.5)
        walk.both(
            f"utimens({path!r}, {dates[1]}, {follows})",
            lambda side: os.utime(walk.at(side, path), ns=dates, follow_symlinks=follows))


@call(4)
def stat(walk):
    path, follows = walk.path("fffdl", 0.9), walk.chance(0.5)
    walk.both(
        f"{'stat' if follows else 'lstat'}({path!r})",
        lambda side: facts(os.stat(walk.at(side, path), follow_symlinks=follows)), facts_differ)


@call(2)
def fstat(walk):
    handle = walk.handle()
    if handle:
        walk.check_status(handle)


@call(2)
def is_same(walk):
    """A file stays the same one however it is saved, so what is open need be what is at a path only where it is so on
    the disk."""
    handle = walk.handle()
    if handle:
        path = handle.path if walk.chance(0.5) else walk.path("f", 0.95)
        walk.both(
            f"is {handle} at {path!r}?",
            lambda side: os.path.samestat(handle.status(side), os.stat(walk.at(side, path))),
            lambda plain, mounted: "not in the mount" if plain and not mounted else None)


@call(1)
def access(walk):
    path, mode = walk.path("fdl", 0.9), walk.random.randrange(8)
    walk.both(f"access({path!r}, {mode})", lambda side: os.access(walk.at(side, path), mode))


def attribute_before(walk, subject, name):
    walk.attributes.settle(subject(0), subject(1))
    before = outcome(lambda: os.getxattr(subject(0), name))
    # Who has a value by inheritance has it still when it is replaced or removed elsewhere.
    if before[0] == "ok":
        walk.settle_attributes()
    return before


def attribute_subject(walk):
    handle = walk.handle()
    if handle and walk.chance(0.3):
        return str(handle), lambda side: handle.descriptors[side]
    path = walk.path("fffdl", 0.95)
    return repr(path), lambda side: walk.at(side, path)


@call(4)
def setxattr(walk):
    words, subject = attribute_subject(walk)
    name = "user." + walk.random.choice("abcd")
    value = walk.random.randbytes(walk.random.choice([0, 20, 20, walk.random.randrange(8, 400)]))
    flags = walk.random.choice([0, 0, os.XATTR_CREATE, os.XATTR_REPLACE])
    before = attribute_before(walk, subject, name)
    said = walk.both(
        f"setxattr({words}, {name}, {len(value)} bytes, {flags})",
        lambda side: os.setxattr(subject(side), name, value, flags))
    if said[0][0] == "ok":
        walk.attributes.note_set(value, before)


@call(4)
def use_xattr(walk):
    words, subject = attribute_subject(walk)
    name = "user." + walk.random.choice("abcd")
    kind = walk.random.choice(["get", "list", "remove"])
    before = attribute_before(walk, subject, name)
    function = {
        "get": lambda side: os.getxattr(subject(side), name),
        "list": lambda side: user_attributes(subject(side)),
        "remove": lambda side: os.removexattr(subject(side), name),
    }[kind]
    walk.both_settled(f"{kind}xattr({words}, {name})", subject, function)
    if kind == "remove":
        walk.attributes.note_removed(before)
