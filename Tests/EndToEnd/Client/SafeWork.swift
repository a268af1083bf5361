import Foundation

/// What programs do whose machine may lose its power at any moment, and what has to be there afterwards: what they were told
/// to be safe, until they have begun to replace it.
struct SafeWork: Sendable {
    /// Works in a folder, on files of its own, until that is gone. It says each thing before it does it, and what it was told to be
    /// safe afterwards. No two files ever hold the same.
    private static let script = """
        import os, random, sys, time
        root, who, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
        r = random.Random(seed); count = 0; own = {}; folders = [""]
        removals, most = int(sys.argv[4]), int(sys.argv[5])
        def say(*words): print(*words, flush=True)
        def name(): return "%s%d" % (who, r.randrange(10**9))
        def place(): return r.choice(folders) + name()
        def data():
            global count; count += 1
            return "%s-%d-%d" % (who, seed, count), r.choice([1, 10, 1000, 20000])
        def write(path, text, safely, flags):
            f = os.open(root + path, os.O_WRONLY | os.O_CREAT | flags, 0o600)
            try:
                os.write(f, (text[0] + "\\n").encode() * text[1])
                if safely: os.fsync(f)
            finally: os.close(f)
        def within(path, old, new): return new + path[len(old):] if path.startswith(old) else path
        try:
            while True:
                time.sleep(r.choice([0, 0, 0.01, 0.1])); act = r.randrange(100); safely = r.randrange(2)
                files = sorted(own)
                if act < 6 and len(folders) <= most:
                    folder = place(); os.mkdir(root + folder); folders.append(folder + "/")
                elif act < 12 and len(folders) > 1:
                    old = r.choice(folders[1:])
                    new = r.choice([f for f in folders if not f.startswith(old)]) + name() + "/"
                    say("folder", old, new); os.rename(root + old[:-1], root + new[:-1])
                    own = {within(f, old, new): text for f, text in own.items()}
                    folders = [within(f, old, new) for f in folders]
                elif act < 14 and len(folders) > 1:
                    # Where something is in it, it stays.
                    try: os.rmdir(root + folders[-1][:-1]); folders.pop()
                    except OSError: pass
                elif act < 45 or not files:
                    path = place(); text = data()
                    say("set", path, text[0]); write(path, text, safely, os.O_EXCL)
                    if safely: say("safe", path, text[0])
                    own[path] = text
                elif act < 58:
                    path = r.choice(files); text = data()
                    say("set", path, text[0]); write(path, text, safely, os.O_TRUNC)
                    if safely: say("safe", path, text[0])
                    own[path] = text
                elif act < 77:
                    path = r.choice(files); draft = path[:path.rfind("/") + 1] + name(); text = data()
                    say("set", draft, text[0]); write(draft, text, safely, os.O_EXCL)
                    if safely: say("safe", draft, text[0])
                    say("move", draft, path); os.rename(root + draft, root + path); own[path] = text
                elif act < 97:
                    path = r.choice(files); new = place()
                    say("move", path, new); os.rename(root + path, root + new); own[new] = own.pop(path)
                elif removals:
                    # Many at a time would be held back.
                    removals -= 1; path = r.choice(files)
                    say("gone", path); os.unlink(root + path); del own[path]
        except OSError as error: print(error, file=sys.stderr)
        """

    private struct Name {
        /// What it may hold: nil for that it is not there.
        var texts: Set<String?> = [nil]
    }

    private var names: [String: Name] = [:]
    private var lines: [String] = []
    /// What was said to be safe, and that nobody has begun to replace or remove.
    private var safe: Set<String> = []

    static func start(
        as who: String, seed: Int, removals: Int = 0, folders: Int = 0, in folder: String
    ) throws -> ChildProcess {
        try ChildProcess(
            "/usr/bin/python3",
            ["-c", script, folder + "/", who, "\(seed)", "\(removals)", "\(folders)"])
    }

    /// Takes in what was said, of which the first lines came before the power was cut. What was promised after that may be
    /// gone.
    mutating func note(_ said: [Substring], before: Int) {
        for (index, line) in said.enumerated() {
            lines.append("\(index < before ? "" : "too late: ")\(line)")
            let words = line.split(separator: " ").map(String.init)
            switch words.first {
            case "set" where words.count == 3: replace(words[1], with: [words[2]])
            case "gone" where words.count == 2: replace(words[1], with: [nil])
            case "move" where words.count == 3:
                let moved = names[words[1], default: Name()].texts
                replace(words[2], with: moved.subtracting([nil]))
                names[words[1], default: Name()].texts.insert(nil)
            case "folder" where words.count == 3:
                for (old, name) in names where old.hasPrefix(words[1]) {
                    let new = words[2] + old.dropFirst(words[1].count)
                    replace(new, with: name.texts.subtracting([nil]))
                    names[old, default: Name()].texts.insert(nil)
                }
            case "safe" where words.count == 3 && index < before:
                names[words[1]] = Name(texts: [words[2]])
                safe.insert(words[2])
            default: break
            }
        }
    }

    private mutating func replace(_ name: String, with texts: Set<String?>) {
        for text in names[name, default: Name()].texts { text.map { _ = safe.remove($0) } }
        names[name, default: Name()].texts.formUnion(texts)
    }

    /// What is wrong with what is there.
    func faults(in files: [String: String]) -> [String] {
        var faults: [String] = []
        var found: Set<String> = []
        for (name, content) in files.sorted(by: { $0.key < $1.key }) {
            let lines = Set(content.split(separator: "\n", omittingEmptySubsequences: false))
            let text = lines.count == 2 && lines.contains("") ? lines.first { !$0.isEmpty } : nil
            if let text { found.insert(String(text)) }
            let allowed = names[name]?.texts
            if let text, allowed?.contains(String(text)) == true { continue }
            // What is torn is all that there was of it, or stands beside what there was.
            if text == nil, allowed?.contains(nil) == true { continue }
            if allowed == nil, name.contains("(") { continue }
            let what = text.map(String.init) ?? "\(content.utf8.count) bytes of something"
            faults.append("\(name) holds \(what): \(told(of: name))")
        }
        for (name, allowed) in names.sorted(by: { $0.key < $1.key }) {
            // Where the provider may have all of what was torn, what it took the place of stands beside it.
            let isBeside = files.contains {
                $0.key.hasPrefix(name + " (")
                    && !allowed.texts.isDisjoint(with: Self.texts($0.value))
            }
            if files[name] == nil, !isBeside, !allowed.texts.contains(nil) {
                faults.append("\(name) is gone: \(told(of: name))")
            }
        }
        faults += safe.subtracting(found).sorted().map { "nothing holds \($0)" }
        return faults
    }

    private static func texts(_ content: String) -> Set<String?> {
        Set(content.split(separator: "\n").map { String($0) })
    }

    private func told(of name: String) -> String {
        lines.filter { $0.contains(name) }.joined(separator: "; ")
    }
}
