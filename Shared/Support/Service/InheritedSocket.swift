import Glibc

/// A listening socket that the service manager opened before the program started (systemd's socket
/// activation): the program may listen on port 443 without being root, and no connection is refused
/// while it starts anew.
package struct InheritedSocket: Sendable, Equatable {
    package let descriptor: Int32
    /// What the unit calls it (`FileDescriptorName=`), or `unknown`.
    package let name: String

    package init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    /// Descriptors before it are the standard ones.
    private static let first: Int32 = 3
    /// More than a server listens on; a number from the environment must not become a loop.
    private static let most: Int32 = 64

    /// What the environment announces for this process; nothing when it speaks to another.
    ///
    /// - Parameters:
    ///   - environment: the process's variables.
    ///   - processID: the process's own number.
    package static func announced(
        environment: [String: String], processID: Int32
    ) -> [InheritedSocket] {
        guard environment["LISTEN_PID"] == "\(processID)",
            let count = environment["LISTEN_FDS"].flatMap({ Int32($0) }), (1...most).contains(count)
        else { return [] }
        let names =
            environment["LISTEN_FDNAMES"]?
            .split(separator: ":", omittingEmptySubsequences: false).map(String.init) ?? []
        return (0..<count).map { index in
            let name = index < names.count ? names[Int(index)] : "unknown"
            return InheritedSocket(descriptor: first + index, name: name)
        }
    }

    /// Takes it over: children do not inherit it.
    ///
    /// - Returns: false when it is no socket that listens.
    package func adopt() -> Bool {
        guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else { return false }
        var listens: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0
            && listens == 1
    }

    /// Where it listens; nil for a socket that is no door to a network.
    package var address: SocketAddress? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                getsockname(descriptor, address, &size) == 0
                    ? Self.address(in: address, size: size) : nil
            }
        }
    }

    private static func address(
        in address: UnsafeMutablePointer<sockaddr>, size: socklen_t
    ) -> SocketAddress? {
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        var port = [CChar](repeating: 0, count: Int(NI_MAXSERV))
        let failure = getnameinfo(
            address, size, &host, socklen_t(host.count), &port, socklen_t(port.count),
            NI_NUMERICHOST | NI_NUMERICSERV)
        guard failure == 0, let number = UInt16(text(port)) else { return nil }
        // A zone, as in fe80::1%eth0, is no part of the number.
        return SocketAddress(host: String(text(host).prefix { $0 != "%" }), port: number)
    }

    private static func text(_ field: [CChar]) -> String {
        String(decoding: field.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
