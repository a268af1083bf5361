import BasketSupport
import CDBus
import Glibc

/// A connection to a message bus, for one thread at a time.
package final class BusConnection {
    /// Who looks after the bus itself.
    static let bus = "org.freedesktop.DBus"
    static let busPath = "/org/freedesktop/DBus"

    let raw: OpaquePointer
    private let patience: Duration

    /// - Parameter patience: nobody on the machine takes longer to answer.
    package init(to address: String, patience: Duration = .seconds(5)) throws(BusError) {
        var failure = DBusError()
        dbus_error_init(&failure)
        defer { dbus_error_free(&failure) }
        guard let raw = dbus_connection_open_private(address, &failure) else {
            throw Self.error(failure)
        }
        self.raw = raw
        self.patience = patience
        dbus_connection_set_exit_on_disconnect(raw, 0)
        try requireAnswer()
        // What libdbus has for this waits for half a minute.
        let hello = try BusMessage(to: Self.bus, Self.busPath, Self.bus, "Hello")
        guard let name = try call(hello).arguments.first?.text else { throw .badAnswer }
        dbus_bus_set_unique_name(raw, name)
    }

    /// Until the bus has let this one in: libdbus itself waits without an end for one that says nothing at all.
    private func requireAnswer() throws(BusError) {
        let clock = ContinuousClock()
        let deadline = clock.now + patience
        while dbus_connection_get_is_authenticated(raw) == 0 {
            let left = (deadline - clock.now).wholeNanoseconds / 1_000_000
            guard left > 0, dbus_connection_read_write(raw, Int32(left)) != 0 else {
                throw .unreachable("it lets nobody in")
            }
        }
    }

    deinit {
        dbus_connection_close(raw)
        dbus_connection_unref(raw)
    }

    private static func error(_ failure: DBusError) -> BusError {
        let name = failure.name.map { String(cString: $0) } ?? ""
        let words = failure.message.map { String(cString: $0) } ?? ""
        let prefix = "org.freedesktop.DBus.Error."
        if name == prefix + "NoReply" { return .unanswered }
        let isGone = ["NoServer", "FileNotFound", "Disconnected"].contains { name == prefix + $0 }
        return isGone ? .unreachable(words) : .refused(name: name, words)
    }

    /// Asks, and waits for the answer.
    package func call(_ message: BusMessage) throws(BusError) -> BusMessage {
        var failure = DBusError()
        dbus_error_init(&failure)
        defer { dbus_error_free(&failure) }
        guard
            let answer = dbus_connection_send_with_reply_and_block(
                raw, message.raw, Int32(patience.wholeNanoseconds / 1_000_000), &failure)
        else { throw Self.error(failure) }
        return BusMessage(owning: answer)
    }

    /// From now on hears what fits this rule.
    func listen(for rule: String) throws(BusError) {
        var failure = DBusError()
        dbus_error_init(&failure)
        defer { dbus_error_free(&failure) }
        dbus_bus_add_match(raw, rule, &failure)
        if dbus_error_is_set(&failure) != 0 { throw Self.error(failure) }
    }

    /// What has come, if anything has.
    package func next() -> BusMessage? {
        dbus_connection_pop_message(raw).map(BusMessage.init(owning:))
    }

    /// Waits, on this thread, until something has come.
    /// - Parameter stop: a file that can be read when it is to wait no more.
    /// - Returns: false when that is so, or nothing will ever come.
    package func wait(orUntil stop: Int32) -> Bool {
        var bus: Int32 = -1
        guard dbus_connection_get_unix_fd(raw, &bus) != 0 else { return false }
        var events = [
            pollfd(fd: bus, events: Int16(POLLIN), revents: 0),
            pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&events, nfds_t(events.count), -1) < 0 {
            guard errno == EINTR else { return false }
        }
        if events[1].revents != 0 { return false }
        return dbus_connection_read_write(raw, 0) != 0
    }
}
