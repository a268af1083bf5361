import BasketBlobs
import BasketHTTP
import BasketStore
import BasketSupport

/// The server's numbers, as Prometheus reads them.
struct Metrics {
    private(set) var text = ""

    init(of service: Service) async throws {
        text =
            "# HELP basket_info The server's version.\n# TYPE basket_info gauge\n"
            + "basket_info{version=\"\(service.settings.version)\"} 1\n"
        if let process = ProcessNumbers(service.world.files) { add(process) }
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
        addDurations(of: http)
    }

    /// As a histogram: each bucket counts those before it, too.
    private mutating func addDurations(of http: HTTPStatistics) {
        let name = "basket_http_request_duration_seconds"
        text += "# HELP \(name) From a request's first line to the end of its answer.\n"
        text += "# TYPE \(name) histogram\n"
        let bounds = HTTPStatistics.durationBounds.map { "\($0 / .seconds(1))" } + ["+Inf"]
        var sum = 0
        for (bound, count) in zip(bounds, http.durations) {
            sum += count
            text += "\(name)_bucket{le=\"\(bound)\"} \(sum)\n"
        }
        text += "\(name)_sum \(http.durationSum / .seconds(1))\n\(name)_count \(sum)\n"
    }

    /// By the names that Prometheus' own libraries give them.
    private mutating func add(_ process: ProcessNumbers) {
        add(
            "process_resident_memory_bytes", "Memory that the process holds.", "gauge",
            process.residentBytes)
        add("process_open_fds", "Open files and sockets.", "gauge", process.openFiles)
        let name = "process_cpu_seconds_total"
        text += "# HELP \(name) Time that the process had a processor.\n# TYPE \(name) counter\n"
        text += "\(name) \(process.cpuTime / .seconds(1))\n"
    }

    private mutating func add(
        _ name: String, _ help: String, _ kind: String, _ value: some BinaryInteger
    ) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n\(name) \(value)\n"
    }
}
