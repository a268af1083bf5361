import BasketSupport

/// Where the machine's message buses are found.
package enum BusAddress {
    /// The one of the machine.
    package static func system(_ environment: [String: String]) -> String {
        environment["DBUS_SYSTEM_BUS_ADDRESS"] ?? "unix:path=/run/dbus/system_bus_socket"
    }

    /// The one of a person's session; nil where there is none, which nobody begins by asking.
    package static func session(
        _ environment: [String: String], _ files: any FileSystem
    ) -> String? {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty {
            return address
        }
        guard let folder = environment["XDG_RUNTIME_DIR"], files.exists(folder + "/bus") else {
            return nil
        }
        return "unix:path=\(folder)/bus"
    }
}
