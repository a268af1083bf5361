"""What is known of one file or folder, and where that of the mount is another than the disk's.

Not compared is what Basket says is otherwise, or no program can rely on: links and size of folders, blocks, device and
number, when something was read or changed last; and dates by a clock, but that they are of one.
"""

import os
import stat

from outcome import short, where_bytes_differ

# Calls set dates that are earlier, and clocks those that are later.
LAST_SET_SECOND = 1_400_000_000


def facts(status):
    kind = stat.S_IFMT(status.st_mode)
    return {
        "kind": oct(kind),
        "mode": None if kind == stat.S_IFLNK else oct(stat.S_IMODE(status.st_mode)),
        "size": None if kind == stat.S_IFDIR else status.st_size,
        # A folder that was removed has none, and any other one says what it likes.
        "links": (0 if status.st_nlink == 0 else None) if kind == stat.S_IFDIR else status.st_nlink,
        "uid": status.st_uid,
        "gid": status.st_gid,
        "modified": status.st_mtime_ns,
    }


def facts_differ(plain, mounted, unit=1):
    """In words; nothing where they are the same. A set date is compared in so many nanoseconds."""
    for name, value in plain.items():
        if name != "modified" and value != mounted[name]:
            return f"{name} is {value} on the disk, {mounted[name]} in the mount"
    one, other = plain["modified"], mounted["modified"]
    is_set = one // 10**9 < LAST_SET_SECOND
    if one // unit != other // unit if is_set else other // 10**9 < LAST_SET_SECOND:
        return f"modified is {one} on the disk, {other} in the mount"


def user_attributes(subject):
    return sorted(name for name in os.listxattr(subject) if name.startswith("user."))


def look(path):
    """All of one thing: what it is, what it holds, and its attributes."""
    status = os.lstat(path)
    if stat.S_ISLNK(status.st_mode):
        return facts(status), os.readlink(path), None
    attributes = tuple((name, os.getxattr(path, name)) for name in user_attributes(path))
    if stat.S_ISDIR(status.st_mode):
        return facts(status), tuple(sorted(os.listdir(path))), attributes
    with open(path, "rb") as file:
        return facts(status), file.read(), attributes


def looks_differ(plain, mounted, unit=1):
    """In words; nothing where they are the same."""
    said = facts_differ(plain[0], mounted[0], unit)
    if said:
        return said
    if plain[1] != mounted[1]:
        words = where_bytes_differ(plain[1], mounted[1])
        return words or f"holds {short(plain[1])} on the disk, {short(mounted[1])} in the mount"
    if plain[2] != mounted[2]:
        return f"attributes are {short(plain[2])} on the disk, {short(mounted[2])} in the mount"
