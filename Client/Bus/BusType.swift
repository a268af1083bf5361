/// How the bus names types of arguments.
enum BusType {
    static let text = code("s")
    static let path = code("o")
    static let flag = code("b")
    static let byte = code("y")
    static let descriptor = code("h")
    static let array = code("a")
    static let structure = code("r")
    static let pair = code("e")
    static let variant = code("v")
    static let none: Int32 = 0

    private static func code(_ letter: Unicode.Scalar) -> Int32 { Int32(letter.value) }
}
