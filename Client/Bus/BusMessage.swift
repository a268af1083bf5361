import CDBus
import Glibc

/// What was said on a message bus, or is about to be.
package final class BusMessage {
    let raw: OpaquePointer
    private var end = DBusMessageIter()

    /// - Parameter raw: is this one's from now on.
    init(owning raw: OpaquePointer) {
        self.raw = raw
        dbus_message_iter_init_append(raw, &end)
    }

    /// A call of a method.
    package convenience init(
        to name: String, _ path: String, _ interface: String, _ method: String
    ) throws(BusError) {
        guard let raw = dbus_message_new_method_call(name, path, interface, method) else {
            throw .noMemory
        }
        self.init(owning: raw)
    }

    deinit {
        dbus_message_unref(raw)
    }

    /// - Returns: itself, with more arguments.
    @discardableResult
    package func with(_ values: BusValue...) -> BusMessage {
        for value in values { value.append(to: &end) }
        return self
    }

    func isSignal(_ interface: String, _ name: String) -> Bool {
        dbus_message_is_signal(raw, interface, name) != 0
    }

    package var arguments: [BusValue] {
        var place = DBusMessageIter()
        guard dbus_message_iter_init(raw, &place) != 0 else { return [] }
        return BusValue.all(from: &place)
    }

    /// The first argument, where it is an open file: the caller's from now on, to be closed.
    var descriptor: Int32? {
        var place = DBusMessageIter()
        guard dbus_message_iter_init(raw, &place) != 0,
            dbus_message_iter_get_arg_type(&place) == BusType.descriptor
        else { return nil }
        var value: Int32 = -1
        dbus_message_iter_get_basic(&place, &value)
        return value < 0 ? nil : value
    }
}
