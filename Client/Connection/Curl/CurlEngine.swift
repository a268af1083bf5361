import BasketSupport
import CCurl
import Glibc
import Synchronization

/// The mouth of the thread that carries requests: whoever wants something of it leaves an order.
///
/// Unchecked: `multi` is a pointer that never changes; waking is all that other threads do with it, and
/// curl allows that.
final class CurlEngine: @unchecked Sendable {
    enum Order: Sendable {
        case begin(CurlTransfer)
        /// There is room, or there are bytes, again.
        case resume(CurlTransfer)
        case abandon(CurlTransfer)
        case limit(receiving: Int64?, sending: Int64?)
        case stop
    }

    let server: ServerEndpoint
    let agent: String
    let mostRequests: Int
    let multi: UnsafeMutableRawPointer
    private let orders = Mutex<[Order]>([])

    /// Once for the process. curl allows no other call of it meanwhile.
    private static let isInitialised: Bool = {
        // TLS writes to connections that the other side may have closed, which would end the process. curl, which
        // is told to leave signals alone, does not prevent it.
        signal(SIGPIPE, SIG_IGN)
        return curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    }()

    init(_ server: ServerEndpoint, agent: String, mostRequests: Int) {
        precondition(Self.isInitialised, "libcurl does not start")
        guard let multi = curl_multi_init() else { fatalError("there is no memory for libcurl") }
        self.server = server
        self.agent = agent
        self.mostRequests = mostRequests
        self.multi = multi
    }

    deinit {
        curl_multi_cleanup(multi)
    }

    func start(threadName: String) {
        Thread(name: threadName) { CurlLoop(self).run() }.detach()
    }

    /// The thread gives up what it has, and ends.
    func stop() {
        order(.stop)
    }

    func order(_ order: Order) {
        let isFirst = orders.withLock { orders in
            orders.append(order)
            return orders.count == 1
        }
        // The others come along when the first one is fetched.
        if isFirst { curl_multi_wakeup(multi) }
    }

    func takeOrders() -> [Order] {
        orders.withLock { orders in
            defer { orders = [] }
            return orders
        }
    }
}
