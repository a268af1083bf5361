import Foundation

/// What people do in a folder that several machines share, at random, and whether all of it is there in the end.
struct RandomWork: Sendable {
    /// Works in a folder of its own, whose end it prints as a list, and in one that all share, where it makes files of its
    /// own names and changes those of others; for so many steps, and for so many seconds, with a pause after each step.
    private static let script = """
        import hashlib, os, random, sys, time
        who, seed, count, seconds, pause = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]), float(sys.argv[5])
        r = random.Random(seed); own = {}; folders = [who]; wrote = []; step = 0; end = time.monotonic() + seconds
        os.makedirs(who, exist_ok=True); os.makedirs("shared", exist_ok=True)
        def name(): return "%s%d" % (r.choice("abcdefgh"), r.randrange(10**9))
        def data(): return ("%s %d\\n" % (who, r.randrange(10**12))).encode() * r.choice([1, 10, 1000])
        def write(path, bytes):
            with open(path, "wb") as f: f.write(bytes)
        def share(path, bytes):
            # Said before it is done: it may be there although it failed.
            wrote.append((hashlib.sha256(bytes).hexdigest(), path)); write(path, bytes)
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
                share("shared/" + who + name(), data())
            else:
                try:
                    path = "shared/" + r.choice(sorted(os.listdir("shared")))
                    if r.randrange(2): share(path, data())
                    else: open(path, "rb").read()
                except (IndexError, OSError): pass
        for path in sorted(own): print(hashlib.sha256(own[path]).hexdigest(), path)
        for hash, path in wrote: print("wrote", hash, path)
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

    /// Something that one of them has written to what all share.
    private struct Shared {
        let hash: Substring
        let path: Substring
        /// Where that, and what conflicts with it, is now.
        var places: [Substring] = []
    }

    /// What of it is missing in a tree, what is there twice, and what nobody has made or written so.
    static func faults(of work: [String], in tree: String) -> [String] {
        let files = hashes(in: tree)
        let own = work.map(hashes(in:)).reduce(into: [:]) { all, own in
            all.merge(own) { one, _ in one }
        }
        var faults = own.filter { files[$0.key] != $0.value }.map { "missing: \($0.key)" }
        var written: [Substring: Set<Substring>] = [:]
        for one in work.flatMap(shared(in:)) {
            written[original(of: one.path), default: []].insert(one.hash)
        }
        faults += written.keys.filter { files[$0] == nil }.map { "missing: \($0)" }
        var found: [Substring: Set<Substring>] = [:]
        for (path, hash) in files where own[path] == nil {
            let original = original(of: path)
            if written[original]?.contains(hash) != true {
                faults.append("nobody has written so: \(path)")
            } else if !found[original, default: []].insert(hash).inserted {
                faults.append("there twice: \(path)")
            }
        }
        return faults.sorted()
    }

    /// What each has written last to what all share, and is neither in a tree nor an earlier version of what is: of so
    /// much as can be asked for in a moment.
    static func lost(
        of work: [String], in tree: String, on laptop: Laptop, in folder: String
    ) throws -> [String] {
        var lost: [String] = []
        for one in replaced(of: work, in: tree).prefix(40) {
            let versions = try one.places.map { place in
                try laptop.basket("versions", "\(folder)/\(place)", "--json").output
            }
            if !versions.contains(where: { $0.contains(one.hash) }) { lost.append("\(one)") }
        }
        return lost
    }

    /// What each has written last to what all share, and is not in a tree: somebody else has replaced it.
    private static func replaced(of work: [String], in tree: String) -> [Shared] {
        let files = hashes(in: tree)
        let (found, places) = (
            Set(files.values), Dictionary(grouping: files.keys, by: original(of:))
        )
        return work.flatMap { work in
            var last: [Substring: Shared] = [:]
            for one in shared(in: work) { last[one.path] = one }
            return last.values.filter { !found.contains($0.hash) }.map { one in
                Shared(
                    hash: one.hash, path: one.path, places: places[original(of: one.path)] ?? [])
            }
        }
    }

    /// Of lines with a hash and a path.
    private static func hashes(in lines: String) -> [Substring: Substring] {
        lines.split(separator: "\n").reduce(into: [:]) { files, line in
            let words = line.split(separator: " ", maxSplits: 1)
            if words.count == 2, words[0].count == 64 { files[words[1]] = words[0] }
        }
    }

    private static func shared(in work: String) -> [Shared] {
        work.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ", maxSplits: 2)
            guard words.count == 3, words[0] == "wrote" else { return nil }
            return Shared(hash: words[1], path: words[2])
        }
    }

    /// What a conflict copy is one of.
    private static func original(of path: Substring) -> Substring {
        path.range(of: " (conflict from ").map { path[..<$0.lowerBound] } ?? path
    }
}
