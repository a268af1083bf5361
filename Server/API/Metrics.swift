import BasketBlobs
import BasketHTTP
import BasketStore

/// The server's numbers, as Prometheus reads them.
struct Metrics {
    private(set) var text = ""

    init(of service: Service) async throws {
        if let http = service.httpStatistics { add(http) }
        add(
            "basket_event_listeners", "Open event streams and long polls.", "gauge",
            service.store.hub.listenerCount)
        let totals = try service.store.read { try $0.totals() }
        add("basket_accounts", "Accounts.", "gauge", totals.accounts)
        add("basket_domains", "Domains.", "gauge", totals.domains)
        add("basket_items", "Live items in all domains.", "gauge", totals.items)
        add("basket_used_bytes", "Bytes of live items in all domains.", "gauge", totals.used)
        add("basket_history_bytes", "Bytes of history in all domains.", "gauge", totals.history)
        // A disk that cannot be measured is no reason to hide the other numbers.
        if let free = try? await service.blobs.availableBytes() {
            add("basket_free_bytes", "Bytes that the disk still takes.", "gauge", free)
        }
    }

    private mutating func add(_ http: HTTPStatistics) {
        add("basket_http_connections", "Open connections.", "gauge", http.openConnections)
        add("basket_http_streams", "Open streams.", "gauge", http.openStreams)
        add("basket_http_active_requests", "Requests under way.", "gauge", http.activeRequests)
        add(
            "basket_http_received_bytes_total", "Bytes of bodies received.", "counter",
            http.receivedBytes)
        add("basket_http_sent_bytes_total", "Bytes of bodies sent.", "counter", http.sentBytes)
        text +=
            "# HELP basket_http_requests_total Answered requests by the class of their status.\n"
        text += "# TYPE basket_http_requests_total counter\n"
        for (digit, count) in http.requests.enumerated() {
            let label = digit == 0 ? "none" : "\(digit)xx"
            text += "basket_http_requests_total{status=\"\(label)\"} \(count)\n"
        }
    }

    private mutating func add(
        _ name: String, _ help: String, _ kind: String, _ value: some BinaryInteger
    ) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n\(name) \(value)\n"
    }
}
