import Glibc

/// How an HTTP server listens and what it allows.
package struct HTTPServerConfiguration: Sendable {
    /// Where the server's connections come from.
    package enum Listener: Sendable {
        case address(ListeningAddress)
        /// A socket that listens already, as systemd hands one over. The server closes it.
        case descriptor(Int32)
    }

    package var listener: Listener
    /// Without one, the server speaks plain HTTP.
    package var tls: TLSIdentity?
    /// Threads that read and write sockets. They never wait for a handler, so more than there are
    /// processors bring nothing.
    package var workers: Int
    package var limits: HTTPLimits
    /// Whose `Forwarded` and `X-Forwarded-*` headers are believed.
    package var trustedProxies: [AddressRange]

    package init(
        listener: Listener, tls: TLSIdentity? = nil, workers: Int? = nil,
        limits: HTTPLimits = HTTPLimits(), trustedProxies: [AddressRange] = []
    ) {
        self.listener = listener
        self.tls = tls
        self.workers = workers ?? max(2, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        self.limits = limits
        self.trustedProxies = trustedProxies
    }
}
