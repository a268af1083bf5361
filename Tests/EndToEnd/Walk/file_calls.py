"""Calls about what is in files, most by way of what is open. Each has how often it comes beside others."""

import fcntl
import os

import linux
from call import caller
from linux import PAGE
from outcome import Difference, outcome, short

calls = {}
call = caller(calls)

ACCESSES = ("O_RDONLY", "O_WRONLY", "O_RDWR")
FLAGS = ("O_CREAT", "O_EXCL", "O_TRUNC", "O_APPEND", "O_DIRECTORY", "O_NOFOLLOW", "O_SYNC")
TMPFILE = getattr(os, "O_TMPFILE", 0o20200000)
FARTHEST_POSITION = 13_000_000


def flag_names(flags):
    more = [name[2:] for name in FLAGS if flags & getattr(os, name) == getattr(os, name)]
    return "|".join([ACCESSES[flags & os.O_ACCMODE]] + more)


def open_at(walk, path, flags, mode=0o644):
    return walk.open(
        f"open({path!r}, {flag_names(flags)}, {mode:o})", path,
        lambda side: os.open(walk.at(side, path), flags, mode))


def write_all(walk, handle, data):
    walk.both(f"write({handle}, {len(data)})", lambda side: os.write(handle.descriptors[side], data))


@call(12)
def open_path(walk):
    path = walk.path("ffffdl", 0.8)
    flags = walk.random.choice([os.O_RDONLY, os.O_WRONLY, os.O_RDWR, os.O_RDWR])
    for name, chance in zip(FLAGS, (0.5, 0.15, 0.15, 0.15, 0.07, 0.1, 0.03)):
        if walk.chance(chance):
            flags |= getattr(os, name)
    open_at(walk, path, flags, walk.random.choice([0o644, 0o644, 0o600, 0o755, 0o444, 0o666, 0]))


@call(0.2)
def tmpfile(walk):
    path = walk.path("d", 0.9)
    walk.note(f"open({path!r}, O_TMPFILE)")
    plain, mounted = (outcome(lambda: os.open(walk.at(side, path), TMPFILE | os.O_RDWR, 0o600)) for side in (0, 1))
    # Programs know that not all file systems have it: libfuse's do not.
    if mounted[1] in ("ENOTSUP", "EISDIR"):
        if plain[0] == "ok":
            os.close(plain[1])
    elif plain[0] == mounted[0] == "ok":
        walk.keep([plain[1], mounted[1]], path)
    else:
        walk.check("tmpfile", [plain, mounted])


@call(5)
def close(walk):
    handle = walk.handle()
    if handle:
        walk.close(handle)


@call(1.5)
def dup(walk):
    handle = walk.handle()
    if handle:
        walk.open(f"dup({handle})", handle.path, lambda side: os.dup(handle.descriptors[side]))


@call(1.5)
def reopen(walk):
    """As who was given something open, and wants it otherwise. It may have no name any more."""
    handle = walk.file()
    if handle:
        flags = walk.random.choice([os.O_RDONLY, os.O_RDWR, os.O_WRONLY | os.O_APPEND, os.O_RDWR | os.O_TRUNC])
        walk.open(
            f"open(/proc/self/fd/{handle}, {flag_names(flags)})", handle.path,
            lambda side: os.open(f"/proc/self/fd/{handle.descriptors[side]}", flags))


@call(4)
def read(walk):
    handle = walk.file()
    if handle:
        count = walk.length()
        walk.both(f"read({handle}, {count})", lambda side: os.read(handle.descriptors[side], count))


@call(6)
def pread(walk):
    handle = walk.file()
    if handle:
        count, offset = walk.length(), walk.offset(handle)
        walk.both(
            f"pread({handle}, {count}, at {offset})",
            lambda side: os.pread(handle.descriptors[side], count, offset))


@call(6)
def write(walk):
    handle = walk.file()
    if handle and walk.places(handle)[0] < FARTHEST_POSITION:
        write_all(walk, handle, walk.data())


@call(6)
def pwrite(walk):
    handle = walk.file()
    if handle:
        data, offset = walk.data(), walk.offset(handle)
        walk.both(
            f"pwrite({handle}, {len(data)}, at {offset})",
            lambda side: os.pwrite(handle.descriptors[side], data, offset))


@call(3)
def lseek(walk):
    handle = walk.file()
    if handle:
        whence = walk.random.choice([os.SEEK_SET, os.SEEK_CUR, os.SEEK_END])
        offset = walk.offset(handle) if whence == os.SEEK_SET else walk.random.randrange(-5000, 5000)
        walk.both(
            f"lseek({handle}, {offset}, {whence})",
            lambda side: os.lseek(handle.descriptors[side], offset, whence))


@call(2)
def seek_holes(walk):
    """A file system may know of fewer holes than there are, so it need only leave out no data."""
    handle = walk.file()
    if not handle:
        return
    offset = walk.offset(handle)
    name = walk.random.choice(["SEEK_DATA", "SEEK_HOLE"])
    places = walk.places(handle)
    text = f"lseek({handle}, {offset}, {name})"
    walk.note(text)
    results = [outcome(lambda: os.lseek(handle.descriptors[side], offset, getattr(os, name))) for side in (0, 1)]
    for descriptor, place in zip(handle.descriptors, places):
        os.lseek(descriptor, place, os.SEEK_SET)
    walk.note_result(short(results[0]))
    size = handle.size
    if offset >= size:
        return walk.check(text, results)
    content = outcome(lambda: os.pread(handle.descriptors[0], size - offset, offset))
    if content[0] == "ok" and not is_true(results[1], name, offset, content[1]):
        raise Difference(f"{text}: {short(results[0])} on the disk, {short(results[1])} in the mount, of {size} bytes")


def is_true(said, name, offset, content):
    """Of where data or a hole is: what is in the file from the offset on tells."""
    size = offset + len(content)
    first = len(content) - len(content.lstrip(b"\0")) + offset
    if name == "SEEK_DATA":
        if said[0] != "ok":
            return said[1] == "ENXIO" and first == size
        return offset <= said[1] < size and said[1] <= first
    return said[0] == "ok" and offset <= said[1] <= size and (said[1] == size or content[said[1] - offset] == 0)


@call(3)
def ftruncate(walk):
    handle = walk.file()
    if handle:
        size = walk.size(handle.size)
        walk.both(f"ftruncate({handle}, {size})", lambda side: os.ftruncate(handle.descriptors[side], size))


@call(2)
def truncate(walk):
    path = walk.path("fffdl", 0.95)
    now = outcome(lambda: os.stat(walk.at(0, path)).st_size)
    size = walk.size(now[1] if now[0] == "ok" else 0)
    walk.both(f"truncate({path!r}, {size})", lambda side: os.truncate(walk.at(side, path), size))


@call(3)
def fallocate(walk):
    """The kernel lets no FUSE file system collapse or insert a range."""
    handle = walk.file()
    if handle:
        keep, hole, zero = linux.KEEP_SIZE, linux.PUNCH_HOLE, linux.ZERO_RANGE
        mode = walk.random.choice([0, keep, hole | keep, hole | keep, zero, zero | keep])
        offset, count = walk.offset(handle), walk.random.choice([0, 1, PAGE, walk.random.randrange(1, 60_000)])
        walk.both(
            f"fallocate({handle}, {mode}, {offset}, {count})",
            lambda side: linux.allocate(handle.descriptors[side], mode, offset, count))


@call(2)
def fsync(walk):
    handle = walk.handle()
    if handle:
        function = walk.random.choice([os.fsync, os.fdatasync])
        walk.both(f"{function.__name__}({handle})", lambda side: function(handle.descriptors[side]))


@call(6)
def use_map(walk):
    """Maps a file, or reads and writes by the map that there is."""
    handle = walk.file()
    if not handle or not handle.maps and not make_maps(walk, handle):
        return
    sizes = [handle.status(side).st_size for side in (0, 1)]
    walk.check(f"size of {handle}", [("ok", size) for size in sizes])
    # What is behind the end by now kills who touches it.
    room = min(len(handle.maps[0]), sizes[0])
    if room == 0:
        return
    offset = walk.random.randrange(room)
    end = offset + min(room - offset, walk.random.choice([1, 100, 5000, 70_000]))
    walk.both(f"map-read({handle}, {offset}, {end - offset})", lambda side: handle.maps[side][offset:end])
    if handle.maps_are_written and walk.chance(0.6):
        data = walk.random.randbytes(end - offset)

        def write(side):
            handle.maps[side][offset:end] = data
            # Until then, the kernel tells nobody, and the file's date is what it was.
            handle.maps[side].flush()

        walk.both(f"map-write({handle}, {offset}, {len(data)})", write)


def make_maps(walk, handle):
    access = fcntl.fcntl(handle.descriptors[0], fcntl.F_GETFL) & os.O_ACCMODE
    size, is_written = handle.size, access == os.O_RDWR
    if size == 0 or access == os.O_WRONLY:
        return False
    results = walk.both(
        f"mmap({handle}, {size}, {'rw' if is_written else 'r'})",
        lambda side: handle.map(side, size, is_written), lambda plain, mounted: None)
    handle.maps, handle.maps_are_written = [result[1] for result in results], is_written
    return True


@call(2)
def copy_range(walk):
    one, other = walk.file(), walk.file()
    if one and other:
        count, source, target = walk.length(), walk.offset(one), walk.offset(other)
        walk.both(
            f"copy_file_range({one} at {source}, {other} at {target}, {count})",
            lambda side: os.copy_file_range(
                one.descriptors[side], other.descriptors[side], count, source, target))


@call(1)
def flock(walk):
    handle = walk.handle()
    if handle:
        how = walk.random.choice([fcntl.LOCK_SH, fcntl.LOCK_EX, fcntl.LOCK_UN])
        walk.both(f"flock({handle}, {how})", lambda side: fcntl.flock(handle.descriptors[side], how | fcntl.LOCK_NB))
