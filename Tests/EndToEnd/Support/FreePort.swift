import Glibc

/// A port that is nobody's just now, for a server that is to be found there again after it was killed.
enum FreePort {
    static func find() throws -> UInt16 {
        let raw = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(raw) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(raw, $0, size) == 0 && getsockname(raw, $0, &size) == 0
            }
        }
        guard isBound else { throw Failure("no port is free") }
        return UInt16(bigEndian: address.sin_port)
    }
}
