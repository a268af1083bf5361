/// How the bus names types of arguments.
enum BusType {
    static let text = Int32(UInt8(ascii: "s"))
    static let flag = Int32(UInt8(ascii: "b"))
    static let descriptor = Int32(UInt8(ascii: "h"))
}
