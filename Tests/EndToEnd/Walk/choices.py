"""What a call is about, by chance: names, places, sizes."""

import os
import random

from linux import PAGE

NAMES = ["a", "b", "c", "d", "e.txt", "ü"]
ODD_NAMES = ["n" * 255, "n" * 256, ".", "..x"]
DEEPEST = 4
FARTHEST, FARTHEST_OF_LARGE = 400_000, 12_000_000


class Choices:
    def __init__(self, roots, is_large):
        # On the disk, and in the mount. What there is to choose from is what the disk has.
        self.roots = roots
        self.is_large = is_large
        self.farthest = FARTHEST_OF_LARGE if is_large else FARTHEST
        self.handles = []
        self.random = random.Random()

    def chance(self, of):
        return self.random.random() < of

    def at(self, side, path):
        return os.path.join(self.roots[side], path)

    def tree(self):
        """All paths, each with what it is: f, d or l."""
        found = []

        def walk(path):
            for entry in sorted(os.scandir(self.at(0, path)), key=lambda entry: entry.name):
                below = os.path.join(path, entry.name)
                kind = "l" if entry.is_symlink() else "d" if entry.is_dir() else "f"
                found.append((below, kind))
                if kind == "d":
                    walk(below)

        walk("")
        return found

    def path(self, kinds="fdl", known=0.75):
        """Of something of such a kind, with some probability, if there is any; of a place for something new otherwise."""
        tree = self.tree()
        some = [path for path, kind in tree if kind in kinds]
        if some and self.chance(known):
            return self.random.choice(some)
        parents = [""] + [path for path, kind in tree if kind == "d"]
        if self.chance(0.05):
            parents = [path for path, _ in tree] or [""]  # which need be no folder
        name = self.random.choice(ODD_NAMES if self.chance(0.01) else NAMES)
        parent = self.random.choice(parents)
        return os.path.join("" if parent.count("/") > DEEPEST else parent, name)

    def file(self):
        """An open file; nothing where there is none."""
        return self._one_of(handle for handle in self.handles if not handle.is_folder)

    def folder(self):
        return self._one_of(handle for handle in self.handles if handle.is_folder)

    def handle(self):
        return self._one_of(self.handles)

    def _one_of(self, handles):
        some = list(handles)
        return self.random.choice(some) if some else None

    def is_open(self, path):
        try:
            status = os.lstat(self.at(0, path))
        except OSError:
            return False
        return any(os.path.samestat(status, handle.status()) for handle in self.handles)

    def offset(self, handle):
        """Near pages' borders and the end as often as anywhere."""
        size, random = handle.size, self.random
        page = random.randrange(0, max(1, size // PAGE + 2)) * PAGE
        return max(0, random.choice([
            0,
            size + random.randint(-3, 3),
            min(self.farthest, size + random.randrange(1, 30_000)),
            page,
            page + random.choice([-1, 1]),
            random.randrange(0, max(1, size)),
            random.randrange(0, max(1, size)),
        ]))

    def length(self):
        random = self.random
        if self.is_large and self.chance(0.1):
            return random.randrange(0, 3_000_000)
        return random.choice([
            0, 1, random.randrange(100), random.randrange(5000), PAGE, random.randrange(30_000),
            random.randrange(140_000),
        ])

    def data(self):
        return self.random.randbytes(self.length())

    def size(self, now):
        """To which something is cut or extended that is so long now."""
        random = self.random
        return random.choice([
            0, now, max(0, now - random.randrange(1, 9000)), min(self.farthest, now + random.randrange(1, 9000)),
            random.randrange(0, max(1, now)), min(self.farthest, now // PAGE * PAGE), random.randrange(0, 100_000),
        ])
