"""A walk: one call after another, on both sides."""

import fcntl
import os
import random
import stat
import time

import attribute_calls
import file_calls
import name_calls
from attributes import Attributes
from choices import Choices
from handle import Handle
from meanwhile import Meanwhile
from outcome import Difference, outcome, short, where_bytes_differ
from status import facts, facts_differ, look, looks_differ

MOST_OPEN = 12
SIDES = (0, 1)
DISK, MOUNT = SIDES
CALLS = file_calls.calls | name_calls.calls | attribute_calls.calls


class Walk(Choices):
    def __init__(self, seed, options):
        self.seed, self.options = seed, options
        # New in each run: what was there before is known to nobody.
        self.name = f"walk-{seed}-{time.time_ns() // 10**6 & 0xFFFFFFF:x}"
        self.tops = [os.path.join(folder, self.name) for folder in (options.plain, options.mount)]
        super().__init__(roots=[os.path.join(top, "w") for top in self.tops], is_large=options.large)
        for root in self.roots:
            os.makedirs(root)
        # What was called, a line each, and how often else what has happened.
        self.said, self.counts = [], {}
        self.step = 0
        self.attributes = Attributes(self.count)
        self.meanwhile = Meanwhile(self)

    def count(self, what):
        self.counts[what] = self.counts.get(what, 0) + 1

    # Doing

    def note(self, text):
        self.said.append(f"{self.step:5} {text}")
        if self.options.trace:
            print(self.said[-1], flush=True)

    def note_result(self, text):
        self.said[-1] += f" = {text}"
        if self.options.trace:
            print(f"      = {text}", flush=True)

    def both(self, text, function, differ=None):
        """Calls it with 0 for the disk and 1 for the mount; `differ` says of what both return how that differs."""
        self.note(text)
        results = [outcome(lambda: function(side)) for side in SIDES]
        self.note_result(short(results[DISK]))
        self.check(text, results, differ)
        return results

    def check(self, text, results, differ=None):
        plain, mounted = results
        if plain[0] == mounted[0] == "ok" and differ:
            words = differ(plain[1], mounted[1])
            if words:
                raise Difference(f"{text}: {words}")
        elif plain != mounted:
            words = where_bytes_differ(plain[1], mounted[1])
            raise Difference(f"{text}\n  disk:  {short(plain)}\n  mount: {short(mounted)}\n  {words}")

    def check_status(self, handle):
        self.both(f"fstat({handle})", lambda side: facts(handle.status(side)), facts_differ)

    # What is open

    def open(self, text, path, opener):
        """Opens it by `opener`, which is called with a side, and keeps it open."""
        self.note(text)
        results = [outcome(lambda: opener(side)) for side in SIDES]
        if not results[DISK][0] == results[MOUNT][0] == "ok":
            self.note_result(short(results[DISK]))
            return self.check(text, results)
        handle = self.keep([result[1] for result in results], path)
        self.note_result(handle)
        self.check_status(handle)
        while len(self.handles) > MOST_OPEN:
            self.close(self.handles[self.random.randrange(len(self.handles) - 1)])
        return handle

    def keep(self, descriptors, path):
        kinds = [stat.S_ISDIR(os.fstat(descriptor).st_mode) for descriptor in descriptors]
        handle = Handle(descriptors, path, kinds[DISK])
        self.handles.append(handle)
        if kinds[DISK] != kinds[MOUNT]:
            raise Difference(f"{handle} is a folder: {kinds}")
        return handle

    def close(self, handle):
        self.handles.remove(handle)
        handle.close_maps()
        self.both(f"close({handle})", lambda side: os.close(handle.descriptors[side]))

    def close_all(self):
        for handle in self.handles:
            handle.close_maps()
            for descriptor in handle.descriptors:
                os.close(descriptor)
        self.handles = []

    # All there is

    def paths(self):
        return [""] + [path for path, _ in self.tree()]

    def both_settled(self, text, subject, function, differ=None):
        """The same of what may have inherited attributes just now: that is looked at once more."""
        said = len(self.said)
        try:
            return self.both(text, function, differ)
        except Difference:
            self.said[said:] = []
            self.attributes.settle(subject(DISK), subject(MOUNT))
            return self.both(text, function, differ)

    def settle_attributes(self):
        for path in self.paths():
            self.attributes.settle(self.at(DISK, path), self.at(MOUNT, path))

    def compare(self):
        self.settle_attributes()
        for path in self.paths():
            self.both_settled(
                f"compare {path!r}", lambda side: self.at(side, path),
                lambda side: look(self.at(side, path)), looks_differ)
            self.said.pop()
        for handle in self.handles:
            results = [outcome(lambda: facts(handle.status(side))) for side in SIDES]
            self.check(f"compare fstat({handle})", results, facts_differ)
            if handle.is_folder:
                continue
            self.check(f"compare position of {handle}", [("ok", place) for place in self.places(handle)])
            if fcntl.fcntl(handle.descriptors[DISK], fcntl.F_GETFL) & os.O_ACCMODE != os.O_WRONLY:
                results = [outcome(lambda: self.content(handle, side)) for side in SIDES]
                self.check(f"compare contents of {handle}", results)

    def places(self, handle):
        return [os.lseek(descriptor, 0, os.SEEK_CUR) for descriptor in handle.descriptors]

    def content(self, handle, side):
        return os.pread(handle.descriptors[side], handle.status(side).st_size + 1, 0)

    # The walk

    def run(self):
        options = self.options
        calls = {name: call for name, call in CALLS.items() if name not in options.without}
        names, weights = list(calls), [call.weight for call in calls.values()]
        self.begin()
        for self.step in range(1, options.steps + 1):
            # Each step has its chances of its number alone, so that one that is left out changes nobody else's.
            self.random = random.Random(f"{self.seed}:{self.step}")
            calls[self.random.choices(names, weights)[0]](self)
            if self.step % options.every == 0:
                self.compare()
            self.meanwhile.happen()
        for handle in list(self.handles):
            self.close(handle)
        self.compare()

    def begin(self):
        self.random = random.Random(f"{self.seed}:0")
        for path in ("a", "c", "c/d"):
            self.both(f"mkdir({path!r})", lambda side: os.mkdir(self.at(side, path)))
        for path in ("b", "a/a", "a/b", "c/d/a", "ü"):
            handle = file_calls.open_at(self, path, os.O_RDWR | os.O_CREAT)
            data = self.random.randbytes(self.random.randrange(60_000))
            file_calls.write_all(self, handle, data)
            if self.chance(0.6):
                self.close(handle)
