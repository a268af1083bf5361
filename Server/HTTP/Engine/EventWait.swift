import Glibc

/// libmicrohttpd 0.9 asks for 128 events at a time, and whenever it is given as many it asks again, to
/// see the rest, as patiently as the first time. When there is no rest, its worker sleeps on 128 requests
/// until something else happens to it. So no wait is ever told as much as it asked for: with one event
/// less the worker does what there is to do, and comes back for the others.
///
/// It waits by the public function, through the dynamic linker, which takes the program's function of
/// that name before the system's. Public, so that the linker shows it to the library.
@_cdecl("epoll_wait")
public func waitForFewerEvents(
    _ set: CInt, _ events: UnsafeMutableRawPointer?, _ capacity: CInt, _ timeout: CInt
) -> CInt {
    EventWait.function(set, events, capacity > 1 ? capacity - 1 : capacity, timeout)
}

private enum EventWait {
    typealias Wait = @convention(c) (CInt, UnsafeMutableRawPointer?, CInt, CInt) -> CInt

    /// The system's own function: the next one of the name after the program's.
    static let function: Wait = {
        let next = UnsafeMutableRawPointer(bitPattern: -1)
        guard let address = dlsym(next, "epoll_wait") else {
            preconditionFailure("the system has no epoll_wait")
        }
        return unsafeBitCast(address, to: Wait.self)
    }()
}
