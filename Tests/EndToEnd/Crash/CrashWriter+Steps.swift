import BasketContent
import BasketSupport
import TestSupport

/// What a writer does: something of every kind.
extension CrashWriter {
    /// The kinds of what is asked for.
    static let kinds: Set = [
        "create", "replace", "delete", "rename", "move", "annotate", "trashOrRestore", "batch",
        "conflict", "restoreVersion", "uploadStep",
    ]
    /// More files than this, and one goes.
    private static let mostFiles = 10
    /// Hashing a password takes long, so few log in.
    private static let logInEvery = 40

    mutating func step(_ callers: [Caller], _ port: UInt16) throws {
        if pick(Self.logInEvery) == 0 { return try guest.step(port) }
        guard files.count < Self.mostFiles else { return try delete(callers) }
        switch pick(15) {
        case 0...2: try create(callers)
        case 3...4: try replace(callers)
        case 5: try rename(callers)
        case 6: try move(callers)
        case 7: try annotate(callers)
        case 8...9: try uploadStep(callers)
        case 10: try trashOrRestore(callers)
        case 11: try batch(callers)
        case 12: try conflict(callers)
        case 13: try restoreVersion(callers)
        default: try delete(callers)
        }
    }

    // MARK: Whole files

    private mutating func create(_ callers: [Caller]) throws {
        let content = makeContent()
        let look = newLook(ContentHash(of: content))
        try send(
            CrashRequest("PUT", path(of: look), body: content, [key(look): look]), callers)
    }

    private mutating func replace(_ callers: [Caller]) throws {
        guard let (key, file) = file(where: { $0.parent != "trash" }) else { return }
        let content = makeContent()
        var look = file.look
        look.hash = ContentHash(of: content).hex
        try send(CrashRequest("PUT", path(of: look), body: content, [key: look]), callers)
    }

    private mutating func delete(_ callers: [Caller]) throws {
        guard let (key, file) = file(where: { _ in true }) else { return }
        if let id = file.id, file.look.parent == "trash" || pick(2) == 0 {
            try send(
                CrashRequest("DELETE", "\(Self.domain)/items/\(id)", [:], gone: key), callers)
        } else if file.look.parent != "trash" {
            try send(CrashRequest("DELETE", path(of: file.look), [:], gone: key), callers)
        }
    }

    // MARK: Metadata

    private mutating func rename(_ callers: [Caller]) throws {
        guard let (key, file) = file(where: { $0.parent != "trash" }), let id = file.id else {
            return
        }
        var look = file.look
        look.name = "\(key).\(random.next() % 1000)"
        try change(id, ["name": .string(look.name)], [key: look], callers)
    }

    private mutating func move(_ callers: [Caller]) throws {
        guard let (key, file) = file(where: { $0.parent != "trash" }), let id = file.id else {
            return
        }
        var look = file.look
        look.parent = folder()
        try change(id, ["parent": .string(look.parent)], [key: look], callers)
    }

    private mutating func annotate(_ callers: [Caller]) throws {
        guard let (key, file) = file(where: { $0.parent != "trash" }), let id = file.id else {
            return
        }
        var look = file.look
        look.tag = "tag\(pick(100))"
        look.note = Base64.encode(random.bytes(6), .standard)
        let json: JSON = [
            "tags": [.string(look.tag ?? "")], "xattrs": ["user.note": .string(look.note ?? "")],
        ]
        try change(id, json, [key: look], callers)
    }

    private mutating func change(
        _ id: String, _ json: JSON, _ looks: [String: CrashFile.Look], _ callers: [Caller],
        kind: String = #function
    ) throws {
        try send(
            CrashRequest("PATCH", "\(Self.domain)/items/\(id)", json: json, looks), callers,
            kind: kind)
    }

    private mutating func trashOrRestore(_ callers: [Caller]) throws {
        if let (key, file) = file(where: { $0.parent == "trash" }), let id = file.id {
            var look = file.look
            look.parent = folder()
            try send(
                CrashRequest(
                    "POST", "\(Self.domain)/items/\(id)/restore",
                    json: ["parent": .string(look.parent)], [key: look]), callers)
        } else if let (key, file) = file(where: { _ in true }), let id = file.id {
            var look = file.look
            look.parent = "trash"
            try send(
                CrashRequest("POST", "\(Self.domain)/items/\(id)/trash", json: [:], [key: look]),
                callers)
        }
    }

    /// Two new files, one that is marked and one that goes, all at once.
    private mutating func batch(_ callers: [Caller]) throws {
        var looks: [String: CrashFile.Look] = [:]
        var gone: String?
        var operations: [JSON] = []
        for _ in 0..<2 {
            let content = makeBytes(1 + pick(3000))
            let look = newLook(ContentHash(of: content))
            looks[key(look)] = look
            operations.append([
                "op": "create", "name": .string(look.name), "parent": .string(look.parent),
                "kind": "file", "content": .string(Base64.encode(content, .standard)),
            ])
        }
        if let (key, file) = file(where: { $0.parent != "trash" }), let id = file.id {
            var look = file.look
            look.tag = "batch\(pick(100))"
            looks[key] = look
            operations.append([
                "op": "change", "item": .string(id), "tags": [.string(look.tag ?? "")],
            ])
        }
        if let (key, file) = file(where: { _ in true }), let id = file.id, looks[key] == nil {
            gone = key
            operations.append(["op": "delete", "item": .string(id)])
        }
        let json: JSON = ["atomic": true, "operations": .array(operations)]
        try send(
            CrashRequest("POST", "\(Self.domain)/batch", json: json, looks, gone: gone), callers)
    }

    // MARK: Versions

    /// Another device that has not seen the present content; or an end to it.
    private mutating func conflict(_ callers: [Caller]) throws {
        let all = file { $0.parent != "trash" }
        guard let (key, file) = all, let id = file.id, let now = file.version else { return }
        var look = file.look
        guard file.look.conflicts == 0 else {
            look.conflicts = 0
            let json: JSON = ["keep": [.string(now)], "base": .string(now)]
            return try send(
                CrashRequest(
                    "POST", "\(Self.domain)/items/\(id)/conflicts/resolve", json: json, [key: look]),
                callers)
        }
        guard let old = file.earlier.first(where: { $0.key != look.hash && $0.value != now }) else {
            return
        }
        let content = makeContent()
        look.conflicts = 1
        var request = CrashRequest(
            "PUT", "\(Self.domain)/items/\(id)/content?onConflict=keep", body: content, [key: look])
        request.headers["If-Match"] = "\"\(old.value)\""
        request.isByOther = true
        request.kept = (key, ContentHash(of: content).hex)
        try send(request, callers)
    }

    private mutating func restoreVersion(_ callers: [Caller]) throws {
        let all = file { $0.parent != "trash" && $0.conflicts == 0 }
        guard let (key, file) = all, let id = file.id,
            let old = file.earlier.filter({ $0.key != file.look.hash })
                .randomElement(using: &random)
        else { return }
        var look = file.look
        look.hash = old.key
        try send(
            CrashRequest(
                "POST", "\(Self.domain)/items/\(id)/versions/\(old.value)/restore", json: [:],
                [key: look]), callers)
    }

    // MARK: Uploads

    /// One chunk more, or the file that all of them make.
    private mutating func uploadStep(_ callers: [Caller]) throws {
        if upload?.isOld ?? true { upload = newUpload() }
        guard let upload else { return }
        guard upload.sent == upload.pieces.count else {
            let piece = upload.pieces[upload.sent]
            let answer = try callers[0].put(
                "\(Self.domain)/chunks/\(ContentHash(of: piece).hex)", piece)
            guard answer.status < 300 else { return complain("a chunk", answer) }
            self.upload?.sent += 1
            return
        }
        self.upload = nil
        let hash = ContentHash(of: upload.whole)
        if let (key, file) = file(where: { $0.parent != "trash" }), let id = file.id, pick(2) == 0 {
            var look = file.look
            look.hash = hash.hex
            var request = CrashRequest(
                "PUT", "\(Self.domain)/items/\(id)/content", json: ["manifest": upload.manifest],
                [key: look])
            request.headers["Content-Type"] = "application/vnd.basket.manifest+json"
            return try send(request, callers)
        }
        let look = newLook(hash)
        let json: JSON = [
            "name": .string(look.name), "parent": .string(look.parent), "kind": "file",
            "manifest": upload.manifest,
        ]
        try send(
            CrashRequest("POST", "\(Self.domain)/items", json: json, [key(look): look]), callers)
    }

    private mutating func newUpload() -> CrashUpload {
        let pieces = (0...(1 + pick(4))).map { _ in makeBytes((64 << 10) + pick(512 << 10)) }
        return CrashUpload(pieces: pieces)
    }

    // MARK: Names

    private mutating func newLook(_ hash: ContentHash) -> CrashFile.Look {
        count += 1
        return CrashFile.Look(name: "writer\(number)-\(count).0", parent: folder(), hash: hash)
    }

    private func key(_ look: CrashFile.Look) -> String { CrashFile.key(of: look.name) }

    private mutating func folder() -> String {
        folders.values.sorted()[pick(folders.count)]
    }

    private func path(of look: CrashFile.Look) -> String {
        let folder = folders.first { $0.value == look.parent }?.key ?? ""
        return "\(Self.domain)/files/\(folder.isEmpty ? "" : folder + "/")\(look.name)"
    }

    private mutating func file(
        where isRight: (CrashFile.Look) -> Bool
    ) -> (key: String, value: CrashFile)? {
        let right = files.filter { isRight($0.value.look) }.sorted { $0.key < $1.key }
        return right.isEmpty ? nil : right[pick(right.count)]
    }
}
