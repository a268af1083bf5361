import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation
import Testing

@testable import FileProviderHost

@Suite("An extension that says what to do about an error")
struct RemedyTests {
    private static let error = NSFileProviderError(
        .serverUnreachable,
        userInfo: [
            NSLocalizedDescriptionKey: "It is locked.",
            NSLocalizedRecoverySuggestionErrorKey: "Unlock it.",
        ])

    @Test("is quoted where somebody asks")
    func asked() {
        let said = ControlError(Self.error, nil)
        #expect(said.code == .unreachable)
        #expect(said.message == "It is locked.")
        #expect(said.remedy == "Unlock it.")
        #expect(
            ControlError(NSFileProviderError(.serverUnreachable), nil).remedy != said.remedy)
    }

    @Test("is quoted of each item that it keeps waiting")
    func noted() {
        let moment = Timestamp(nanoseconds: 0)
        let trouble = Trouble(Self.error, since: moment, attempts: 1, retry: moment)
        #expect(trouble.message == "It is locked. Unlock it.")
    }
}
