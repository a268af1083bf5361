"""Does the same random POSIX calls in a folder of the disk and in a mounted domain, and compares what they say.

By hand, with a daemon that runs and a domain that is mounted:

    python3 Tests/EndToEnd/Walk --plain /tmp/plain --mount ~/Basket/Work --seed 1 --seeds 100

More happens meanwhile with --evict, --kill and --race, which ask the program (--basket) in the environment that they are
given; and with --remote, the same domain's mount of another client, for which --url and the variable PASSWORD let it change
files at the server as well. Both folders get one of this run's own, which is left where they differ. The folder of the
disk has to be on a file system that has extended attributes of users, as ext4.

Ends with 0 where all is the same; with 1, the last calls and the difference where it is not. A seed makes the same
calls again, as long as what else happens does the same.
"""

import argparse
import os
import shutil
import sys
import time

from outcome import Difference
from walk import CALLS, Walk

# A call is a line.
LINES_TOLD = 30
LONGEST_LINE = 130
LONGEST_DIFFERENCE = 1000


def parse():
    parser = argparse.ArgumentParser(
        prog="Walk", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plain", required=True, help="a folder of the disk")
    parser.add_argument("--mount", required=True, help="a domain's folder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=1, help="so many, from --seed on")
    parser.add_argument("--steps", type=int, default=2000, help="of each seed; a step is some calls")
    parser.add_argument("--every", type=int, default=50, help="compare everything after so many steps")
    parser.add_argument("--large", action="store_true", help="files of megabytes")
    parser.add_argument("--rate", type=float, default=0.03, help="of steps after which something else happens")
    parser.add_argument("--evict", action="store_true", help="evict files meanwhile")
    parser.add_argument("--kill", type=int, default=0, help="kill the host so many times")
    parser.add_argument("--race", action="store_true", help="kill it while the next calls run")
    parser.add_argument("--basket", default="basket", help="the client's program")
    parser.add_argument("--remote", help="the domain's folder of another client, that changes files meanwhile")
    parser.add_argument("--url", help="the server's, to which files are put meanwhile")
    parser.add_argument("--account", default="admin")
    parser.add_argument("--without", default="", help="calls to leave out, by their names: NAME,...")
    parser.add_argument("--trace", action="store_true", help="print each call")
    options = parser.parse_args()
    options.without = [name for name in options.without.split(",") if name]
    if unknown := set(options.without) - CALLS.keys():
        parser.error(f"there is no call {', '.join(sorted(unknown))}; there are {', '.join(sorted(CALLS))}")
    return options


def play(seed, options):
    walk = Walk(seed, options)
    began = time.monotonic()
    try:
        walk.run()
    except Difference as difference:
        print(f"seed {seed}, in {walk.name}:")
        for line in walk.said[-LINES_TOLD:]:
            print(line[:LONGEST_LINE])
        print(f"DIFFERENCE at step {walk.step}: {str(difference)[:LONGEST_DIFFERENCE]}")
        return False
    finally:
        walk.close_all()
    took = time.monotonic() - began
    print(f"seed {seed}: {len(walk.said)} calls are the same, {took:.0f} s {walk.counts or ''}", flush=True)
    for folder in walk.tops:
        shutil.rmtree(folder, ignore_errors=True)
    return True


def main():
    options = parse()
    os.umask(0o022)
    os.makedirs(options.plain, exist_ok=True)
    for seed in range(options.seed, options.seed + options.seeds):
        if not play(seed, options):
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
