import BasketDiscovery

/// What anybody on the network says of a server, a line for each line of the input: what is read of it can be said
/// again, and a fingerprint is one.
enum ServiceRecordsFuzzer: Fuzzer {
    static let name = "service-records"

    static func feed(_ bytes: [UInt8]) throws(FuzzFinding) {
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
        let records = ServiceRecords(lines: lines)
        if let fingerprint = records.fingerprint, fingerprint.utf8.count != 64 {
            throw FuzzFinding("\(fingerprint) is no SHA-256")
        }
        guard ServiceRecords(lines: records.lines.map { Array($0.utf8) }) == records else {
            throw FuzzFinding("said again, \(records) is something else")
        }
        let name = ServiceName(String(decoding: bytes, as: UTF8.self)).text
        guard (1...ServiceName.mostBytes).contains(name.utf8.count), ServiceName(name).text == name
        else { throw FuzzFinding("‘\(name)’ is no name for a service") }
    }
}
