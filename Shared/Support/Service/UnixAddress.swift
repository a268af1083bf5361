import Glibc

/// The address of a Unix socket: a path, or, behind an `@`, a name that no file system holds.
package struct UnixAddress: Sendable {
    /// As the kernel wants it: an abstract name begins with a NUL and has no end mark.
    private let bytes: [UInt8]

    /// Nil for what no socket can be called.
    package init?(_ text: String) {
        var bytes = Array(text.utf8)
        let isAbstract = bytes.first == UInt8(ascii: "@")
        guard isAbstract || bytes.first == UInt8(ascii: "/"), bytes.count > 1,
            !bytes.contains(0)
        else { return nil }
        if isAbstract { bytes[0] = 0 } else { bytes.append(0) }
        guard bytes.count <= MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
        self.bytes = bytes
    }

    package func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result)
        -> Result
    {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let head = MemoryLayout.offset(of: \sockaddr_un.sun_path) ?? 2
        let length = socklen_t(head + bytes.count)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}
