import BasketContent

/// A large content that goes to the server chunk by chunk, over as many crashes as it takes.
struct CrashUpload: Sendable {
    /// For less than the server keeps chunks that nobody bears, so that none is counted on too long.
    static let trust = EndToEnd.CrashTests.uploadGrace / 2

    let pieces: [[UInt8]]
    let begun = Moment.now
    /// How many of them were acknowledged.
    var sent = 0

    var isOld: Bool { Moment.now - begun > Self.trust }

    var whole: [UInt8] { pieces.flatMap { $0 } }

    var manifest: JSON {
        [
            "size": .number(Double(pieces.reduce(0) { $0 + $1.count })),
            "hash": .string(ContentHash(of: whole).hex),
            "chunks": .array(
                pieces.map {
                    [
                        "length": .number(Double($0.count)),
                        "hash": .string(ContentHash(of: $0).hex),
                    ]
                }),
        ]
    }

    /// What was acknowledged need not be sent again.
    func verify(_ caller: Caller) throws {
        guard sent > 0, !isOld else { return }
        let hashes = pieces.prefix(sent).map { JSON.string(ContentHash(of: $0).hex) }
        let answer = try caller.post(
            "\(CrashWriter.domain)/chunks/missing", ["hashes": .array(hashes)])
        let missing = try caller.expect(200, answer)["missing"].array
        guard missing.isEmpty || isOld else { throw Failure("chunks are missing: \(missing)") }
    }
}
