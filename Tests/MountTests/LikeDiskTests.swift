import Foundation
import Testing

/// What works on the machine's own disk works in a mounted domain: each script runs in both, and says the same.
@Suite("A mounted domain is like a disk", .enabled(if: MountStage.isPossible), .serialized)
struct LikeDiskTests {
    private static let scripts = [
        (
            "names",
            """
            long=$(printf 'x%.0s' $(seq 255)); echo a >"$long"; cat "$long"; rm "$long"
            printf 'b\\n' >$'new\\nline'; cat $'new\\nline'; echo c >😀; cat 😀; ls -1b
            if (echo d >"${long}x") 2>/dev/null; then echo too long; fi
            """
        ),
        (
            "names that are too long",
            """
            long=$(printf 'x%.0s' $(seq 256)); echo a >file; mkdir d
            for call in "stat $long" "cat $long" "mkdir $long" "ln -s file $long" "rm $long" "rmdir $long" \
                "mv $long file" "mv -T file $long" "truncate -s 1 $long" "ls d/$long/x"; do
                $call 2>&1 | sed 's/.*: //'
            done
            """
        ),
        (
            "folders that give their group",
            """
            umask 022; mkdir shared; chmod 2775 shared; mkdir shared/d shared/d/e; touch shared/f
            python3 -c 'import os; os.mkdir("shared/closed", 0o700)'; stat -c '%n %a' shared shared/* shared/d/e
            mkdir plain; mv shared/d plain; mkdir plain/d/g plain/h; stat -c '%n %a' plain/d plain/d/g plain/h
            """
        ),
        (
            "what is said of what is removed and open",
            """
            cat >remover.py <<'END'
            import os, time
            def say(*words): print(*words, flush=True)
            def facts(f):
                status = os.fstat(f)
                return "%o" % status.st_mode, status.st_mtime
            def attributes(f): return {name: os.getxattr(f, name) for name in sorted(os.listxattr(f))}
            def try_to(do, *words, **more):
                try: return do(*words, **more)
                except OSError as error: return error.strerror
            def change(f):
                say(attributes(f)); os.setxattr(f, "user.b", b"2"); say(attributes(f))
                say(try_to(os.setxattr, f, "user.b", b"3", os.XATTR_CREATE), try_to(os.getxattr, f, "user.c"))
                os.removexattr(f, "user.a"); say(attributes(f), try_to(os.removexattr, f, "user.a"))
                os.fchmod(f, 0o711); os.utime(f, (5, 7)); os.fchown(f, os.getuid(), -1); say(*facts(f))
            for how in ("unlink", "replace"):
                f = os.open("t", os.O_CREAT | os.O_RDWR, 0o644); os.setxattr(f, "user.a", b"1"); os.utime(f, (1, 2))
                os.write(f, b"text")
                if how == "unlink": os.unlink("t")
                else: os.close(os.open("u", os.O_CREAT)); os.rename("u", "t")
                say(time.time() - os.fstat(f).st_mtime < 60, os.fstat(f).st_nlink)
                change(f); os.write(f, b"more"); say(time.time() - os.fstat(f).st_mtime < 60)
                os.utime(f, (5, 7)); os.ftruncate(f, 2); say(time.time() - os.fstat(f).st_mtime < 60)
                os.close(f)
            os.mkdir("d"); f = os.open("d", os.O_RDONLY); os.setxattr("d", "user.a", b"1"); os.rmdir("d")
            change(f); say(try_to(os.mkdir, "e", dir_fd=f), os.listdir(f)); os.close(f)
            END
            python3 remover.py
            """
        ),
        (
            "deep folders",
            """
            top=$PWD; mkdir deep; cd deep; for i in $(seq 200); do mkdir d; cd d; done; echo x >f; cat f
            cd "$top"; find deep | wc -l; rm -r deep; ls
            """
        ),
        (
            "a program that is built",
            """
            for i in $(seq 20); do echo "int f$i(void) { return $i; }" >f$i.c; done
            printf 'x.a: $(patsubst %%.c,%%.o,$(wildcard *.c))\\n\\tar rcs $@ $^\\n' >Makefile
            make -sj4; ar t x.a | sort; touch f7.c; make -s; make -s
            """
        ),
        (
            "vim",
            """
            echo one >text; vim -es -u NONE -c '%s/one/two/' -c wq text; cat text
            vim -es -u NONE -c 'set backup writebackup backupcopy=no' -c '%s/two/three/' -c wq text; cat text
            vim -es -u NONE -c 'set backupcopy=yes' -c '%s/three/four/' -c wq text; cat text; ls
            """
        ),
        (
            "holes",
            """
            truncate -s 20M file; printf here | dd of=file bs=1 seek=10000000 conv=notrunc status=none
            cp --sparse=always file copy; cmp file copy; stat -c %s copy
            test "$(stat -c %b copy)" -lt 100 && echo sparse
            fallocate -l 1M room; stat -c %s room; fallocate -p -o 4096 -l 8192 room; stat -c %s room
            fallocate -n -l 2M room; stat -c %s room
            python3 -c '
            import os
            f = os.open("file", os.O_RDONLY)
            print(os.lseek(f, 0, os.SEEK_DATA) // 4096, os.lseek(f, 0, os.SEEK_HOLE))'
            """
        ),
        (
            "locks between processes",
            """
            touch lock; (flock 9; touch held; sleep 0.5; echo first >>said) 9>lock &
            until test -e held; do sleep 0.02; done
            flock lock sh -c 'echo second >>said'
            wait; cat said
            python3 -c '
            import fcntl, os
            f = open("lock", "r+")
            fcntl.lockf(f, fcntl.LOCK_EX)
            if os.fork() == 0:
                g = open("lock", "r+")
                try:
                    fcntl.lockf(g, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    print("taken")
                except OSError:
                    print("held", flush=True)
                os._exit(0)
            os.wait()'
            """
        ),
        (
            "dates",
            """
            cat >dates.py <<'END'
            import os, time
            def dates(path):
                facts = os.lstat(path)
                return facts.st_mtime_ns, facts.st_ctime_ns
            def say(what, path, do):
                paths = path if isinstance(path, list) else [path]
                before = [dates(path) for path in paths]
                time.sleep(0.05)
                do()
                for path, old in zip(paths, before):
                    new = dates(path)
                    words = [w for w, a, b in zip(("date", "change"), old, new) if a != b]
                    print(what, path, *words, "" if new[1] >= old[1] else "earlier")
            def write(path, text, mode="w"):
                with open(path, mode) as file: file.write(text)
            def replace(path, date=None):
                write("d/other", "new")
                if date: os.utime("d/other", (date, date))
                os.rename("d/other", path)
            os.mkdir("d")
            os.mkdir("e")
            say("a file is made", "d", lambda: write("d/f", "a"))
            say("written", ["d", "d/f"], lambda: write("d/f", "bc"))
            say("appended to", ["d", "d/f"], lambda: write("d/f", "bc", "a"))
            say("cut", ["d", "d/f"], lambda: os.truncate("d/f", 1))
            say("read", ["d", "d/f"], lambda: open("d/f").read())
            say("opened to write", ["d", "d/f"], lambda: open("d/f", "r+").close())
            say("mode", ["d", "d/f"], lambda: os.chmod("d/f", 0o600))
            say("dated", ["d", "d/f"], lambda: os.utime("d/f", (1000, 1000)))
            say("dated again", ["d", "d/f"], lambda: os.utime("d/f", (1000, 1000)))
            say("attribute", ["d", "d/f"], lambda: os.setxattr("d/f", "user.a", b"1"))
            say("renamed", ["d", "d/f"], lambda: (os.rename("d/f", "d/g"), os.symlink("g", "d/f")))
            say("moved", ["d", "e"], lambda: os.rename("d/g", "e/g"))
            say("replaced", ["d"], lambda: (write("d/g", "1"), replace("d/g")))
            say("replaced by an old one", ["d/g"], lambda: replace("d/g", 1000))
            say("folder in it", ["d"], lambda: os.mkdir("d/d"))
            say("in the folder in it", ["d", "d/d"], lambda: os.mkdir("d/d/d"))
            say("removed in it", ["d", "d/d"], lambda: os.rmdir("d/d/d"))
            say("folder dated", ["d"], lambda: os.utime("d", (5000, 5000)))
            print(os.stat("d").st_mtime)
            say("made afterwards", ["d"], lambda: write("d/x", "x"))
            say("dated as before", ["d"], lambda: os.utime("d", (5000, 5000)))
            print(os.stat("d").st_mtime, os.stat("d").st_ctime > 1e9)
            say("link", ["d"], lambda: os.symlink("x", "d/link"))
            say("removed", ["d"], lambda: os.unlink("d/x"))
            say("FIFO", ["d"], lambda: os.mkfifo("d/fifo"))
            say("FIFO moved", ["d", "e"], lambda: os.rename("d/fifo", "e/fifo"))
            say("FIFO removed", ["d", "e"], lambda: os.unlink("e/fifo"))
            say("fails", ["d"], lambda: os.path.exists("d/none"))
            file = open("d/open", "w")
            say("written while open", ["d", "d/open"], lambda: (file.write("x"), file.flush()))
            say("closed", ["d", "d/open"], lambda: (file.close(), time.sleep(0.4)))
            say("mode as before", ["d/open"], lambda: os.chmod("d/open", 0o644))
            say("replaced from elsewhere", ["d", "e"], lambda: (write("e/n", "1"), os.rename("e/n", "d/open")))
            now = time.time()
            for path in ("d", "d/g", "d/open", "e"):
                print(path, all(now - 60 < date / 1e9 < now + 1 for date in dates(path)[1:]))
            END
            python3 dates.py
            """
        ),
        (
            "appending at once",
            "for i in $(seq 40); do echo line $i >>all & done; wait; sort -k2n all; stat -c %s all"
        ),
        (
            "memory",
            """
            python3 -c '
            import mmap
            f = open("file", "w+b"); f.truncate(1 << 20)
            m = mmap.mmap(f.fileno(), 1 << 20); m[:4] = b"abcd"; m[1000000:1000004] = b"efgh"; m.flush()
            p = mmap.mmap(f.fileno(), 1 << 20, flags=mmap.MAP_PRIVATE); p[:4] = b"zzzz"
            d = open("file", "rb").read(); print(d[:4], d[1000000:1000004], len(d))'
            md5sum file
            """
        ),
        (
            "what is removed and open",
            """
            python3 -c '
            import os
            f = open("a", "w+b"); f.write(b"x" * 10000); f.flush(); os.unlink("a"); f.seek(0)
            print(len(f.read())); f.write(b"y"); f.seek(0); print(len(f.read()), os.fstat(f.fileno()).st_nlink)
            g = os.open("b", os.O_CREAT | os.O_RDWR); os.rename("b", "c"); os.write(g, b"abc"); os.close(g)
            print(open("c").read())
            os.mkdir("d"); h = os.open("d", os.O_RDONLY); os.rmdir("d"); print(os.listdir(h)); os.close(h)'
            ls
            """
        ),
        (
            "a folder that changes while it is read",
            """
            python3 -c '
            import os
            os.mkdir("d")
            for i in range(500): open(f"d/{i}", "w").close()
            n = 0
            with os.scandir("d") as entries:
                for entry in entries:
                    os.unlink(entry.path); n += 1
            print(n, os.listdir("d"))'
            """
        ),
        (
            "dates and rights",
            """
            touch -d '2020-01-02 03:04:05.123456789' file; stat -c '%.9Y' file; touch -a -d @1000000000.5 file; stat -c '%.9X %.9Y' file
            chmod 4751 file; stat -c %a file; chmod 644 file; echo x >>file; test "$(stat -c %Y file)" -gt 1600000000 && echo now
            mkdir d; chmod 1777 d; stat -c %a d; umask 077; touch private; stat -c %a private; ln -s nowhere l; stat -c '%F %a' l; touch -h -d @5 l; stat -c %Y l
            """
        ),
        (
            "renames",
            """
            echo 1 >a; echo 2 >b; mkdir d e; touch e/x
            python3 -c '
            import ctypes, os
            c = ctypes.CDLL(None, use_errno=True)
            def go(a, b, f): print(c.renameat2(-100, a, -100, b, f) and os.strerror(ctypes.get_errno()))
            go(b"a", b"b", 2); go(b"a", b"b", 1); go(b"a", b"new", 1); go(b"d", b"e", 2); go(b"new", b"d", 0); go(b"d", b"new", 0)
            go(b"e", b"e/y", 0); go(b"e", b"d", 0); go(b"none", b"n", 0)'
            cat b; ls -R
            """
        ),
        (
            "random writes that are verified",
            "fio --name=v --filename=file --size=8M --rw=randwrite --bs=4k --verify=crc32c --do_verify=1 --verify_fatal=1 --ioengine=psync --fsync=100 >/dev/null; stat -c %s file"
        ),
    ]

    @Test("says the same", arguments: scripts)
    func same(name: String, script: String) async throws {
        let disk = FileManager.default.temporaryDirectory.path + "/basket-disk-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: disk, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: disk) }
        let expected = try await MountStage.shell(script, in: disk)
        // What the extension makes of it is for other tests.
        try await MountStage.play(isSyncing: false) { stage in
            let said = try await stage.shell(script)
            #expect(said == expected, "\(name)")
        }
    }
}
