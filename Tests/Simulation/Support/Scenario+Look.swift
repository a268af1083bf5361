import BasketSupport
import FileProvider
import FileProviderReplica

// What must hold at any moment, and is too much to look at after each step.
extension Scenario {
    func look(
        _ devices: [Device], _ storage: any Storage, _ books: Books, _ moment: String
    ) async throws {
        for oddity in try await storage.oddities() { complain("\(moment), \(oddity)") }
        for device in devices {
            for problem in try device.givenUp() {
                complain("\(moment), \(problem) on \(device.name)")
            }
        }
        guard storage.isUp else { return }
        try lookForLosses(devices, storage, books, moment)
        try lookAtDescents(devices, storage, books, moment)
        try judge(try storage.races(), books, moment)
        // What is offered by its name alone may be one with something else.
        if books.hasOffers { return }
        // What comes into a folder that stays on a device stays there, too.
        let kept = Set(try devices.flatMap { try $0.keptHere() })
        for gone in try storage.gone() {
            if let text = gone.text { books.noteGone(text) }
            if books.removals.explains(gone) { continue }
            if let text = gone.text, books.isNoMatter(text) { continue }
            // Where its name was taken it lies under another one.
            let names = [gone.name] + (0..<9).map(BouncedName(gone.name).candidate)
            if names.contains(where: kept.contains) {
                books.removals.note(gone.identifier, named: gone.name)
                continue
            }
            let what = "\(gone.name) (\(gone.identifier)): \(gone.text ?? "no file")"
            complain("\(moment), nobody has removed \(what)")
            books.removals.note(gone.identifier, named: gone.name)
        }
    }

    /// Nobody is said to have known what they have never seen, unless that is kept beside what they wrote.
    func lookAtDescents(
        _ devices: [Device], _ storage: any Storage, _ books: Books, _ moment: String
    ) throws {
        let wrong = try storage.descents().filter { !books.knew($0.text, of: $0.base) }
        if wrong.isEmpty { return }
        var there = try storage.texts()
        for device in devices { there.formUnion(try device.textsHere()) }
        for (text, base) in wrong where !there.contains(base) {
            complain("\(moment), whoever wrote \(text) is said to have known \(base)")
        }
    }

    /// The same bytes are never a conflict, and nobody conflicts with what they have seen. What came back from
    /// earlier may have done so while the other one was on its way.
    private func judge(_ races: [Race], _ books: Books, _ moment: String) throws {
        if books.hasOffers { return }
        for race in races where !books.isRestored(race.lost) && !books.isRestored(race.won) {
            if race.lost == race.won, !race.lost.isEmpty {
                // What is there is somebody's own copy, then.
                if books.isKept(race.lost) { continue }
                complain("\(moment), \(race.name) holds what was there already: \(race.lost)")
            } else if race.isMeant, books.hasSeen(race.won, whoWrote: race.lost),
                !books.isAskedForAgain(race.lost)
            {
                complain(
                    "\(moment), \(race.name) lies beside what its writer had seen: \(race.lost), \(race.won)"
                )
            }
        }
    }

    /// What somebody was told is written is somewhere.
    private func lookForLosses(
        _ devices: [Device], _ storage: any Storage, _ books: Books, _ moment: String
    ) throws {
        let wanted = books.mustBeThere
        let there = try storage.texts()
        var missing = Set(wanted).subtracting(there)
        for device in devices where !missing.isEmpty {
            missing.subtract(try device.textsHere())
        }
        for text in missing.sorted() {
            complain("\(moment), lost: \(text)")
            books.removed(text)
        }
    }

    /// Tells where a text is, of which `BASKET_WATCH` names the beginning, for whoever looks for a mistake.
    func watch(_ devices: [Device], _ storage: any Storage) throws {
        guard let start = Seeds.watched else { return }
        var places: [String] = []
        if storage.isUp {
            places += try storage.texts().filter { $0.hasPrefix(start) }.sorted().map {
                "the provider has \($0)"
            }
        }
        for device in devices {
            for (path, node) in try device.nodes() {
                guard let file = node.file, device.replica.contents.exists(file) else { continue }
                let bytes = try device.replica.contents.open(file)
                    .read(at: 0, count: Int(node.size))
                let text = Passage.text(of: bytes)
                guard text.hasPrefix(start) else { continue }
                places.append(
                    """
                    \(device.name) has \(text) in \(path) #\(node.id.rawValue) \
                    \(node.identifier?.rawValue ?? "?") \(node.trees.local?.content as Any) \
                    \(node.residence)
                    """)
            }
        }
        tellIfNew(places.joined(separator: "; "))
    }

    /// When nothing is left to do, nothing is done.
    func stayQuiet(_ devices: [Device]) async throws {
        // Whoever has read everything has made it fetch some files ahead.
        try await executor.sleep(.seconds(60))
        for device in devices { _ = device.network.takeSent() }
        try await executor.sleep(.seconds(600))
        for device in devices {
            for problem in try device.undiscarded() { complain(problem) }
            let sent = device.network.takeSent()
            if sent.isEmpty { continue }
            complain(
                "\(device.name) asks for \(sent.count) things, though all is quiet: \(sent.prefix(3))"
            )
        }
    }

    /// What was left behind is gone after the next start at the latest.
    func tidyUp(_ devices: [Device]) async throws {
        for device in devices {
            try await device.start()
            try await executor.sleep(.seconds(30))
            for problem in try await device.problems() { complain(problem) }
            await device.stop()
            for problem in try await device.leftovers() { complain(problem) }
        }
    }
}
