import Foundation

/// What programs do whose machine may lose its power at any moment, and what has to be there afterwards: what they were told
/// to be safe, until they have begun to replace it.
struct SafeWork: Sendable {
    /// Works in a folder, on files of its own, until that is gone. It says each thing before it does it, and what it was told to be
    /// safe afterwards. No two files ever hold the same.
    private static let script = """
        import os, random, sys, time
        folder, who, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
        r = random.Random(seed); count = 0; own = {}; removals = int(sys.argv[4])
        def say(*words): print(*words, flush=True)
        def name(): return "%s%d" % (who, r.randrange(10**9))
        def data():
            global count; count += 1
            return "%s-%d-%d" % (who, seed, count), r.choice([1, 10, 1000, 20000])
        def write(path, text, safely, flags):
            f = os.open(folder + path, os.O_WRONLY | os.O_CREAT | flags, 0o600)
            try:
                os.write(f, (text[0] + "\\n").encode() * text[1])
                if safely: os.fsync(f)
            finally: os.close(f)
        try:
            while True:
                time.sleep(r.choice([0, 0, 0.01, 0.1])); act = r.randrange(100); safely = r.randrange(2)
                files = sorted(own)
                if act < 40 or not files:
                    path = name(); text = data()
                    say("set", path, text[0]); write(path, text, safely, os.O_EXCL)
                    if safely: say("safe", path, text[0])
                    own[path] = text
                elif act < 55:
                    path = r.choice(files); text = data()
                    say("set", path, text[0]); write(path, text, safely, os.O_TRUNC)
                    if safely: say("safe", path, text[0])
                    own[path] = text
                elif act < 75:
                    path = r.choice(files); draft = name(); text = data()
                    say("set", draft, text[0]); write(draft, text, safely, os.O_EXCL)
                    if safely: say("safe", draft, text[0])
                    say("move", draft, path); os.rename(folder + draft, folder + path); own[path] = text
                elif act < 97:
                    path = r.choice(files); new = name()
                    say("move", path, new); os.rename(folder + path, folder + new); own[new] = own.pop(path)
                elif removals:
                    # Many at a time would be held back.
                    removals -= 1; path = r.choice(files)
                    say("gone", path); os.unlink(folder + path); del own[path]
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
        as who: String, seed: Int, removals: Int = 0, in folder: String
    ) throws -> ChildProcess {
        try ChildProcess(
            "/usr/bin/python3", ["-c", script, folder + "/", who, "\(seed)", "\(removals)"])
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
