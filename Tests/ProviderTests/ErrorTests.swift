import BasketConnection
import BasketModels
import BasketSupport
import FileProvider
import Foundation
import Testing

@testable import BasketProvider

@Suite("An error")
struct ErrorTests {
    /// The codes that the API's description lists, with their statuses.
    private static func described() throws -> [(code: String, status: Int)] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(
            contentsOf: root.appendingPathComponent("docs/openapi.yaml"), encoding: .utf8)
        let list = text.components(separatedBy: "\nx-problems:\n")[1]
        return list.split(separator: "\n").compactMap { line in
            guard line.hasPrefix("  "), let colon = line.firstIndex(of: ":"),
                let start = line.range(of: "status: ")?.upperBound
            else { return nil }
            return Int(line[start...].prefix(3)).map {
                (line[..<colon].trimmingCharacters(in: .whitespaces), $0)
            }
        }
    }

    @Test("has a meaning, whatever code the server may give; and no code is made up")
    func total() throws {
        let described = try Self.described()

        #expect(described.count > 60)
        #expect(Set(described.map(\.code)) == Set(Reaction.byCode.keys))
    }

    @Test("ends a log-in only when it is the server's definite word")
    func logIn() throws {
        for (code, status) in try Self.described() {
            #expect((Reaction.byCode[code] == .logIn) == (status == 401), "\(code)")
        }
        let portal = ServerProblem(status: 401, code: "http_401", title: "Log in to this network")
        #expect(Reaction(.problem(portal)) == .waitForServer)
    }

    @Test("of a proxy that takes no such long body says nothing of the server")
    func proxy() {
        let proxy = ServerProblem(status: 413, code: "http_413", title: "Too long")
        #expect(Reaction(.problem(proxy)) == .tryAgain)
    }

    @Test("that comes back though the server answers has it asked less and less often")
    func pauses() {
        var pauses = ProbePauses()
        var now = Duration.seconds(100)
        var found: [Duration] = []
        for _ in 1...8 {
            found.append(pauses.next(at: now))
            now += .seconds(61)
            pauses.note(answerAt: now)
        }
        #expect(found == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
        now += .seconds(600)
        #expect(pauses.next(at: now) == .seconds(1))
    }

    @Test("leaves in one of the two domains that the system takes, with words")
    func domains() throws {
        var errors: [any Error] = try Self.described().map {
            ConnectionError.problem(ServerProblem(status: $0.status, code: $0.code, title: "No."))
        }
        errors += [
            ConnectionError.unreachable(.refused), ConnectionError.badAnswer("nonsense"),
            ConnectionError.cancelled, ConnectionError.file(FileError("open", "/x", code: 2)),
            FileError("write", "/x", code: 28), CancellationError(), POSIXError(.EIO),
            ProviderFailure.notLoggedIn, ProviderFailure.misconfigured("No."),
            ProviderFailure.noSuchItem(.rootContainer), ProviderFailure.conflict,
            ProviderFailure.versionGone, ProviderFailure.noTrash,
            ProviderFailure.unsupported("No."),
        ]
        for error in errors {
            let told = SystemError.of(error)
            let stored = (told as? NSFileProviderError)?._nsError ?? told as NSError
            #expect([NSFileProviderErrorDomain, NSCocoaErrorDomain].contains(stored.domain))
        }
    }

    @Test("never has an item removed by the word of a request that may have been about another one")
    func absence() {
        let problem = ServerProblem(status: 404, code: "no_such_item", title: "No.")

        let told = SystemError.of(ConnectionError.problem(problem))

        #expect(NSFileProviderError(bridging: told) == nil)
    }

    @Test(
        "is known to the system by its code",
        arguments: [
            ("not_signed_in", NSFileProviderError.Code.notAuthenticated),
            ("stopping", .serverUnreachable), ("insufficient_quota", .insufficientQuota),
            ("disk_full", .insufficientQuota),
            ("anchor_expired", .syncAnchorExpired), ("anchor_ahead", .syncAnchorExpired),
            ("cursor_expired", .pageExpired),
            ("bad_name", .cannotSynchronize), ("forbidden", .cannotSynchronize),
            ("folder_not_empty", .directoryNotEmpty),
            ("version_not_available", .versionNoLongerAvailable),
        ])
    func codes(code: String, meaning: NSFileProviderError.Code) {
        let problem = ServerProblem(status: 400, code: code, title: "No.")

        let told = SystemError.of(ConnectionError.problem(problem))

        #expect(NSFileProviderError(bridging: told)?.code == meaning)
        #expect((told as NSError).localizedDescription == "No.")
    }
}
