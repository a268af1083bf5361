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

    /// - Returns: itself, with one more argument.
    package func text(_ text: String) -> BusMessage {
        text.withCString { start in
            var start: UnsafePointer<CChar>? = start
            _ = dbus_message_iter_append_basic(&end, BusType.text, &start)
        }
        return self
    }

    func isSignal(_ interface: String, _ name: String) -> Bool {
        dbus_message_is_signal(raw, interface, name) != 0
    }

    /// The first argument, where it says yes or no.
    var flag: Bool? {
        var place = DBusMessageIter()
        guard dbus_message_iter_init(raw, &place) != 0,
            dbus_message_iter_get_arg_type(&place) == BusType.flag
        else { return nil }
        var value: dbus_bool_t = 0
        dbus_message_iter_get_basic(&place, &value)
        return value != 0
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

    /// The arguments that come first, as far as they are text.
    var texts: [String] {
        var place = DBusMessageIter()
        guard dbus_message_iter_init(raw, &place) != 0 else { return [] }
        var texts: [String] = []
        while dbus_message_iter_get_arg_type(&place) == BusType.text {
            var start: UnsafePointer<CChar>?
            dbus_message_iter_get_basic(&place, &start)
            texts.append(start.map { String(cString: $0) } ?? "")
            guard dbus_message_iter_next(&place) != 0 else { break }
        }
        return texts
    }
}
