import BasketSupport
import FileProviderReplica

// What is to be offered to the provider: a tree that was here before the domain, and what is here when the
// provider's names mean nothing any more.
extension DomainHost {
    /// So much is looked at in one transaction, so that others get in between.
    private static let stockStep = 500

    /// Goes on with it, also after a crash. Nothing is asked of the provider meanwhile.
    func takeStock() async {
        var pause = Self.firstPause
        while !Task.isCancelled {
            let count = replica.changes.count
            do {
                if try replica.read({ try $0.isArriving() }) {
                    try await world.aside { [replica] in
                        try await ArrivingTree(replica).takeIn()
                    }
                    signal()
                }
                if try replica.read({ try $0.isReimporting() }) {
                    while try await replica.write({
                        try $0.continueReimport(limit: Self.stockStep)
                    }) {
                        try Task.checkCancellation()
                    }
                    signal()
                }
                pause = Self.firstPause
                await change(since: count)
            } catch is CancellationError {
                return
            } catch {
                world.log.error(
                    "what is here cannot be offered to the provider yet",
                    ["error": .text("\(error)")])
                try? await world.sleep(pause)
                pause = min(pause * 2, Self.longestPause)
            }
        }
    }

    /// The provider's names for an item, and for all below it, mean nothing any more. It is stored when this returns.
    func reimport(below id: NodeID) async throws {
        // What can be fetched again now is taken for this device's own then: no crash may cut it off.
        try await replica.synchronise()
        try await replica.write { try $0.beginReimport(below: id) }
        // What they would answer is about items that nobody knows now.
        calls.running.giveUpAll(HostError.disconnected)
        signal()
    }
}
