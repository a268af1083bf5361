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
}
