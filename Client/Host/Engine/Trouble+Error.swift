import BasketSupport
import FileProviderReplica
import Foundation

extension Trouble {
    init(_ error: any Error, since: Timestamp, attempts: Int, retry: Timestamp) {
        let stored = error as NSError
        self.init(
            domain: stored.domain, code: stored.code, message: stored.localizedDescription,
            since: since, attempts: attempts, retry: retry)
    }
}
