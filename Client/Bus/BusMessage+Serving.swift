import CDBus
import Glibc

// As whoever is asked sees it.
extension BusMessage {
    /// Whether it wants this of who gets it.
    package func isCall(_ interface: String, _ method: String) -> Bool {
        dbus_message_is_method_call(raw, interface, method) != 0
    }

    /// Which object it is for.
    package var path: String {
        dbus_message_get_path(raw).map { String(cString: $0) } ?? ""
    }

    package func answer() throws(BusError) -> BusMessage {
        guard let answer = dbus_message_new_method_return(raw) else { throw .noMemory }
        return BusMessage(owning: answer)
    }

    package func refusal(_ name: String, _ words: String) throws(BusError) -> BusMessage {
        guard let answer = dbus_message_new_error(raw, name, words) else { throw .noMemory }
        return BusMessage(owning: answer)
    }
}
