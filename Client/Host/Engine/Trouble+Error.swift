import BasketSupport
import FileProviderReplica
import Foundation

extension Trouble {
    init(_ error: any Error, since: Timestamp, attempts: Int, retry: Timestamp) {
        let stored = error as NSError
        let words = [stored.localizedDescription, stored.remedy].compactMap(\.self)
        self.init(
            domain: stored.domain, code: stored.code, message: words.joined(separator: " "),
            since: since, attempts: attempts, retry: retry)
    }
}
