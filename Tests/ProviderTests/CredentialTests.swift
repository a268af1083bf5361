import BasketProvider
import BasketSupport
import FileProvider
import Foundation
import Testing

@Suite("A log-in", .timeLimit(.minutes(60)))
struct CredentialTests {
    @Test(
        "that is in a locked keyring is no log-out, and is used when that is unlocked, without being asked for again"
    )
    func locked() async throws {
        try await TestServer.with { server, _ in
            let device = try await Device("laptop", server)
            device.credentials.lockedBy = KeyringTrouble.locked
            device.restart()
            for _ in 1...3 {
                await #expect { try await device.item(.rootContainer) } throws: {
                    NSFileProviderError(bridging: $0)?.code == .serverUnreachable
                        && ($0 as NSError).localizedDescription == KeyringTrouble.locked.message
                        && ($0 as NSError).localizedRecoverySuggestion
                            == KeyringTrouble.locked.remedy
                }
            }
            #expect(device.network.count == 0)
            #expect(!device.system.resolvedErrors.contains(.serverUnreachable))
            device.credentials.lockedBy = nil
            try await SessionTests.until {
                device.system.resolvedErrors.contains(.serverUnreachable)
            }
            #expect(!device.system.resolvedErrors.contains(.notAuthenticated))
            _ = try await device.item(.rootContainer)
        }
    }

    @Test("of which a keyring says, once it is unlocked, that it has none is one that has ended")
    func gone() async throws {
        try await TestServer.with { server, _ in
            let device = try await Device("laptop", server, isLoggedIn: false)
            device.credentials.lockedBy = KeyringTrouble.unreachable("nobody")
            await #expect { try await device.item(.rootContainer) } throws: {
                NSFileProviderError(bridging: $0)?.code == .serverUnreachable
            }
            device.credentials.lockedBy = nil
            try await SessionTests.until {
                device.system.resolvedErrors.contains(.serverUnreachable)
            }
            await #expect { try await device.item(.rootContainer) } throws: {
                NSFileProviderError(bridging: $0)?.code == .notAuthenticated
            }
        }
    }

    @Test("that cannot be read from the disk is no log-out, and is used as soon as it can be")
    func unreadable() async throws {
        try await TestServer.with { server, _ in
            let device = try await Device("laptop", server)
            device.credentials.lockedBy = FileError("read", "the disk", code: EIO)
            device.restart()
            for _ in 1...3 {
                await #expect { try await device.item(.rootContainer) } throws: {
                    NSFileProviderError(bridging: $0)?.code != .notAuthenticated
                }
            }
            #expect(device.network.count == 0)
            device.credentials.lockedBy = nil
            _ = try await device.item(.rootContainer)
        }
    }
}
