import Glibc

/// The machine's log, for which the C library has the calls: they say nothing when nobody listens.
package enum SystemLog {
    /// Whether somebody listens. In a container mostly nobody does.
    package static var isThere: Bool {
        guard let address = UnixAddress("/dev/log") else { return false }
        // In the order in which the C library tries them.
        return [SOCK_DGRAM, SOCK_STREAM].contains { kind in
            let descriptor = socket(AF_UNIX, CInt(kind.rawValue) | O_CLOEXEC, 0)
            guard descriptor >= 0 else { return false }
            defer { close(descriptor) }
            return address.withPointer { connect(descriptor, $0, $1) } == 0
        }
    }
}
