import FileProvider
import FileProviderReplica

/// What an extension answered to a creation or a modification.
struct Reply: Sendable {
    /// Nil: it is refused, and to be deleted here.
    let item: RemoteItem?
    let pending: NSFileProviderItemFields
    let shouldFetch: Bool

    /// What was not sent cannot be left for later.
    func limited(to fields: NSFileProviderItemFields) -> Reply {
        Reply(item: item, pending: pending.intersection(fields), shouldFetch: shouldFetch)
    }

    /// What was made must be what was asked for. Another kind of thing would only be replaced, and the right one asked
    /// for again at once, as often as the extension gives that answer.
    func require(_ kind: NodeKind) throws(HostError) {
        guard let item, item.kind != kind else { return }
        throw .badAnswer(
            "item \(item.identifier.rawValue) is another kind of thing than was asked for")
    }

    /// The containers that are always there are no item's other name: it would take their place here.
    /// - Parameter asked: what was changed; nil for what was made.
    func requireNoContainer(but asked: NSFileProviderItemIdentifier?) throws(HostError) {
        let containers: [NSFileProviderItemIdentifier] = [
            .rootContainer, .trashContainer, .workingSet,
        ]
        guard let item, item.identifier != asked, containers.contains(item.identifier) else {
            return
        }
        throw .badAnswer("\(item.identifier.rawValue) is not what was asked for")
    }
}
