import BasketModels

/// Where a reader of an event stream is: the anchor of each of its domains. It travels as the
/// events' identifier, so that a reader that comes back is told what it missed, and nothing else.
package struct EventID: Equatable, Sendable {
    private(set) var anchors: [Int64: Anchor] = [:]

    init() {}

    /// What cannot be read counts as not seen: telling twice does no harm.
    package init(_ text: String) {
        for part in text.split(separator: ",").prefix(10_000) {
            let halves = part.split(separator: ":")
            guard halves.count == 2, let domain = ItemID(halves[0]), let anchor = Anchor(halves[1])
            else { continue }
            anchors[domain.rawValue] = anchor
        }
    }

    subscript(domain: Int64) -> Anchor? {
        get { anchors[domain] }
        set { anchors[domain] = newValue }
    }

    package var text: String {
        anchors.sorted { $0.key < $1.key }
            .map { "\(ItemID(rawValue: $0.key)):\($0.value)" }.joined(separator: ",")
    }
}
