/// Numbers that are no node's own: of what the kernel sees in a domain's folder and is no node of the domain, and of bytes.
enum LocalNumber {
    /// Numbers that nodes are given count up from somewhere above.
    static let firstFresh: UInt64 = 1 << 60
    /// FIFOs and the like count up from here.
    static let firstSpecial: UInt64 = 1 << 62
    static let trashHome: UInt64 = 1 << 61 | 1
    static let trashNotes: UInt64 = 1 << 61 | 2
    /// Notes about what is in the trash count up from here.
    static let firstNote: UInt64 = 1 << 61 | 1 << 60

    static func isFresh(_ number: UInt64) -> Bool { number >> 60 == 1 }
    static func isSpecial(_ number: UInt64) -> Bool { number & firstSpecial != 0 }
    static func isTrash(_ number: UInt64) -> Bool {
        number & (1 << 61) != 0 && !isSpecial(number)
    }
}
