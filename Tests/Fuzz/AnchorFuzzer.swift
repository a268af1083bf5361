import BasketProvider
import FileProvider
import Foundation

/// What a system kept, and hands back as where it stood: an anchor is the same once more when it is handed out again, and
/// what was never one is none.
enum AnchorFuzzer: Fuzzer {
    static let name = "anchor"

    static func feed(_ bytes: [UInt8]) throws(FuzzFinding) {
        guard let anchor = WorkingSetAnchor(Data(bytes)) else { return }
        // What holds more than an anchor may is not handed out; what is no text takes up to three bytes for one.
        guard let again = try? anchor.syncAnchor() else {
            guard bytes.count * 3 > NSFileProviderPage.mostBytes else {
                throw FuzzFinding("\(anchor) could be read, and cannot be handed out")
            }
            return
        }
        guard again.rawValue.count <= NSFileProviderPage.mostBytes else {
            throw FuzzFinding("\(anchor) is longer than an anchor may be")
        }
        guard WorkingSetAnchor(again.rawValue) == anchor else {
            throw FuzzFinding("\(anchor) is another one when it comes back")
        }
    }
}
