import BasketModels
import BasketStore
import BasketSupport

/// A lock as JSON.
enum LockJSON {
    static func write(_ lock: ItemLock, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("account")
            writer.string(lock.account)
            writer.key("device")
            writer.string(lock.device)
            writer.key("deviceId")
            writer.string(DeviceID(rawValue: lock.deviceNumber).description)
            if !lock.note.isEmpty {
                writer.key("note")
                writer.string(lock.note)
            }
            writer.key("since")
            writer.string(lock.since.rfc3339)
            writer.key("expires")
            writer.string(lock.expires.rfc3339)
        }
    }
}
