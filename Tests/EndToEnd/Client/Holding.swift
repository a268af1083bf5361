import Foundation

/// What a process holds at a moment.
struct Holding {
    let name: String
    let memoryMiB: Int
    let files: Int

    init(_ name: String, _ process: pid_t?) {
        self.name = name
        let folder = "/proc/\(process ?? 0)"
        let status = (try? String(contentsOfFile: folder + "/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        memoryMiB = (line.flatMap { Int($0.filter(\.isNumber)) } ?? 0) / 1024
        files = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/fd"))?.count ?? 0
    }

    /// Of all who have a part in a domain.
    static func all(
        of domain: String, _ server: ServerProcess, _ laptops: [Laptop]
    ) throws -> [Holding] {
        try [Holding("server", server.process.number)]
            + laptops.flatMap {
                [
                    Holding("\($0.name)'s daemon", $0.process),
                    Holding("\($0.name)'s host", try $0.host(of: domain)),
                ]
            }
    }
}
