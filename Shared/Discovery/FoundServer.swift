/// A server that was found on the network, as it says of itself: anybody may say so.
package struct FoundServer: Sendable, Equatable {
    /// What it calls itself, to be shown with care.
    package let name: String
    /// Its machine's name, such as `nas.local`; nil where that is none.
    package let host: String?
    package let port: UInt16
    /// Its machine's addresses, those first that work best.
    package let addresses: [FoundAddress]
    package let records: ServiceRecords

    package init(
        name: String, host: String, port: UInt16, addresses: [FoundAddress],
        records: ServiceRecords
    ) {
        self.name = ServiceName.beginning(of: name, ServiceName.mostBytes)
        self.host = Self.isLocalName(host) ? host : nil
        self.port = port
        self.addresses = addresses
        self.records = records
    }

    /// Where it is reached; nil where nobody knows.
    /// - Parameter knowsNames: whether this machine finds others by names such as `nas.local`. A name stays when an
    ///   address changes.
    package func url(knowsNames: Bool) -> String? {
        let name = knowsNames ? host : nil
        guard let place = name ?? addresses.first?.urlText ?? host else { return nil }
        return "\(records.isSecure ? "https" : "http")://\(place):\(port)"
    }

    /// Only names of this network: a server that is announced here, and lies elsewhere, is somebody's trick.
    private static func isLocalName(_ host: String) -> Bool {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard host.utf8.count <= 253, labels.count >= 2, labels.last?.lowercased() == "local" else {
            return false
        }
        return labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && label.utf8.allSatisfy(isOfName)
        }
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
