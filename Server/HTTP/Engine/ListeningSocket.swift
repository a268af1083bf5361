import CMicroHTTPD  // Its module holds the declarations of sockets.
import Glibc

/// A socket that accepts connections. One owner; closed once, or handed over.
struct ListeningSocket: ~Copyable {
    /// Connections that came while the workers were busy. The kernel may hold fewer.
    private static let backlog: CInt = 4096

    private var descriptor: CInt
    let port: UInt16

    init(_ listener: HTTPServerConfiguration.Listener) throws(HTTPServerError) {
        let descriptor =
            switch listener {
            case .address(let address): try Self.bind(address)
            case .descriptor(let inherited): try Self.adopt(inherited)
            }
        Self.keepAlive(descriptor)
        port = Self.port(of: descriptor)
        self.descriptor = descriptor
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Gives the descriptor to who closes it from now on.
    consuming func handOver() -> CInt {
        let handedOver = descriptor
        descriptor = -1
        return handedOver
    }

    private static func bind(_ address: ListeningAddress) throws(HTTPServerError) -> CInt {
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let failure = getaddrinfo(
            address.host.isEmpty ? nil : address.host, String(address.port), &hints, &found)
        guard failure == 0 else {
            throw .unknownHost(address.host, reason: String(cString: gai_strerror(failure)))
        }
        defer { freeaddrinfo(found) }
        var candidates: [UnsafeMutablePointer<addrinfo>] = []
        var next = found
        while let candidate = next {
            candidates.append(candidate)
            next = candidate.pointee.ai_next
        }
        if address.host.isEmpty {
            // Every address: an IPv6 socket takes IPv4 as well, where the machine has IPv6.
            candidates.sort { $0.pointee.ai_family == AF_INET6 && $1.pointee.ai_family != AF_INET6 }
        }
        var code = EADDRNOTAVAIL
        for candidate in candidates {
            switch open(candidate.pointee, takesIPv4: address.host.isEmpty) {
            case .success(let descriptor): return descriptor
            case .failure(let refusal): code = refusal.code
            }
        }
        throw .cannotListen(address.description, code: code)
    }

    private struct Refusal: Error {
        let code: Int32
    }

    private static func open(_ candidate: addrinfo, takesIPv4: Bool) -> Result<CInt, Refusal> {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(candidate.ai_family, type, candidate.ai_protocol)
        guard descriptor >= 0 else { return .failure(Refusal(code: errno)) }
        set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        if candidate.ai_family == AF_INET6 {
            set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, takesIPv4 ? 0 : 1)
        }
        guard Glibc.bind(descriptor, candidate.ai_addr, candidate.ai_addrlen) == 0,
            listen(descriptor, backlog) == 0
        else {
            let code = errno
            close(descriptor)
            return .failure(Refusal(code: code))
        }
        return .success(descriptor)
    }

    private static func adopt(_ descriptor: CInt) throws(HTTPServerError) -> CInt {
        var listens: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0, listens != 0
        else { throw .notListening(descriptor: descriptor) }
        // A client may be gone before it is accepted; who accepts must not wait for the next one then.
        let flags = fcntl(descriptor, F_GETFL)
        _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    /// Accepted sockets inherit this. An idle stream sends nothing, so without probes a client that
    /// lost its power would stay for ever.
    private static func keepAlive(_ descriptor: CInt) {
        set(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1)
        set(descriptor, Int32(IPPROTO_TCP), TCP_KEEPIDLE, 60)
        set(descriptor, Int32(IPPROTO_TCP), TCP_KEEPINTVL, 15)
        set(descriptor, Int32(IPPROTO_TCP), TCP_KEEPCNT, 4)
    }

    private static func set(_ descriptor: CInt, _ level: CInt, _ option: CInt, _ value: CInt) {
        var value = value
        // A Unix socket knows no TCP option; nothing is lost.
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<CInt>.size))
    }

    private static func port(of descriptor: CInt) -> UInt16 {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard getsockname(descriptor, address, &size) == 0 else { return 0 }
                switch Int32(address.pointee.sa_family) {
                case AF_INET, AF_INET6:
                    // Both kinds keep their port in the same place.
                    return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                        UInt16(bigEndian: $0.pointee.sin_port)
                    }
                default: return 0
                }
            }
        }
    }
}
