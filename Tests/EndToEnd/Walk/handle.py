"""Something open on both sides."""

import itertools
import mmap
import os


class Handle:
    _numbers = itertools.count(1)

    def __init__(self, descriptors, path, is_folder):
        self.number = next(self._numbers)
        self.descriptors = descriptors
        # Where it was when it was opened.
        self.path = path
        self.is_folder = is_folder
        self.maps = None
        self.maps_are_written = False

    def __repr__(self):
        return f"h{self.number}"

    def status(self, side=0):
        return os.fstat(self.descriptors[side])

    @property
    def size(self):
        return self.status().st_size

    @property
    def has_no_name(self):
        """Whether it was removed. The last name of a file is counted, of a folder it is said."""
        if self.status().st_nlink == 0:
            return True
        place = os.readlink(f"/proc/self/fd/{self.descriptors[0]}")
        return self.is_folder and place.endswith(" (deleted)")

    def map(self, side, size, is_written):
        return mmap.mmap(
            self.descriptors[side], size, access=mmap.ACCESS_WRITE if is_written else mmap.ACCESS_READ)

    def close_maps(self):
        for one in self.maps or []:
            one.close()
        self.maps = None
