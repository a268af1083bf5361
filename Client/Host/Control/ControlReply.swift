import Foundation

/// One line of an answer, with exactly one of the three. What tells how far it is may come any number of times; the
/// others end it.
package struct ControlReply<Answer: Codable & Sendable>: Codable, Sendable {
    package var version = ControlProtocol.version
    /// As the request has it.
    package var id: String?
    package var progress: ControlProgress?
    package var answer: Answer?
    package var error: ControlError?

    package init(
        _ id: String?, answer: Answer? = nil, progress: ControlProgress? = nil,
        error: ControlError? = nil
    ) {
        self.id = id
        self.answer = answer
        self.progress = progress
        self.error = error
    }

    private enum CodingKeys: String, CodingKey {
        case version = "v"
        case id, progress, answer, error
    }

    /// With the line's end.
    package var line: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return Array(try encoder.encode(self)) + [0x0A]
        }
    }
}
