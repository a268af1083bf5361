import BasketSupport
import Glibc
import Synchronization

/// A server that says exactly what a script has it say: answers that break off, stall, trickle, lie.
///
/// Each connection is served on a thread of its own, and closed when the script is done with it.
package final class RawServer: Sendable {
    private let socket: OwnedSocket
    package let port: UInt16

    /// - Parameters:
    ///   - path: of the Unix socket; else it listens on a port of the loopback address.
    ///   - script: gets each connection, and which one it is, from 0 on.
    package init(
        unixSocket path: String? = nil,
        _ script: @escaping @Sendable (RawConnection, Int) throws -> Void
    ) throws {
        let descriptor = Glibc.socket(
            path == nil ? AF_INET : AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw WireFailure("no socket: \(errno)") }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        port = try path.map { try Self.bind(descriptor, to: $0) } ?? Self.bind(descriptor)
        guard listen(descriptor, 1024) == 0 else { throw WireFailure("cannot listen: \(errno)") }
        let socket = OwnedSocket(descriptor)
        self.socket = socket
        Thread(name: "raw-server") { [accepted = Counter()] in
            while true {
                let connection = accept(socket.descriptor, nil, nil)
                if connection < 0 {
                    if errno == EINTR || errno == ECONNABORTED { continue }
                    return
                }
                let number = accepted.next()
                Thread(name: "raw-connection") {
                    let connection = RawConnection(connection)
                    // A client that goes away is what many scripts are about.
                    try? script(connection, number)
                }.detach()
            }
        }.detach()
    }

    /// No further connections.
    deinit {
        shutdown(socket.descriptor, CInt(SHUT_RDWR))
    }

    package var url: String { "http://127.0.0.1:\(port)" }

    private static func bind(_ descriptor: CInt) throws -> UInt16 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let failed = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                Glibc.bind(descriptor, address, size) != 0
                    || getsockname(descriptor, address, &size) != 0
            }
        }
        guard !failed else { throw WireFailure("cannot bind: \(errno)") }
        return UInt16(bigEndian: address.sin_port)
    }

    private static func bind(_ descriptor: CInt, to path: String) throws -> UInt16 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let failed = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) != 0
            }
        }
        guard !failed else { throw WireFailure("cannot bind: \(errno)") }
        return 0
    }
}

/// Closed when neither the server nor its thread holds it any more: closed earlier, its number would be
/// somebody else's socket by the time the thread looks at it.
private final class OwnedSocket: Sendable {
    let descriptor: CInt

    init(_ descriptor: CInt) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }
}

private final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            defer { count += 1 }
            return count
        }
    }
}
