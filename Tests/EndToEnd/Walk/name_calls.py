"""Calls about names: what comes, goes and is listed. Each has how often it comes beside others."""

import itertools
import os
import stat

import linux
from call import caller
from file_calls import flag_names, open_at, write_all
from choices import NAMES
from outcome import Difference, outcome, short
from status import facts, facts_differ

calls = {}
call = caller(calls)


def move(walk, one, other):
    walk.both(f"rename({one!r}, {other!r})", lambda side: os.rename(walk.at(side, one), walk.at(side, other)))


@call(5)
def rename(walk):
    one, other = walk.path("fffddl", 0.95), walk.path("ffdl", 0.5)
    if walk.chance(0.05):
        other = os.path.join(one, walk.random.choice(NAMES))  # into itself
    elif "/" in one and walk.chance(0.4):
        other = os.path.join(os.path.dirname(one), walk.random.choice(NAMES))
    if walk.meanwhile.may_go(other):
        move(walk, one, other)


@call(2)
def save(walk):
    """As editors do: another file is written, and renamed over the one."""
    path = walk.path("f", 0.95)
    draft = os.path.join(os.path.dirname(path), walk.random.choice([".tmp-save", "new.tmp", "b"]))
    backup = path + "~old"
    if not walk.meanwhile.may_go(path, draft, backup):
        return
    data = walk.data()
    handle = open_at(walk, draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    if not handle:
        return
    write_all(walk, handle, data)
    if walk.chance(0.3):
        walk.both(f"fsync({handle})", lambda side: os.fsync(handle.descriptors[side]))
    if walk.chance(0.7) and handle in walk.handles:
        walk.close(handle)
    if walk.chance(0.3):
        move(walk, path, backup)
    move(walk, draft, path)


@call(4)
def rename_otherwise(walk):
    one, other = walk.path("fdl", 0.95), walk.path("fdl", 0.7)
    name = walk.random.choice(["NOREPLACE", "EXCHANGE", "EXCHANGE"])
    walk.both(
        f"renameat2({one!r}, {other!r}, {name})",
        lambda side: linux.rename(walk.at(side, one), walk.at(side, other), getattr(linux, name)))


@call(2)
def unlink(walk):
    path = walk.path("fffld", 0.95)
    if walk.meanwhile.may_go(path):
        walk.both(f"unlink({path!r})", lambda side: os.unlink(walk.at(side, path)))


@call(1.5)
def unlink_open(walk):
    handle = walk.file()
    if not handle or not walk.meanwhile.may_go(handle.path):
        return
    found = outcome(lambda: os.lstat(walk.at(0, handle.path)))
    if found[0] == "ok" and os.path.samestat(found[1], handle.status()):
        walk.both(f"unlink({handle.path!r})", lambda side: os.unlink(walk.at(side, handle.path)))


@call(2)
def rmdir(walk):
    path = walk.path("dddf", 0.95)
    if walk.meanwhile.may_go(path):
        walk.both(f"rmdir({path!r})", lambda side: os.rmdir(walk.at(side, path)))


@call(3)
def mkdir(walk):
    path, mode = walk.path("fd", 0.1), walk.random.choice([0o755, 0o700, 0o777, 0o750, 0o1777])
    walk.both(f"mkdir({path!r}, {mode:o})", lambda side: os.mkdir(walk.at(side, path), mode))


@call(1.5)
def symlink(walk):
    path = walk.path("fdl", 0.1)
    target = walk.random.choice(["a", "b", "a/b", "../a", "./c", "x" * 300, "ü/a", "c/"])
    walk.both(f"symlink({target[:20]!r}, {path!r})", lambda side: os.symlink(target, walk.at(side, path)))


@call(0.7)
def mknod(walk):
    path = walk.path("fdl", 0.1)
    walk.both(f"mknod({path!r})", lambda side: os.mknod(walk.at(side, path), stat.S_IFREG | 0o640))


@call(1)
def readlink(walk):
    path = walk.path("lllf", 0.95)
    walk.both(f"readlink({path!r})", lambda side: os.readlink(walk.at(side, path)))


@call(0.5)
def link(walk):
    """Is refused, as a file has one place in a domain; so it is not done on the disk either."""
    one, other = walk.path("f", 0.95), walk.path("f", 0.1)
    walk.note(f"link({one!r}, {other!r})")
    said = outcome(lambda: os.link(walk.at(1, one), walk.at(1, other)))
    source, target = walk.at(0, one), walk.at(0, other)
    is_possible = (
        os.path.lexists(source) and not os.path.isdir(source) and not os.path.lexists(target)
        and os.path.isdir(os.path.dirname(target)))
    if said[0] == "ok" or is_possible and said[1] not in ("EPERM", "ENAMETOOLONG"):
        raise Difference(f"link({one!r}, {other!r}): {short(said)}")


@call(3)
def listdir(walk):
    handle = walk.folder()
    if handle and walk.chance(0.4):
        return walk.both(f"listdir({handle})", lambda side: sorted(os.listdir(handle.descriptors[side])))
    path = walk.path("dddf", 0.95)

    def entries(side):
        with os.scandir(walk.at(side, path)) as found:
            return sorted((entry.name, entry.is_symlink(), entry.is_dir(follow_symlinks=False)) for entry in found)

    walk.both(f"scandir({path!r})", entries)


@call(1)
def listdir_with_changes(walk):
    """What is there all the time is listed once, whatever comes and goes meanwhile."""
    path = walk.path("d", 0.95)
    walk.note(f"scandir({path!r}) with changes")
    streams = [outcome(lambda: os.scandir(walk.at(side, path))) for side in (0, 1)]
    if not streams[0][0] == streams[1][0] == "ok":
        return walk.check("scandir", streams)
    before = sorted(os.listdir(walk.at(0, path)))
    found = [[entry.name for entry in itertools.islice(stream, 1)] for _, stream in streams]
    name = os.path.join(path, f"new{walk.random.randrange(5)}")
    walk.both(f"mkdir({name!r})", lambda side: os.mkdir(walk.at(side, name)))
    walk.both(f"rmdir({name!r})", lambda side: os.rmdir(walk.at(side, name)))
    for side, (_, stream) in enumerate(streams):
        names = sorted(set(before) & set(found[side])) + [entry.name for entry in stream if entry.name in before]
        if sorted(names) != before:
            raise Difference(f"scandir({path!r}) on side {side} lists {names}, of {before}")


@call(3)
def at_folder(walk):
    """By way of an open folder, which may be elsewhere by now, or nowhere."""
    handle = walk.folder()
    if not handle:
        path = walk.path("d", 1)
        open_at(walk, path, os.O_RDONLY | os.O_DIRECTORY)
        return
    name, kind = walk.random.choice(NAMES), walk.random.choice(["open", "mkdir", "unlink", "stat", "open"])
    if kind == "open":
        flags = os.O_RDWR | walk.random.choice([0, os.O_CREAT, os.O_CREAT | os.O_EXCL])
        walk.open(
            f"openat({handle}, {name!r}, {flag_names(flags)})", os.path.join(handle.path, name),
            lambda side: os.open(name, flags, 0o644, dir_fd=handle.descriptors[side]))
    elif kind == "mkdir":
        walk.both(f"mkdirat({handle}, {name!r})", lambda side: os.mkdir(name, dir_fd=handle.descriptors[side]))
    elif kind == "unlink":
        place = os.path.realpath(f"/proc/self/fd/{handle.descriptors[0]}")
        if walk.meanwhile.may_go(os.path.relpath(os.path.join(place, name), walk.roots[0])):
            walk.both(f"unlinkat({handle}, {name!r})", lambda side: os.unlink(name, dir_fd=handle.descriptors[side]))
    else:
        walk.both(
            f"fstatat({handle}, {name!r})",
            lambda side: facts(os.stat(name, dir_fd=handle.descriptors[side], follow_symlinks=False)), facts_differ)
