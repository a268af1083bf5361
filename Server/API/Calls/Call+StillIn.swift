import BasketStore
import BasketSupport

/// For answers that take long: whoever was let in at their beginning may not be any more.
extension Call {
    /// False when the device was logged out, the account disabled, or its password is another one now.
    func isStillIn() async throws -> Bool {
        if identity.device == nil {
            do {
                return try await service.identify(request).account == identity.account
            } catch is Authenticator.Refusal {
                return false
            }
        }
        let now = world.now()
        return try store.read { try $0.isStillIn(identity, at: now) }
    }

    /// When the token that let it in ends by itself; nil when it does not.
    func expiry() throws -> Timestamp? {
        guard let device = identity.device else { return nil }
        return try store.read { try $0.expiry(of: device) }
    }

    func requireStillIn() async throws {
        guard try await isStillIn() else { throw Problem(StoreError.notSignedIn) }
    }
}
