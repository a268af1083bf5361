import BasketModels

/// Where a reader of an event stream is: the anchor of each of its domains. It travels as the
/// events' identifier, so that a reader that comes back is told what it missed, and nothing else.
package struct EventID: Equatable, Sendable {
    /// How many domains an identifier names. It comes with each event and goes back in a header, so
    /// that it must not grow with what an account has.
    package static let mostNamed = 16
    /// The identifier for more than that. It names no anchor: who comes back with it is told where
    /// each domain stands, and misses nothing.
    private static let many = "many"

    private(set) var anchors: [Int64: Anchor] = [:]

    init() {}

    /// What cannot be read counts as not seen: telling twice does no harm.
    package init(_ text: String) {
        for part in text.split(separator: ",").prefix(Self.mostNamed) {
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

    /// Forgets the domains that the account has no part in any more.
    mutating func keep(_ domains: Set<Int64>) {
        anchors = anchors.filter { domains.contains($0.key) }
    }

    package var text: String {
        guard anchors.count <= Self.mostNamed else { return Self.many }
        return anchors.sorted { $0.key < $1.key }
            .map { "\(ItemID(rawValue: $0.key)):\($0.value)" }.joined(separator: ",")
    }
}
