/// Who may be under way, and who waits: requests share a number of places, of which those that send much and
/// those that receive much each have no more than a part. On a slow line they keep theirs for minutes, and a
/// person who opens a folder or a file meanwhile is not to wait for an upload, nor for what nobody waits for.
struct TransferPlaces {
    private enum Kind: CaseIterable {
        case short, sending, receiving, receivingUnawaited

        init(_ request: TransportRequest) {
            self =
                if request.body.length >= TransferPlaces.longBody {
                    .sending
                } else if request.isLong {
                    request.isAwaited ? .receiving : .receivingUnawaited
                } else {
                    .short
                }
        }
    }

    /// From here on a body takes its time.
    private static let longBody: Int64 = 64 << 10

    private let most: Int
    private var taken: [Kind: Int] = [:]
    /// In the order in which they came, with the number of each.
    private var waiting: [Kind: ArraySlice<(number: Int, transfer: CurlTransfer?)>] = [:]
    private var last = 0

    init(_ most: Int) {
        self.most = most
    }

    private func hasRoom(_ kind: Kind) -> Bool {
        guard taken.values.reduce(0, +) < most else { return false }
        let received = taken[.receiving, default: 0] + taken[.receivingUnawaited, default: 0]
        return switch kind {
        case .short: true
        case .sending: taken[.sending, default: 0] < max(1, most * 3 / 8)
        case .receiving: received < max(1, most / 2)
        case .receivingUnawaited: received < max(1, most * 3 / 8)
        }
    }

    mutating func wait(_ transfer: CurlTransfer) {
        last += 1
        waiting[Kind(transfer.request), default: []].append((last, transfer))
    }

    /// Takes a place for whoever has waited longest of those for whom there is one; for what nobody waits for when
    /// there is nobody else.
    mutating func next() -> CurlTransfer? {
        func turn(_ kind: Kind) -> (Int, Int) {
            (kind == .receivingUnawaited ? 1 : 0, waiting[kind]?.first?.number ?? 0)
        }
        let first = Kind.allCases.filter { hasRoom($0) && waiting[$0]?.isEmpty == false }
            .min { turn($0) < turn($1) }
        guard let first, let transfer = waiting[first]?.first?.transfer else { return nil }
        // A slice keeps what lay before its beginning for as long as it likes.
        waiting[first]?.withFirst { $0.transfer = nil }
        waiting[first]?.removeFirst()
        taken[first, default: 0] += 1
        return transfer
    }

    mutating func leave(_ transfer: CurlTransfer) {
        taken[Kind(transfer.request), default: 0] -= 1
    }

    /// Has nobody wait any more for that one.
    mutating func forget(_ transfer: CurlTransfer) {
        waiting[Kind(transfer.request)]?.removeAll { $0.transfer === transfer }
    }

    var allWaiting: [CurlTransfer] { waiting.values.flatMap { $0.compactMap(\.transfer) } }
}

extension ArraySlice {
    fileprivate mutating func withFirst(_ change: (inout Element) -> Void) {
        if !isEmpty { change(&self[startIndex]) }
    }
}
