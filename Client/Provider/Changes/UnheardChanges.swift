import BasketModels
import Synchronization

/// Changes of metadata whose answers nobody heard: the server may have done them. What it then refuses of a
/// later change over the same base, because the field is newer than the base, is refused for this device's
/// own sake, and a device never conflicts with itself.
final class UnheardChanges: Sendable {
    private struct State {
        var requests: [String: [ChangeItemRequest]] = [:]
        /// The oldest first.
        var order: ArraySlice<String> = []
    }

    private static let mostItems = 1000
    /// Of one item.
    private static let mostRequests = 16

    private let state = Mutex(State())

    /// Notes a change that may have been done.
    func add(_ request: ChangeItemRequest, of item: String) {
        state.withLock { state in
            if state.requests[item] == nil {
                state.order.append(item)
                if state.order.count > Self.mostItems, let oldest = state.order.popFirst() {
                    state.requests[oldest] = nil
                }
            }
            // Over another base something was heard in between.
            var known = state.requests[item, default: []].filter { $0.base == request.base }
            known.append(request)
            state.requests[item] = known.suffix(Self.mostRequests)
        }
    }

    /// An answer was heard: it tells what became of all before it.
    /// - Returns: what was not heard over the same base.
    func take(_ item: String, over base: Version?) -> [ChangeItemRequest] {
        state.withLock { state in
            guard let known = state.requests.removeValue(forKey: item) else { return [] }
            state.order.removeAll { $0 == item }
            return known.filter { $0.base == base }
        }
    }
}
