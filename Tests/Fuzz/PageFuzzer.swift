import BasketProvider
import FileProvider
import Foundation

/// What a system kept, and hands back as the page that it wants: it begins where the page before ended, in the same
/// order, and what was never one is given to the server, who knows that.
enum PageFuzzer: Fuzzer {
    static let name = "page"

    static func feed(_ bytes: [UInt8]) throws(FuzzFinding) {
        let start = PageStart(NSFileProviderPage(Data(bytes)))
        guard let token = start.token else { return }
        let next: NSFileProviderPage
        do {
            next = try start.next(token)
        } catch {
            guard token.utf8.count >= NSFileProviderPage.mostBytes else {
                throw FuzzFinding("no page begins at '\(token)'")
            }
            return
        }
        guard next.rawValue.count <= NSFileProviderPage.mostBytes else {
            throw FuzzFinding("the page at '\(token)' is longer than a page may be")
        }
        guard PageStart(next) == start else {
            throw FuzzFinding("the page at '\(token)' begins elsewhere when it comes back")
        }
    }
}
