import BasketSupport
import Glibc

/// A tree on another volume, and its copy.
struct CopiedTree {
    let original: String
    let copy: String
    let files: any FileSystem

    /// A folder that is being walked through.
    private struct Frame {
        let path: String
        let names: any FolderNames
        var waiting: [String] = []
    }

    private static let pageSize = 200

    /// Copies all that can be an item, with its rights, dates and attributes.
    func make() async throws {
        try files.removeTree(copy)
        try await walk { path, facts in
            let (source, target) = (original + path, copy + path)
            switch facts.kind {
            case .folder: try files.makeFolder(target)
            case .symlink:
                guard let place = try place(ofSymlink: source) else { return }
                try files.makeSymlink(to: place, at: target)
                try files.setModified(facts.modified, at: target)
            case .file:
                try files.copyFile(source, to: target)
                try finish(target, like: source, facts)
            case .other: break
            }
        } leaving: { path, facts in
            try finish(copy + path, like: original + path, facts)
            try files.synchronizeFolder(copy + path)
        }
    }

    /// Nil where it is no Unicode: nobody could say it, and the link stays where it is.
    private func place(ofSymlink path: String) throws(FileError) -> String? {
        do {
            return try files.target(ofSymlink: path)
        } catch  where error.code == EILSEQ {
            return nil
        }
    }

    private func finish(
        _ path: String, like source: String, _ facts: FileFacts
    ) throws(FileError) {
        for (name, value) in try files.attributes(of: source).sorted(by: { $0.key < $1.key }) {
            try files.setAttribute(name, value, at: path)
        }
        try files.setModified(facts.modified, at: path)
        // Its owner has to get at it.
        try files.setMode(facts.mode | (facts.kind == .folder ? 0o700 : 0o400), at: path)
    }

    /// Removes what is the same in the copy. What somebody has changed since then, or could not be copied, stays.
    /// - Returns: whether nothing is left.
    func removeOriginal() async throws -> Bool {
        try await walk { path, facts in
            guard facts.kind != .folder,
                let copied = try files.factsIfAny(of: copy + path), copied.kind == facts.kind,
                copied.size == facts.size, copied.modified == facts.modified,
                try facts.kind != .file || !files.isWritten(original + path)
            else { return }
            try files.remove(original + path)
        } leaving: { path, _ in
            // One in which something is left stays, too.
            try? files.removeFolder(original + path)
        }
        return try files.factsIfAny(of: original) == nil
    }

    /// - Parameters:
    ///   - body: is called for everything, folders before what is in them,
    ///   - leaving: and this for folders after that.
    private func walk(
        _ body: (String, FileFacts) throws -> Void,
        leaving: (String, FileFacts) throws -> Void
    ) async throws {
        try body("", files.facts(of: original))
        var frames = [Frame(path: "", names: try files.openFolder(original))]
        while var frame = frames.popLast() {
            if frame.waiting.isEmpty {
                await Task.yield()
                try Task.checkCancellation()
                frame.waiting = try frame.names.next(Self.pageSize).sorted().reversed()
            }
            guard let name = frame.waiting.popLast() else {
                try leaving(frame.path, files.facts(of: original + frame.path))
                continue
            }
            frames.append(frame)
            let path = frame.path + "/" + name
            let facts = try files.facts(of: original + path)
            try body(path, facts)
            guard facts.kind == .folder else { continue }
            frames.append(Frame(path: path, names: try files.openFolder(original + path)))
        }
    }
}
