import CDBus
import Glibc

// As libdbus writes and reads them.
extension BusValue {
    func append(to end: inout DBusMessageIter) {
        switch self {
        case .text(let text): Self.append(text, BusType.text, to: &end)
        case .path(let path): Self.append(path, BusType.path, to: &end)
        case .flag(let flag):
            var value: dbus_bool_t = flag ? 1 : 0
            dbus_message_iter_append_basic(&end, BusType.flag, &value)
        case .bytes(let bytes):
            Self.append(BusType.array, of: "y", to: &end) { inner in
                bytes.withUnsafeBufferPointer { bytes in
                    var start = bytes.baseAddress
                    guard !bytes.isEmpty else { return }
                    dbus_message_iter_append_fixed_array(
                        &inner, BusType.byte, &start, Int32(bytes.count))
                }
            }
        case .list(let element, let parts):
            Self.append(BusType.array, of: element, to: &end) { inner in
                for part in parts { part.append(to: &inner) }
            }
        case .pair(let key, let value):
            Self.append(BusType.pair, of: nil, to: &end) { inner in
                key.append(to: &inner)
                value.append(to: &inner)
            }
        case .structure(let parts):
            Self.append(BusType.structure, of: nil, to: &end) { inner in
                for part in parts { part.append(to: &inner) }
            }
        case .variant(let content):
            Self.append(BusType.variant, of: content.signature, to: &end) { inner in
                content.append(to: &inner)
            }
        case .other: break
        }
    }

    private static func append(_ text: String, _ type: Int32, to end: inout DBusMessageIter) {
        text.withCString { start in
            var start: UnsafePointer<CChar>? = start
            _ = dbus_message_iter_append_basic(&end, type, &start)
        }
    }

    private static func append(
        _ type: Int32, of signature: String?, to end: inout DBusMessageIter,
        _ body: (inout DBusMessageIter) -> Void
    ) {
        var inner = DBusMessageIter()
        guard dbus_message_iter_open_container(&end, type, signature, &inner) != 0 else { return }
        body(&inner)
        dbus_message_iter_close_container(&end, &inner)
    }

    /// All that there is from a place on. How deep it may be, libdbus has looked after.
    static func all(from place: inout DBusMessageIter) -> [BusValue] {
        var values: [BusValue] = []
        while dbus_message_iter_get_arg_type(&place) != BusType.none {
            values.append(value(at: &place))
            guard dbus_message_iter_next(&place) != 0 else { break }
        }
        return values
    }

    private static func value(at place: inout DBusMessageIter) -> BusValue {
        switch dbus_message_iter_get_arg_type(&place) {
        case BusType.text: return .text(text(at: &place))
        case BusType.path: return .path(text(at: &place))
        case BusType.flag:
            var value: dbus_bool_t = 0
            dbus_message_iter_get_basic(&place, &value)
            return .flag(value != 0)
        case BusType.array:
            var inner = DBusMessageIter()
            let type = dbus_message_iter_get_element_type(&place)
            dbus_message_iter_recurse(&place, &inner)
            if type == BusType.byte { return .bytes(bytes(at: &inner)) }
            let signature = dbus_message_iter_get_signature(&inner)
            defer { dbus_free(signature) }
            let element = signature.map { String(cString: $0) } ?? ""
            return .list(of: element, all(from: &inner))
        case BusType.structure: return .structure(inside(&place))
        case BusType.pair:
            let parts = inside(&place)
            return parts.count == 2 ? .pair(parts[0], parts[1]) : .other
        case BusType.variant: return .variant(inside(&place).first ?? .other)
        default: return .other
        }
    }

    private static func inside(_ place: inout DBusMessageIter) -> [BusValue] {
        var inner = DBusMessageIter()
        dbus_message_iter_recurse(&place, &inner)
        return all(from: &inner)
    }

    private static func text(at place: inout DBusMessageIter) -> String {
        var start: UnsafePointer<CChar>?
        dbus_message_iter_get_basic(&place, &start)
        return start.map { String(cString: $0) } ?? ""
    }

    private static func bytes(at place: inout DBusMessageIter) -> [UInt8] {
        var start: UnsafePointer<UInt8>?
        var count: Int32 = 0
        dbus_message_iter_get_fixed_array(&place, &start, &count)
        return start.map { Array(UnsafeBufferPointer(start: $0, count: Int(count))) } ?? []
    }
}
