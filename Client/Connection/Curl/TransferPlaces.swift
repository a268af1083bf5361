/// Who may be under way, and who waits: requests share a number of places, of which those that send much and
/// those that receive much each have no more than a part. On a slow line they keep theirs for minutes, and a
/// person who opens a folder or a file meanwhile is not to wait for an upload.
struct TransferPlaces {
    private enum Kind: CaseIterable {
        case short, sending, receiving

        init(_ request: TransportRequest) {
            self =
                request.body.length >= TransferPlaces.longBody
                ? .sending : request.isLong ? .receiving : .short
        }
    }

    /// From here on a body takes its time.
    private static let longBody: Int64 = 64 << 10

    private let most: Int
    private var taken: [Kind: Int] = [:]
    /// In the order in which they came, with the number of each.
    private var waiting: [Kind: ArraySlice<(number: Int, transfer: CurlTransfer)>] = [:]
    private var last = 0

    init(_ most: Int) {
        self.most = most
    }

    private func limit(_ kind: Kind) -> Int {
        switch kind {
        case .short: most
        case .sending: max(1, most * 3 / 8)
        case .receiving: max(1, most / 2)
        }
    }

    private func hasRoom(_ kind: Kind) -> Bool {
        taken.values.reduce(0, +) < most && taken[kind, default: 0] < limit(kind)
    }

    mutating func wait(_ transfer: CurlTransfer) {
        last += 1
        waiting[Kind(transfer.request), default: []].append((last, transfer))
    }

    /// Takes a place for whoever has waited longest of those for whom there is one.
    mutating func next() -> CurlTransfer? {
        let first = Kind.allCases.filter { hasRoom($0) && waiting[$0]?.isEmpty == false }
            .min { (waiting[$0]?.first?.number ?? 0) < (waiting[$1]?.first?.number ?? 0) }
        guard let first, let found = waiting[first]?.popFirst() else { return nil }
        taken[first, default: 0] += 1
        return found.transfer
    }

    mutating func leave(_ transfer: CurlTransfer) {
        taken[Kind(transfer.request), default: 0] -= 1
    }

    /// Has nobody wait any more for that one.
    mutating func forget(_ transfer: CurlTransfer) {
        waiting[Kind(transfer.request)]?.removeAll { $0.transfer === transfer }
    }

    var allWaiting: [CurlTransfer] { waiting.values.flatMap { $0.map(\.transfer) } }
}
