import BasketSupport
import Testing

@testable import FileProviderRules

@Suite("Patterns with wildcards")
struct GlobTests {
    /// What the pieces mean, by going back and trying: slow, and plain to see.
    private func matches(_ pattern: ArraySlice<GlobElement>, _ text: Substring.UnicodeScalarView)
        -> Bool
    {
        guard let element = pattern.first else { return text.isEmpty }
        let others = pattern.dropFirst()
        let rest = text.dropFirst()
        switch element {
        case .scalar(let scalar): return text.first == scalar && matches(others, rest)
        case .one: return text.first.map { $0 != "/" } == true && matches(others, rest)
        case .set(let set):
            guard let first = text.first, first != "/", set.contains(first) else { return false }
            return matches(others, rest)
        case .run:
            if matches(others, text) { return true }
            return text.first.map { $0 != "/" } == true && matches(pattern, rest)
        case .components:
            if matches(others, text) { return true }
            guard let slash = text.firstIndex(of: "/") else { return false }
            return matches(pattern, text[slash...].dropFirst())
        case .rest: return text.first.map { $0 != "/" } == true
        }
    }

    private func randomElements(_ generator: inout SeededGenerator) -> [GlobElement] {
        var set = ScalarSet()
        set.insert("b"..."c")
        set.insert("é")
        set.isNegated = Bool.random(using: &generator)
        let pieces: [[GlobElement]] = [
            [.scalar("a")], [.scalar("b")], [.scalar("é")], [.one], [.set(set)], [.run],
            [.scalar("/")], [.scalar("/"), .components],
        ]
        // Longer than a word of states, often.
        let count = Int.random(in: 0...(Bool.random(using: &generator) ? 5 : 80), using: &generator)
        var elements = (0..<count).flatMap { _ in pieces.randomElement(using: &generator) ?? [] }
        // Trying all ways of many of these would take for ever.
        if count > 20 {
            elements.removeAll { piece in
                (piece == .run || piece == .components)
                    && Int.random(in: 0..<8, using: &generator) > 0
            }
        }
        if Int.random(in: 0..<4, using: &generator) == 0 { elements.insert(.components, at: 0) }
        if Int.random(in: 0..<4, using: &generator) == 0 { elements += [.scalar("/"), .rest] }
        return elements
    }

    /// A text that the pattern finds, or one that differs a little.
    private func randomText(
        like elements: [GlobElement], _ generator: inout SeededGenerator
    ) -> String {
        var text = ""
        for element in elements {
            switch element {
            case .scalar(let scalar): text.unicodeScalars.append(scalar)
            case .one, .set, .rest:
                text += ["a", "b", "é", "d"].randomElement(using: &generator) ?? ""
            case .run: text += ["", "a", "bé"].randomElement(using: &generator) ?? ""
            case .components: text += ["", "a/", "b/é/"].randomElement(using: &generator) ?? ""
            }
        }
        if Bool.random(using: &generator), !text.isEmpty {
            let index = text.index(
                text.startIndex, offsetBy: Int.random(in: 0..<text.count, using: &generator))
            text.replaceSubrange(
                index...index, with: ["", "/", "a", "bb"].randomElement(using: &generator) ?? "")
        }
        return text
    }

    @Test("find what trying all ways finds", arguments: UInt64(0)..<10)
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var found = 0
        for _ in 0..<60 {
            let elements = randomElements(&generator)
            let glob = Glob(elements, separator: "/")
            for _ in 0..<5 {
                let text = randomText(like: elements, &generator)
                let expected = matches(elements[...], text[...].unicodeScalars)
                if expected { found += 1 }
                #expect(glob.matches(Array(text.utf8)[...]) == expected, "\(elements) \(text)")
            }
        }
        #expect((30..<285).contains(found))
    }

    @Test("find the same whatever filters stand before them", arguments: UInt64(0)..<10)
    func filtered(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<10 {
            let all = (1...70).map { line in
                IgnorePattern(
                    text: "", line: line, lifts: false, isForFolders: false, isPath: true,
                    elements: Array(randomElements(&generator).prefix(6)))
            }
            let set = IgnorePatternSet(all)
            let text = Array(
                randomText(like: randomElements(&generator), &generator).utf8.prefix(9))
            guard let valid = String(validating: text, as: UTF8.self), !valid.isEmpty else {
                continue
            }
            let expected = all.last { $0.matches(text[...]) }
            #expect(set.last(matching: text[...], isFolder: false)?.line == expected?.line)
        }
    }

    @Test("take the time of the text's length, whatever the stars", .timeLimit(.minutes(60)))
    func linear() {
        let stars = IgnoreList(
            patterns: String(repeating: "a*", count: 500) + "b\n"
                + String(repeating: "**/a/", count: 150) + "b",
            caseRule: .posix)
        #expect(stars.flaws.isEmpty)
        var rules = IgnoreRules(caseRule: .posix)
        rules.setList(stars, in: [])
        let name = String(repeating: "a", count: 255)

        for _ in 0..<20 {
            #expect(!rules.verdict(path: [name], isFolder: false).isIgnored)
        }
        #expect(!rules.verdict(path: Array(repeating: "a", count: 300), isFolder: false).isIgnored)
    }
}
