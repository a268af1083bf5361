/// An address of a machine on the network, as a number.
package struct FoundAddress: Sendable, Hashable, Comparable {
    /// Without brackets, and without a zone.
    package let text: String
    /// Which of this machine's interfaces leads there, for an address that means something on one network alone.
    private let zone: String?

    /// - Parameter interface: on which it was heard of.
    package init(_ text: String, interface: String?) {
        self.text = text
        zone = Self.isLinkLocal(text) ? interface : nil
    }

    /// As it stands in an address of the web: RFC 6874 for what needs a zone.
    package var urlText: String {
        guard isIPv6 else { return text }
        return "[\(text)\(zone.map { "%25" + $0 } ?? "")]"
    }

    /// The one that is likelier to work is less.
    package static func < (left: FoundAddress, right: FoundAddress) -> Bool {
        (left.rank, left.text, left.zone ?? "") < (right.rank, right.text, right.zone ?? "")
    }

    private var isIPv6: Bool { text.utf8.contains(UInt8(ascii: ":")) }

    private var rank: Int {
        switch (isIPv6, Self.isLinkLocal(text)) {
        case (false, false): 0
        case (true, false): 1
        case (false, true): 2
        case (true, true): 3
        }
    }

    private static func isLinkLocal(_ text: String) -> Bool {
        let text = text.lowercased()
        return text.hasPrefix("169.254.")
            || ["fe8", "fe9", "fea", "feb"].contains { text.hasPrefix($0) }
    }
}
