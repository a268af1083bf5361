/// Numbers of what the kernel sees in a domain's folder and is no node of the domain. No node ever gets one.
enum LocalNumber {
    /// FIFOs and the like count up from here.
    static let firstSpecial: UInt64 = 1 << 62
    static let trashHome: UInt64 = 1 << 61 | 1
    static let trashNotes: UInt64 = 1 << 61 | 2
    /// Notes about what is in the trash count up from here.
    static let firstNote: UInt64 = 1 << 61 | 1 << 60

    static func isSpecial(_ number: UInt64) -> Bool { number & firstSpecial != 0 }
    static func isTrash(_ number: UInt64) -> Bool {
        number & (1 << 61) != 0 && !isSpecial(number)
    }
}
