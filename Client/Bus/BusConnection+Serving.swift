import CDBus

// As somebody who is asked.
extension BusConnection {
    /// Is called so from now on.
    package func own(_ name: String) throws(BusError) {
        let outcome = dbus_bus_request_name(
            raw, name, dbus_uint32_t(DBUS_NAME_FLAG_DO_NOT_QUEUE), nil)
        guard outcome == DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER else {
            throw .refused(name: name, "somebody else is called so")
        }
    }

    package func send(_ message: BusMessage) {
        dbus_connection_send(raw, message.raw, nil)
        dbus_connection_flush(raw)
    }
}
