import Foundation
import Testing

/// What people use every day.
@Suite(
    "Programs in a mounted domain", .timeLimit(.minutes(20)), .enabled(if: MountStage.isPossible))
struct ProgramTests {
    @Test("git works, and finds nothing wrong")
    func git() async throws {
        try await MountStage.play { stage in
            try await stage.settle()
            try await stage.shell(
                """
                export HOME=$PWD GIT_CONFIG_NOSYSTEM=1; git config --global user.email a@b.c; git config --global user.name a
                git init -q -b main work; cd work; for i in $(seq 200); do mkdir -p d$((i % 7)); echo $i >d$((i % 7))/f$i; done
                git add .; git commit -qm one; git checkout -qb side; for i in $(seq 50); do echo x >>d$((i % 7))/f$i; done
                git commit -qam two; git checkout -q main
                git merge -q side; git gc -q; git fsck --strict; cd ..; git clone -q work copy; cd copy
                test -z "$(git status --porcelain)"; git log --oneline | wc -l
                """)
        }
    }

    @Test("SQLite keeps its databases whole, in both of its ways", arguments: ["delete", "wal"])
    func sqlite(mode: String) async throws {
        try await MountStage.play { stage in
            try await stage.settle()
            try await stage.shell(
                """
                cat >w.py <<'X'
                import sqlite3, sys
                c = sqlite3.connect('db', timeout=60)
                try:
                    for i in range(60):
                        with c: c.execute('insert into t values (?, ?)', (sys.argv[1], i))
                except sqlite3.Error as error: sys.exit(error.sqlite_errorname)
                X
                python3 -c "
                import sqlite3
                c = sqlite3.connect('db'); c.execute('pragma journal_mode=\(mode)'); c.execute('create table t (a, b)'); c.commit()"
                python3 w.py 1 & python3 w.py 2 & python3 w.py 3 & wait
                python3 -c "
                import sqlite3
                c = sqlite3.connect('db')
                assert c.execute('select count(*) from t').fetchone() == (180,)
                assert c.execute('pragma integrity_check').fetchone() == ('ok',)"
                """)
        }
    }

    @Test("tar and rsync bring back what they took")
    func archives() async throws {
        try await MountStage.play(isSyncing: false) { stage in
            let folder = stage.served + "-source"
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try await stage.shell(
                """
                mkdir \(folder); cd \(folder); for i in $(seq 40); do mkdir -p d$i; for j in $(seq 25); do head -c $((i * j)) /dev/urandom >d$i/f$j; done; done
                ln -s d1/f1 link; truncate -s 3M sparse; echo end >>sparse; tar cf ../archive.tar .; cd "$0"
                tar xf \(folder)/../archive.tar; rm \(folder)/../archive.tar
                diff -r \(folder) . ; mkdir copy; rsync -a --exclude copy ./ copy/; test -z "$(rsync -ainc --exclude copy ./ copy/)"
                """)
        }
    }

    @Test("see what others write in the same file, also by way of memory")
    func memory() async throws {
        try await MountStage.play { stage in
            try await stage.settle()
            try await stage.shell(
                """
                cat >m.py <<'X'
                import mmap, os, fcntl
                f = open('map', 'w+b'); f.truncate(1 << 20)
                m = mmap.mmap(f.fileno(), 1 << 20)
                m[5:10] = b'hello'; m.flush()
                assert open('map', 'rb').read(20)[5:10] == b'hello'
                os.pwrite(f.fileno(), b'world', 5)
                assert m[5:10] == b'world'
                fcntl.flock(f, fcntl.LOCK_EX); fcntl.lockf(f, fcntl.LOCK_EX)
                g = open('map', 'rb')
                try: fcntl.flock(g, fcntl.LOCK_EX | fcntl.LOCK_NB); raise SystemExit('twice')
                except BlockingIOError: pass
                os.unlink('map'); f.seek(0); assert f.read(10)[5:] == b'world'; assert os.fstat(f.fileno()).st_nlink == 0
                d = os.open('.', os.O_RDONLY); os.fsync(d)
                h = open('holes', 'wb'); h.truncate(1 << 20); h.seek(1 << 19); h.write(b'x'); h.flush()
                r = os.open('holes', os.O_RDONLY)
                assert os.lseek(r, 0, os.SEEK_DATA) == 1 << 19, os.lseek(r, 0, os.SEEK_DATA)
                assert os.lseek(r, 1 << 19, os.SEEK_HOLE) == (1 << 19) + 4096
                os.posix_fallocate(h.fileno(), 0, 2 << 20); assert os.fstat(h.fileno()).st_size == 2 << 20
                open('one', 'w').write('1'); open('two', 'w').write('2')
                X
                python3 m.py; mv -n one two; test -e one
                """)
        }
    }
}
