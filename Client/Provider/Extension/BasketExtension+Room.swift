import BasketConnection
import BasketModels
import FileProvider
import Foundation

extension BasketExtension: RoomReporting {
    package func fetchRoom(
        completionHandler: @escaping @Sendable (ProviderRoom?, (any Error)?) -> Void
    ) -> Progress {
        begin { parts, _ -> ProviderRoom? in
            let domain = try await parts.session.call { try await $0.domain($1) }
            return domain.available.map { ProviderRoom(used: domain.used, available: $0) }
        } finish: { result in
            switch result {
            case .success(let room): completionHandler(room, nil)
            case .failure(let error): completionHandler(nil, error)
            }
        }
    }
}
