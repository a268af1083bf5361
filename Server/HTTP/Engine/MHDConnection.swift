import CMicroHTTPD

/// libmicrohttpd's connection.
///
/// Unchecked: a worker owns it, and whoever is not that worker does one thing with it: resume it, once
/// for each time that it was suspended. libmicrohttpd takes that call from any thread, and does not
/// free a connection that is suspended.
struct MHDConnection: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Only from a worker's callback. Taken together with the note that it was done, under the lock of
    /// who has to resume: otherwise the other side could see the note and resume too early, or not see
    /// it and never resume. libmicrohttpd holds no lock while it calls us, so there is no cycle.
    func suspend() {
        MHD_suspend_connection(pointer)
    }

    /// Also under that lock: a daemon that stops must find none suspended that somebody is about to resume.
    func resume() {
        MHD_resume_connection(pointer)
    }

    /// Makes sure that a connection which a content reader is about to end is cleaned up at once.
    /// libmicrohttpd 0.9 forgets to look at it again when the reader says so before the socket is
    /// written to, and its client waits until something else happens; a resumed connection is looked
    /// at. Only from a content reader, right before it returns.
    func bounce() {
        suspend()
        resume()
    }
}
