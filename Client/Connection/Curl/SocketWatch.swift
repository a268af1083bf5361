import Glibc

/// The sockets that the engine has opened, to see what of them has arrived at the other side: what a socket
/// has taken may lie in the kernel for minutes on a slow line.
struct SocketWatch {
    private var sockets: Set<CInt> = []

    mutating func add(_ socket: CInt) {
        sockets.insert(socket)
    }

    /// How much the socket with this local port holds back that the other side has not confirmed; nil where
    /// there is no such socket.
    mutating func unconfirmed(port: CInt) -> Int64? {
        for socket in sockets {
            guard let found = Self.port(of: socket) else {
                // Closed by now, or somebody else's.
                sockets.remove(socket)
                continue
            }
            guard found == port else { continue }
            var count: CInt = 0
            return ioctl(socket, UInt(TIOCOUTQ), &count) == 0 ? Int64(count) : nil
        }
        return nil
    }

    /// Nil for what is no socket of the Internet's.
    private static func port(of socket: CInt) -> CInt? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &address) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> CInt? in
                guard getsockname(socket, address, &length) == 0 else { return nil }
                switch CInt(address.pointee.sa_family) {
                case AF_INET:
                    return storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                        CInt(UInt16(bigEndian: $0.pointee.sin_port))
                    }
                case AF_INET6:
                    return storage.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                        CInt(UInt16(bigEndian: $0.pointee.sin6_port))
                    }
                default: return nil
                }
            }
        }
    }
}
