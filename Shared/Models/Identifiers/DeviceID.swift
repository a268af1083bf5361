/// Names a device that an account is, or was, logged in from.
package struct DeviceID: OpaqueNumber {
    package let rawValue: Int64

    package init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}
