import Glibc
import TestSupport

/// A socket of the test's own that listens on a port which the system chose.
func listeningSocket() throws -> (descriptor: CInt, port: UInt16) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let failed = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
            bind(descriptor, address, size) != 0 || listen(descriptor, 16) != 0
                || getsockname(descriptor, address, &size) != 0
        }
    }
    guard !failed else { throw WireFailure("cannot listen: \(errno)") }
    return (descriptor, UInt16(bigEndian: address.sin_port))
}

func closeSocket(_ descriptor: CInt) {
    close(descriptor)
}
