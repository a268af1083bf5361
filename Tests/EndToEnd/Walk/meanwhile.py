"""What happens between the calls: files are evicted, hosts killed, and another client changes files."""

import fcntl
import json
import os
import signal
import subprocess
import threading

import linux
from outcome import outcome
from patience import state, until
from remote import Remote

LONGEST_COMMAND = 40
# While a host may be dying, in steps and seconds.
RACING_STEPS, LONGEST_RACE = 12, 0.03
LONGEST_DEATH = 5


class Meanwhile:
    def __init__(self, walk):
        self.walk, self.options = walk, walk.options
        self.remote = Remote(walk) if self.options.remote else None
        kills, steps = self.options.kill, self.options.steps
        self.kills = {(number + 1) * steps // (kills + 1) for number in range(kills)}
        self.racing_steps = 0
        # The process that was killed last, and what kills it.
        self.host, self.killer = None, None

    @property
    def is_racing(self):
        return self.racing_steps > 0

    def may_go(self, *paths):
        """Whether they may be removed, or something may be put in their place.

        What is open goes with a host when it has no name any more, so that nothing may lose it while one dies. And what is
        not here of a file that is removed, nobody has any more, so that it is brought before.
        """
        some = [path for path in paths if self.walk.is_open(path)]
        if self.options.evict:
            for path in some:
                outcome(lambda: self.bring(self.walk.at(1, path)))
        return not some or not self.is_racing

    def bring(self, path):
        with open(path, "rb") as file:
            file.read()

    def happen(self):
        """After each step."""
        walk = self.walk
        if self.is_racing:
            self.racing_steps -= 1
            if not self.is_racing:
                self.touch_all()
        if self.options.evict and walk.chance(self.options.rate):
            self.evict()
        if self.remote and walk.chance(self.options.rate):
            self.remote.change()
        if walk.step in self.kills:
            self.kill()

    def basket(self, *words):
        return subprocess.run(
            [self.options.basket, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=LONGEST_COMMAND)

    def evict(self):
        walk = self.walk
        path = walk.at(1, walk.path("fffd", 1))
        if walk.chance(0.6):
            until(2, lambda: state(path) == b"synced")
        status = self.basket("evict", path).returncode
        walk.note(f"basket evict {path!r}: {status}")
        walk.count("evicted" if status == 0 else "evictions refused")

    def kill(self):
        walk = self.walk
        for handle in list(walk.handles):
            if handle.has_no_name:
                walk.close(handle)
        domain = os.path.basename(self.options.mount.rstrip("/"))
        said = self.basket("status", "--json", domain).stdout
        host = json.loads(said.splitlines()[0])["domain"].get("process")
        walk.note(f"kill -9 {host}")
        if not host:
            return
        walk.count("kills")
        self.host = host
        pause = walk.random.random() * LONGEST_RACE if self.options.race else 0
        self.killer = threading.Timer(pause, os.kill, (host, signal.SIGKILL))
        self.killer.start()
        if self.options.race:
            self.racing_steps = RACING_STEPS
        else:
            self.touch_all()

    def touch_all(self):
        """The next host has open what is used with it: until then, it would go with its name."""
        walk = self.walk
        self.killer.join()
        until(LONGEST_DEATH, lambda: not os.path.exists(f"/proc/{self.host}"))
        for handle in list(walk.handles):
            if handle.is_folder:
                continue
            is_read = fcntl.fcntl(handle.descriptors[0], fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY
            if is_read and handle.size == 0:
                # The kernel answers everything itself.
                walk.close(handle)
            elif is_read:
                # What is read may come from the kernel, which has to ask for this.
                descriptor = handle.descriptors[1]
                place = os.lseek(descriptor, 0, os.SEEK_CUR)
                outcome(lambda: os.lseek(descriptor, 0, os.SEEK_DATA))
                os.lseek(descriptor, place, os.SEEK_SET)
            else:
                walk.both(
                    f"fallocate({handle}, KEEP_SIZE, 0, 1)",
                    lambda side: linux.allocate(handle.descriptors[side], linux.KEEP_SIZE, 0, 1))
