/// What people do in a folder that several machines share, at random, and whether all of it is there in the end.
struct RandomWork: Sendable {
    /// Works in a folder of its own, whose end it prints as a list, and in one that all share, where it makes files of its
    /// own names and changes those of others; for so many steps, and for so many seconds, with a pause after each step.
    private static let script = """
        import hashlib, os, random, sys, time
        who, seed, count, seconds, pause = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]), float(sys.argv[5])
        r = random.Random(seed); own = {}; folders = [who]; made = []; step = 0; end = time.monotonic() + seconds
        os.makedirs(who, exist_ok=True); os.makedirs("shared", exist_ok=True)
        def name(): return "%s%d" % (r.choice("abcdefgh"), r.randrange(10**9))
        def data(): return ("%s %d\\n" % (who, r.randrange(10**12))).encode() * r.choice([1, 10, 1000])
        def write(path, bytes):
            with open(path, "wb") as f: f.write(bytes)
        while step < count or time.monotonic() < end:
            step += 1; time.sleep(pause)
            act = r.randrange(12)
            files = sorted(own)
            if act < 3 or not files:
                path = r.choice(folders) + "/" + name(); own[path] = data(); write(path, own[path])
            elif act == 3:
                path = r.choice(files); more = data(); own[path] += more
                with open(path, "ab") as f: f.write(more)
            elif act == 4:
                path = r.choice(files); own[path] = data()
                write(path + ".draft", own[path]); os.rename(path + ".draft", path)
            elif act == 5:
                path = r.choice(files); new = r.choice(folders) + "/" + name(); os.rename(path, new); own[new] = own.pop(path)
            elif act == 6 and len(files) > 20:
                path = r.choice(files); os.unlink(path); del own[path]
            elif act == 7:
                new = r.choice(folders) + "/" + name(); os.mkdir(new); folders.append(new)
            elif act == 8:
                path = r.choice(files)
                with open(path, "rb") as f: assert f.read() == own[path], path
            elif act == 9:
                path = "shared/" + who + name(); made.append(path); write(path, data())
            else:
                try:
                    path = "shared/" + r.choice(sorted(os.listdir("shared")))
                    if r.randrange(2): write(path, data())
                    else: open(path, "rb").read()
                except (IndexError, OSError): pass
        for path in sorted(own): print(hashlib.sha256(own[path]).hexdigest(), path)
        for path in made: print("made", path)
        """

    /// Prints what is in a folder: of each file its hash, and each folder.
    private static let tree =
        "find . -type f -printf '%P\\n' | sort | while read -r f; do echo \"$(sha256sum <\"$f\" | cut -d ' ' -f 1) $f\"; done; find . -type d | sort"

    let steps: Int
    /// It goes on for that long at least.
    var seconds = 0
    var pauseSeconds = 0.0

    /// Begins, on a machine, in its folder of the domain.
    /// - Returns: once it has ended, what ``verify(_:in:)`` wants to know.
    func start(as who: String, seed: Int, on laptop: Laptop, in folder: String) -> Meanwhile<String>
    {
        let words = "\(who) \(seed) \(steps) \(seconds) \(pauseSeconds)"
        return Meanwhile { [seconds] in
            try laptop.shell(
                "python3 - \(words) <<'END'\n\(Self.script)\nEND", in: folder,
                upTo: .seconds(600 + 2 * seconds))
        }
    }

    /// What is in a folder of the domain, as lines to compare.
    static func tree(on laptop: Laptop, in folder: String) throws -> String {
        try laptop.shell(tree, in: folder, upTo: .seconds(600))
    }

    /// What of it is missing in a tree, or there twice.
    static func faults(of work: [String], in tree: String) -> [String] {
        let lines = Set(tree.split(separator: "\n"))
        var counts: [Substring: Int] = [:]
        for line in tree.split(separator: "\n") {
            counts[line.split(separator: " ").last ?? "", default: 0] += 1
        }
        var faults: [String] = []
        for line in work.flatMap({ $0.split(separator: "\n") }) {
            if line.hasPrefix("made ") {
                let count = counts[line.dropFirst(5), default: 0]
                if count != 1 { faults.append("\(line): there \(count) times") }
            } else if !lines.contains(line) {
                faults.append("missing: \(line)")
            }
        }
        faults += counts.keys.filter { $0.hasSuffix(".draft") }.map { "left over: \($0)" }
        return faults
    }
}
