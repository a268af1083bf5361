"""The calls of Linux that Python leaves out."""

import ctypes
import os

NOREPLACE, EXCHANGE = 1, 2
KEEP_SIZE, PUNCH_HOLE, ZERO_RANGE = 1, 2, 16
PAGE = 4096

_HERE = -100  # AT_FDCWD
_libc = ctypes.CDLL(None, use_errno=True)
_libc.renameat2.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
_libc.fallocate.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_long, ctypes.c_long]


def _require(result):
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def rename(old, new, flags):
    _require(_libc.renameat2(_HERE, os.fsencode(old), _HERE, os.fsencode(new), flags))


def allocate(descriptor, mode, offset, count):
    _require(_libc.fallocate(descriptor, mode, offset, count))
