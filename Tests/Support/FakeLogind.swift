import BasketSupport
import CDBus
import Glibc
import Synchronization

/// What sends a machine to sleep, as far as programs on its bus can tell.
package final class FakeLogind: @unchecked Sendable {
    // Unchecked: the connection is its thread's alone once that has begun.
    private let raw: OpaquePointer
    private struct State {
        /// The ends of the locks that it has kept.
        var locks: [Int32] = []
        var taken = 0
        var says: [Bool] = []
        var isOver = false
    }
    private let state = Mutex(State())
    private let thread = Mutex<BasketSupport.Thread?>(nil)

    private static let name = "org.freedesktop.login1"
    private static let path = "/org/freedesktop/login1"
    private static let interface = "org.freedesktop.login1.Manager"

    package init?(on bus: PrivateBus) {
        guard let raw = dbus_connection_open_private(bus.address, nil),
            dbus_bus_register(raw, nil) != 0
        else { return nil }
        self.raw = raw
        dbus_connection_set_exit_on_disconnect(raw, 0)
        guard dbus_bus_request_name(raw, Self.name, 0, nil) > 0 else { return nil }
        let started = BasketSupport.Thread(name: "logind") { [unowned self] in serve() }
        thread.withLock { $0 = started }
    }

    /// Gives up its name, as it does when it ends.
    package func stop() {
        state.withLock { $0.isOver = true }
        thread.withLock { $0.take() }?.join()
        dbus_connection_close(raw)
        dbus_connection_unref(raw)
    }

    /// How many locks it was asked for, in all.
    package var taken: Int { state.withLock { $0.taken } }

    /// How many of them somebody holds.
    package var held: Int {
        state.withLock { state in
            state.locks.removeAll { lock in
                var event = pollfd(fd: lock, events: Int16(POLLIN), revents: 0)
                guard poll(&event, 1, 0) > 0 else { return false }
                close(lock)
                return true
            }
            return state.locks.count
        }
    }

    /// Says that the machine is about to sleep, or awake again.
    package func say(sleeps: Bool) {
        state.withLock { $0.says.append(sleeps) }
    }

    private func serve() {
        while !state.withLock({ $0.isOver }) {
            dbus_connection_read_write(raw, 10)
            while let message = dbus_connection_pop_message(raw) {
                if dbus_message_is_method_call(message, Self.interface, "Inhibit") != 0 {
                    answer(message)
                }
                dbus_message_unref(message)
            }
            let says = state.withLock { state in
                defer { state.says = [] }
                return state.says
            }
            for sleeps in says { tell(sleeps) }
        }
    }

    private func answer(_ call: OpaquePointer) {
        var pipes: [Int32] = [-1, -1]
        guard pipe(&pipes) == 0, let reply = dbus_message_new_method_return(call)
        else { return }
        append(Int32(UInt8(ascii: "h")), &pipes[1], to: reply)
        dbus_connection_send(raw, reply, nil)
        dbus_message_unref(reply)
        close(pipes[1])
        state.withLock { state in
            state.locks.append(pipes[0])
            state.taken += 1
        }
    }

    private func tell(_ sleeps: Bool) {
        guard let signal = dbus_message_new_signal(Self.path, Self.interface, "PrepareForSleep")
        else { return }
        var flag: dbus_bool_t = sleeps ? 1 : 0
        append(Int32(UInt8(ascii: "b")), &flag, to: signal)
        dbus_connection_send(raw, signal, nil)
        dbus_message_unref(signal)
    }

    private func append<Value: BitwiseCopyable>(
        _ type: Int32, _ value: inout Value, to message: OpaquePointer
    ) {
        var place = DBusMessageIter()
        dbus_message_iter_init_append(message, &place)
        dbus_message_iter_append_basic(&place, type, &value)
    }
}
