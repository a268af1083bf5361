import FolderProvider
import Foundation
import Synchronization
import Testing

/// Programs read, map, save and rotate files while others change them elsewhere, all at once. Whoever has one open finds one
/// content in it, from its beginning to its end.
@Suite(
    "Whatever goes on at once with a file", .timeLimit(.minutes(5)),
    .enabled(if: MountStage.isPossible))
struct CoherenceTests {
    /// Each content says on each of its lines which one it is, and how many lines it has.
    private static let programs = """
        cat >../programs.py <<'END'
        import errno, mmap, os, random, sys, time
        kind, seed, until = sys.argv[1], int(sys.argv[2]), time.monotonic() + float(sys.argv[3])
        random.seed(seed)
        names = ["a", "b"]
        def text(number):
            count = 1 + number * 7919 % 6000
            return (b"%07d %07d\\n" % (number % 10000000, count)) * count
        def check(data, size, what):
            lines = set(data[i:i + 16] for i in range(0, len(data), 16))
            if len(lines) > 1: sys.exit("%s: %d contents in one: %s" % (what, len(lines), sorted(lines)[:3]))
            if len(data) != size: sys.exit("%s: %d bytes, told of %d" % (what, len(data), size))
            if data and len(data) != 16 * int(data[8:15]): sys.exit("%s: %d bytes of %s" % (what, len(data), data[:16]))
        def read():
            name = random.choice(names)
            try: f = os.open(name, os.O_RDONLY)
            except FileNotFoundError: return
            except OSError as error:
                # It was replaced between the look and the opening, and once more when the kernel tried again.
                if error.errno != errno.ESTALE: raise
                return
            try:
                data = os.read(f, 4096) if random.random() < 0.5 else b""
                if random.random() < 0.5: time.sleep(random.random() * 0.02)
                while part := os.read(f, 16 << 10):
                    data += part
                    if random.random() < 0.2: time.sleep(0.002)
                size = os.fstat(f).st_size
                check(data, size, kind + " " + name)
                if size and random.random() < 0.3:
                    m = mmap.mmap(f, 0, mmap.MAP_PRIVATE, mmap.PROT_READ)
                    time.sleep(random.random() * 0.01)
                    check(m[:], size, "map of " + name)
            except OSError as error:
                # What nobody keeps any more, of what had not come yet, is told as an error.
                if error.errno not in (errno.ESTALE, errno.EIO): raise
            finally: os.close(f)
        def save():
            name = random.choice(names)
            draft = ".%s.%d.tmp" % (name, seed)
            with open(draft, "wb") as f: f.write(text(random.randrange(1, 1000000)))
            if random.random() < 0.3:
                try: os.rename(name, name + "~")
                except FileNotFoundError: pass
            os.rename(draft, name)
        while time.monotonic() < until:
            (save if kind == "saver" else read)()
            time.sleep(random.random() * (0.03 if kind == "saver" else 0.005))
        END
        """

    private static func text(_ number: Int) -> String {
        let count = 1 + number * 7919 % 6000
        func padded(_ number: Int) -> String {
            String(repeating: "0", count: 7 - String(number).count) + String(number)
        }
        return String(repeating: "\(padded(number)) \(padded(count))\n", count: count)
    }

    @Test("those who have it open find one content in it, and in the end all see the same")
    func coherence() async throws {
        try await MountStage.play { stage in
            try stage.put("a", Self.text(1))
            try stage.put("b", Self.text(2))
            try await stage.settle()
            let isOver = Atomic(false)
            async let elsewhere: Void = {
                var number = 1_000_001
                while !isOver.load(ordering: .relaxed) {
                    number += 1
                    try stage.put(number.isMultiple(of: 2) ? "a" : "b", Self.text(number))
                    stage.provider.look()
                    try await Task.sleep(for: .milliseconds(.random(in: 1...60)))
                }
            }()
            let result: Result<String, any Error>
            do {
                result = .success(
                    try await stage.shell(
                        Self.programs + """

                            pids=
                            for n in 1 2 3; do python3 ../programs.py reader $n 8 & pids="$pids $!"; done
                            python3 ../programs.py saver 4 8 & pids="$pids $!"
                            for pid in $pids; do wait $pid; done
                            """))
            } catch {
                result = .failure(error)
            }
            isOver.store(true, ordering: .relaxed)
            try await elsewhere
            #expect(try result.get() == "")

            try await stage.settle()
            // What stays here ends with that.
            let look = "for f in *[^~]; do echo \"$f $(md5sum <\"$f\")\"; done"
            let served = try await MountStage.shell(look, in: stage.served)
            let mounted = try await stage.shell(look, untilItSays: served)
            #expect(mounted == served)
        }
    }
}
