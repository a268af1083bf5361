extension EndToEnd.Trials {
    private static let fio =
        "fio --name=fio --filename=data --rw=randwrite --bs=16k --size=64m --verify=crc32c --fallocate=none --verify_state_save=0"

    /// Three that write to one database at a time.
    private static func sqlite(_ name: String, journal: String) -> WorkingProgram {
        WorkingProgram(
            name, "",
            """
            cat >$aside/write.py <<'END'
            import sqlite3, sys, time
            c = sqlite3.connect("base", timeout=60); end = time.monotonic() + 15; number = 0
            while number < 200 or time.monotonic() < end:
                with c: c.execute("insert into t values (?, ?)", (sys.argv[1], number))
                number += 1
            print(number)
            END
            sqlite3 base 'pragma journal_mode = \(journal); create table t (a, b)'
            for i in 1 2 3; do python3 $aside/write.py $i >$aside/count$i & ids="${ids:-} $!"; done
            for id in $ids; do wait $id; done
            """,
            """
            test "$(sqlite3 base 'pragma integrity_check')" = ok
            test "$(sqlite3 base 'select count(*) from t')" = $(cat $aside/count* | paste -sd + | bc)
            """
        )
    }

    static let workingPrograms = [
        WorkingProgram(
            "git clone",
            """
            git config --global user.email a@b.c; git config --global user.name a
            git config --global init.defaultBranch main; git init -q $aside/repository; cd $aside/repository
            for i in $(seq 4000); do mkdir -p d$((i % 40)); head -c $((i % 5000)) /dev/urandom >d$((i % 40))/f$i; done
            git add .; git commit -qm all
            """,
            "for i in 1 2; do git clone -q \"file://$aside/repository\" work$i; done",
            "for i in 1 2; do git -C work$i fsck --strict; test -z \"$(git -C work$i status --porcelain)\"; done"
        ),
        WorkingProgram(
            "tar", ArchiveTests.archive,
            "tar -xf $aside/archive.tar",
            "diff -r $aside/source . && tar -df $aside/archive.tar"
        ),
        sqlite("SQLite", journal: "delete"), sqlite("SQLite with a log", journal: "wal"),
        WorkingProgram(
            "a program that maps a file", "",
            """
            cat >$aside/write.py <<'END'
            import mmap, os, random, sys, time
            size, page = 64 << 20, 4096
            with open("mapped", "wb") as file: file.truncate(size)
            copy = bytearray(size); end = time.monotonic() + 12
            with open("mapped", "r+b") as file, mmap.mmap(file.fileno(), size) as mapped:
                while time.monotonic() < end:
                    for _ in range(200):
                        at = random.randrange(size // page) * page
                        copy[at:at + page] = mapped[at:at + page] = os.urandom(page)
                    mapped.flush()
            with open(sys.argv[1], "wb") as file: file.write(copy)
            END
            python3 $aside/write.py $aside/copy
            """, "cmp mapped $aside/copy"
        ),
        WorkingProgram(
            "fio", "", "\(fio) --loops=3 --do_verify=1 >$aside/said",
            "\(fio) --verify_only >$aside/said"
        ),
        WorkingProgram(
            "a program that exchanges names", "printf 1 >one; printf 2 >two",
            """
            cat >$aside/exchange.py <<'END'
            import ctypes, os, sys, time
            libc = ctypes.CDLL(None, use_errno=True); end = time.monotonic() + 12; count = 0
            while time.monotonic() < end:
                if libc.renameat2(-100, b"one", -100, b"two", 2) != 0: sys.exit(os.strerror(ctypes.get_errno()))
                count += 1
                if open("one").read() != str(1 + count % 2): sys.exit("once too often, or not at all")
            print(1 + count % 2, end="")
            END
            python3 $aside/exchange.py >$aside/one
            """, "cmp one $aside/one; test $(cat one two | wc -c) = 2; ! cmp -s one two"
        ),
        WorkingProgram(
            "rsync", ArchiveTests.archive, "rsync -a $aside/source/ copy/",
            "test -z \"$(rsync -aicn $aside/source/ copy/)\""
        ),
        WorkingProgram(
            "git gc",
            """
            git config --global user.email a@b.c; git config --global user.name a
            git config --global init.defaultBranch main; git init -q work; cd work
            for i in $(seq 400); do echo $i >f$i; done; git add .; git commit -qm all
            """,
            """
            cd work; end=$((SECONDS + 12)); n=0
            while ((SECONDS < end)); do
                n=$((n + 1)); for i in $(seq 40); do echo $n >f$i; done; git commit -qam $n; git gc -q --prune=now; git fsck --strict
            done; git rev-parse HEAD >$aside/head
            """,
            """
            cd work; git fsck --strict; test -z "$(git status --porcelain)"; git rev-parse HEAD | cmp - $aside/head
            """
        ),
        WorkingProgram(
            "an editor", "echo 0 >letter; echo 0 >note",
            """
            end=$((SECONDS + 12)); n=0
            while ((SECONDS < end)); do
                n=$((n + 1))
                vim -es -N -u NONE -c "1s/.*/$n/" -c wq letter; test "$(cat letter)" = $n
                echo $n >.note.new; sync .note.new; mv .note.new note; test "$(cat note)" = $n
            done; echo $n >$aside/last
            """,
            """
            cmp letter $aside/last; cmp note $aside/last; test "$(ls -A)" = $'letter\nnote'
            """
        ),
        WorkingProgram(
            "a program that takes locks", "echo 0 >number",
            """
            count() {
                end=$((SECONDS + 12)); n=0
                while ((SECONDS < end)); do
                    flock lock sh -c 'read n <number; echo $((n + 1)) >number'; n=$((n + 1))
                done; echo $n >$aside/count$1
            }
            for i in 1 2 3; do count $i & ids="${ids:-} $!"; done
            for id in $ids; do wait $id; done
            """,
            """
            test $(cat number) = $(cat $aside/count* | paste -sd + | bc)
            """
        ),
        WorkingProgram(
            "cp --sparse",
            """
            python3 - $aside/sparse <<'END'
            import os, random, sys
            with open(sys.argv[1], "wb") as file:
                for n in range(300):
                    file.seek(random.randrange(1 << 29)); file.write(os.urandom(random.randrange(200_000)))
            END
            """,
            """
            for i in 1 2 3; do cp --sparse=always $aside/sparse copy$i; fallocate -l 64M room$i; sleep 1; done
            test $(du -k copy1 | cut -f 1) -lt 200000
            """,
            """
            for i in 1 2 3; do cmp copy$i $aside/sparse; test $(stat -c %s room$i) = $((64 << 20)); done
            """
        ),
        WorkingProgram(
            "a program that goes deep", "",
            """
            cat >$aside/deep.py <<'END'
            import os, time
            top = os.open(".", os.O_RDONLY)
            for tree in range(4):
                os.fchdir(top); os.mkdir(f"tree{tree}"); os.chdir(f"tree{tree}")
                for depth in range(1000):
                    os.mkdir("d"); os.chdir("d")
                    with open("f", "w") as file: file.write(str(depth))
                    time.sleep(0.002)
            END
            python3 $aside/deep.py
            """,
            """
            cat >$aside/look.py <<'END'
            import os
            top = os.open(".", os.O_RDONLY)
            for tree in range(4):
                os.fchdir(top); os.chdir(f"tree{tree}")
                for depth in range(1000):
                    os.chdir("d")
                    assert open("f").read() == str(depth) and len(os.listdir(".")) == (2 if depth < 999 else 1)
            END
            python3 $aside/look.py
            """
        ),
        WorkingProgram(
            "rm", ArchiveTests.archive + "\nmkdir tree; tar -xf $aside/archive.tar -C tree",
            "sleep 1; rm -r tree", "test -z \"$(ls -A)\""
        ),
        WorkingProgram(
            "make", BuildTests.project, "cd project; ./configure -q; make -sj4",
            "cd project; make -s check; make | grep 'up to date'"
        ),
        WorkingProgram(
            "a program with odd names", "",
            """
            cat >$aside/odd.py <<'END'
            import os, time
            end = time.monotonic() + 12; number = 0
            while time.monotonic() < end or number % 10:
                for name in ("n" * 240, "\\U0001f9fa" * 55, "a\\nb", " first", "last ", "-rf", "*", "\\\\", "\\x01", "u\\u0308"):
                    draft = "draft %d" % number
                    with open(draft, "w") as file: file.write(str(number))
                    os.rename(draft, "%s%d" % (name, number)); number += 1
            print(number)
            END
            python3 $aside/odd.py >$aside/count
            """,
            """
            python3 - $(cat $aside/count) <<'END'
            import os, re, sys
            names = os.listdir("."); numbers = sorted(int(re.search(r"([0-9]+)$", name).group(1)) for name in names)
            assert numbers == list(range(int(sys.argv[1]))), names
            for name in names: assert name.endswith(open(name).read()), name
            END
            """
        ),
        WorkingProgram(
            "a desktop that throws away",
            "mkdir papers; for i in $(seq 40); do echo $i >papers/p$i; done",
            TrashTests.session("for i in $(seq 40); do gio trash papers/p$i; sleep 0.2; done"),
            """
            test -z "$(ls papers)"; test "$(cat .Trash-0/files/* | sort -n)" = "$(seq 40)"
            test $(ls .Trash-0/info | wc -l) = 40
            """
        ),
        WorkingProgram(
            "LibreOffice", "",
            """
            for i in 1 2 3 4; do
                echo "Dear reader $i" >$aside/letter.txt
                \(EditorTests.convert) odt --outdir . $aside/letter.txt >$aside/said 2>&1
            done
            """,
            """
            mkdir -p $aside/out; \(EditorTests.convert) txt --outdir $aside/out letter.odt >$aside/said 2>&1
            grep "Dear reader 4" $aside/out/letter.txt; test "$(ls -A)" = letter.odt
            """
        ),
        WorkingProgram(
            "a program that makes 100,000 files", "",
            """
            python3 - <<'END'
            import os
            os.mkdir("many")
            for number in range(100000):
                with open("many/file%d" % number, "w") as file: file.write(str(number))
            END
            """,
            """
            python3 - <<'END'
            import os
            assert sorted(os.listdir("many")) == sorted("file%d" % number for number in range(100000))
            for number in range(0, 100000, 50): assert open("many/file%d" % number).read() == str(number)
            END
            """
        ),
        WorkingProgram(
            "a program that writes 5 GiB",
            """
            test $(df --output=avail -B 1G $aside | tail -n 1) -gt 30
            \(LargeFileTests.noise) 2>/dev/null | sha256sum >$aside/hash
            """,
            "\(LargeFileTests.noise) 2>/dev/null >large; sync large",
            "sha256sum <large | cmp - $aside/hash"
        ),
    ]
}
