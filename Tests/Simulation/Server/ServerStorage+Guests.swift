import BasketAPI
import BasketModels
import BasketStore
import Synchronization

extension ServerStorage {
    /// Somebody has a part in the domain from now on, on a device that is called like them.
    func admit(_ name: String, as role: DomainRole) async throws {
        let server = try requireServer()
        if state.withLock({ $0.guests.insert(name).inserted }) {
            let hash = try await server.service.authenticator.hash(password: "password")
            try await server.store.write {
                try $0.createAccount(
                    name, displayName: nil, role: .member, quota: nil, password: hash)
            }
        }
        let owner = try identity(of: "ann")
        try await server.store.write(as: owner) { transaction in
            let domain = try transaction.db.domain(Self.work, for: owner)
            try transaction.setMember(name, role: role, of: domain)
        }
    }
}
