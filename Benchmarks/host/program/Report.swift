import Foundation

/// What was measured.
struct Report: Encodable {
    var seconds: Double?
    /// Of user and system, all threads together.
    var processorSeconds: Double?
    /// The most that was resident since the process began; megabytes of 10^6 bytes.
    var peakMegabytes: Double?
    var nodes: Int?
    /// Each of many times.
    var microseconds: [Double]?
    var bytesSent: Int64?
    /// Until the files were in the local tree.
    var localSeconds: Double?

    func send() {
        guard var line = try? JSONEncoder().encode(self) else { return }
        line.append(UInt8(ascii: "\n"))
        FileHandle.standardOutput.write(line)
    }
}
