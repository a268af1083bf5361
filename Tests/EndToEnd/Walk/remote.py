"""Another client, which changes what nobody has open here. The disk is changed in the same way."""

import base64
import os
import stat
import urllib.parse
import urllib.request

import linux
from outcome import Difference, outcome
from patience import state, until
from status import LAST_SET_SECOND, look, looks_differ

# Until what was done on one machine is on another one; and until what was done here is given up to come there.
LONGEST_WAY, PATIENCE = 20, 3
# The server knows of no shorter time.
MICROSECOND = 1000
NEW = ("new", "mkdir")
TWO = ("rename", "exchange")
CHANGES = (
    *NEW, *TWO, "write", "write", "save", "append", "truncate", "unlink", "chmod", "xattr", "utimens")


def keep_date(plain, mounted):
    """A folder's date that was set may stay when others save a file in it: to them it is the same file."""
    statuses = [outcome(lambda: os.stat(path)) for path in (plain, mounted)]
    if all(said == "ok" and stat.S_ISDIR(status.st_mode) for said, status in statuses):
        before, after = (status.st_mtime_ns for _, status in statuses)
        if after // 10**9 < LAST_SET_SECOND <= before // 10**9:
            os.utime(plain, ns=(after, after))


class Remote:
    def __init__(self, walk):
        self.walk, self.options = walk, walk.options
        self.root = os.path.join(self.options.remote, walk.name, "w")

    def change(self):
        walk, random = self.walk, self.walk.random
        tree = walk.tree()
        files = [path for path, kind in tree if kind == "f" and not walk.is_open(path)]
        folders = [""] + [path for path, kind in tree if kind == "d"]
        kind = random.choice([*CHANGES, *["put", "put"] * bool(self.options.url)])
        new = os.path.join(random.choice(folders), f"r{random.randrange(4)}")
        if kind not in NEW and not files:
            return
        path = new if kind in NEW else random.choice(files)
        other = random.choice(files) if kind == "exchange" else new if kind == "rename" else None
        if not self.is_possible(kind, path, other):
            return
        places = [place for place in (path, other) if place is not None]
        watched = {*places, *(os.path.dirname(place) for place in places)}
        change = self.draw(kind, path, other)
        text = f"remote {kind} of {', '.join(map(repr, places))}"
        if not self.has_all(watched):
            walk.note(text + ": is not there yet")
            return walk.count("remote late")
        walk.note(text)
        walk.count(text.split(" of ")[0])
        change(walk.roots[0], False)
        change(self.root, True)
        self.wait_for(text, watched)

    def is_possible(self, kind, path, other):
        walk = self.walk
        if kind in NEW:
            return not os.path.lexists(walk.at(0, path))
        if kind == "exchange":
            return other != path
        if kind == "rename":
            return not os.path.isdir(walk.at(0, other)) and not walk.is_open(other)
        return True

    def draw(self, kind, path, other):
        """A function that does it below a folder."""
        random = self.walk.random
        data, size = self.walk.data(), random.randrange(20_000)
        mode = random.choice([0o600, 0o644, 0o755, 0o444])
        date = random.randrange(LAST_SET_SECOND * 10**6) * MICROSECOND
        self.walk.attributes.values.add(data[:100])

        def change(root, is_remote):
            place, target = os.path.join(root, path), os.path.join(root, other or path)
            if kind == "put" and is_remote:
                self.put(path, data)
            elif kind in ("write", "new", "put", "append"):
                with open(place, "ab" if kind == "append" else "wb") as file:
                    file.write(data)
            elif kind == "save":
                with open(place + ".draft", "wb") as file:
                    file.write(data)
                os.rename(place + ".draft", place)
            elif kind == "truncate":
                os.truncate(place, size)
            elif kind == "rename":
                os.rename(place, target)
            elif kind == "exchange":
                linux.rename(place, target, linux.EXCHANGE)
            elif kind == "unlink":
                os.unlink(place)
            elif kind == "chmod":
                os.chmod(place, mode)
            elif kind == "xattr":
                os.setxattr(place, "user.r", data[:100])
            elif kind == "utimens":
                os.utime(place, ns=(date, date))
            else:
                os.mkdir(place)

        return change

    def put(self, path, data):
        domain = os.path.basename(self.options.mount.rstrip("/"))
        place = urllib.parse.quote(f"{domain}/files/{self.walk.name}/w/{path}")
        log_in = f"{self.options.account}:{os.environ['PASSWORD']}".encode()
        request = urllib.request.Request(
            f"{self.options.url}/v1/domains/{place}", data=data, method="PUT",
            headers={"Authorization": "Basic " + base64.b64encode(log_in).decode()})
        urllib.request.urlopen(request, timeout=20).close()

    def has_all(self, paths):
        """Whether all that was done here is there, and the server knows it."""
        walk = self.walk
        some = [path for path in paths if os.path.lexists(walk.at(0, path))]

        def agrees(path):
            if state(walk.at(1, path)) != b"synced":
                return False
            there = outcome(lambda: look(os.path.join(self.root, path)))
            here = outcome(lambda: look(walk.at(0, path)))
            return there[0] == here[0] == "ok" and looks_differ(here[1], there[1], unit=MICROSECOND) is None

        return until(PATIENCE, lambda: all(agrees(path) for path in some))

    def wait_for(self, text, paths):
        """Until it shows here."""
        walk = self.walk
        last = None

        def shows():
            nonlocal last
            for path in sorted(paths):
                keep_date(*(walk.at(side, path) for side in (0, 1)))
                results = [outcome(lambda: look(walk.at(side, path))) for side in (0, 1)]
                try:
                    walk.check(f"{text}: {path!r}", results, looks_differ)
                except Difference as difference:
                    last = difference
                    return False
            return True

        if until(LONGEST_WAY, shows):
            return
        # Not before: what is still to come would look as if it were inherited.
        walk.settle_attributes()
        if not shows():
            raise last
